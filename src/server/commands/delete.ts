import { type Command, InvalidArgumentError } from "commander";
import { invitedDays, waitlistMonths } from "#shared/retention.ts";
import { deletePeople } from "../mail/emails/delete-people.ts";
import { latestTrace } from "../mail/emails/gaps.ts";
import { pagesOfInvited } from "../mail/emails/invitations.ts";
import { ON_REQUEST, type Receipt, receiptAsText, wrongReason } from "../mail/emails/receipt.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { countRegistrations } from "../registrations/people.ts";
import { inOrderOfTime, keyOf } from "../registrations/registrations.ts";
import {
	openSuppressionList,
	type SuppressionList,
} from "../registrations/suppression/open-suppression-list.ts";
import { visitDays } from "../registrations/visits.ts";
import { daysAfter, monthsBefore, shownTime } from "../time.ts";
import { hasWebhook } from "../webhooks/webhook.ts";
import {
	days,
	EXIT,
	JSON_HELP,
	notFoundAsText,
	number,
	operatorAgrees,
	print,
	wholeNumber,
	withDatabase,
} from "./terminal/command.ts";

/** Adds `waitlist delete`: deletes people by address or by age. */
export function addDelete(program: Command): void {
	program
		.command("delete [emails...]")
		.summary("delete people for good, by any spelling of their addresses")
		.description(
			"Deletes people for good, by any spelling of their addresses. Prints a receipt, which answers " +
				"a GDPR or CCPA request, and keeps a hash of the address, so that no backup brings it back.",
		)
		.option("--reason <text>", "kept with the hash", reason, ON_REQUEST)
		.option(
			"--older-than <months>",
			`everybody who joined so many months ago or earlier (the privacy policy says ${waitlistMonths})`,
			wholeNumber,
		)
		.option(
			"--invited-before <days>",
			`everybody whose invitation went out so long ago or earlier (the policy says ${invitedDays}d)`,
			days,
		)
		.option("--yes", "the clock is right: delete by age however many that takes")
		.option("--json", JSON_HELP)
		.action(async (emails: string[], options, command: Command) => {
			const { reason, olderThan, invitedBefore, yes = false, json } = options;
			const ways = [emails[0], olderThan, invitedBefore].filter((way) => way !== undefined);
			if (ways.length !== 1) {
				command.error(
					"error: name the addresses to delete, or use --older-than or --invited-before, but only one",
				);
			}
			await withDatabase(async (operation) => {
				const { database, places, now } = operation;
				const joinedBefore = monthsBefore(now, olderThan ?? 0);
				const before = daysAfter(now.getTime(), -(invitedBefore ?? 0));
				const pagesByAge = () =>
					olderThan === undefined
						? pagesOfInvited(database, before)
						: keysOfPages(inOrderOfTime(database, { until: joinedBefore }));
				if (emails.length === 0 && !yes) await refuseByWrongClock(operation, pagesByAge());
				const deleting = { list: await openSuppressionList(database, places), reason };
				const at = now.toISOString();
				if (olderThan !== undefined) {
					const deleted = await deletePages(operation, pagesByAge(), deleting);
					print(json, { deleted, joinedBefore, at }, () =>
						deletedBefore(deleted, "joined", joinedBefore),
					);
					return;
				}
				if (invitedBefore !== undefined) {
					const deleted = await deletePages(operation, pagesByAge(), deleting);
					print(json, { deleted, invitedBefore: before, at }, () =>
						deletedBefore(deleted, "were invited", before),
					);
					return;
				}
				const keys = emails.map(keyOf);
				const named = new Map(keys.map((key, n) => [key, emails[n]!]));
				const deleted = await deleteAddresses(operation, named, deleting);
				// Also when none was found: an earlier command may have been interrupted before this.
				await database.forget();
				print(json, deleted, () => deletedAsText(deleted));
				if (deleted.notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

function reason(text: string): string {
	const wrong = wrongReason(text);
	if (wrong) throw new InvalidArgumentError(wrong);
	return text;
}

interface Receipts {
	receipts: Receipt[];
	notFound: string[];
}

/** A deletion that is to be done. */
interface Deleting {
	list: SuppressionList;
	reason: string;
}

/** @param named the addresses as the operator wrote them, by their keys */
async function deleteAddresses(
	{ database, now, note }: Operation,
	named: ReadonlyMap<string, string>,
	{ list, reason }: Deleting,
): Promise<Receipts> {
	const byHash = new Map([...named].map(([key, email]) => [list.key.hashOf(key), email]));
	const entries = await deletePeople(database, list, [...named.keys()], {
		...{ now, reason, also: note("person deleted", named.size > 1 ? `${named.size} named` : "") },
	});
	const told = (await hasWebhook(database)) && { told: true as const };
	const receipts = entries.map((entry) => ({ email: byHash.get(entry.hash)!, ...entry, ...told }));
	const deleted = new Set(entries.map(({ hash }) => hash));
	const notFound = [...byHash].filter(([hash]) => !deleted.has(hash)).map(([, email]) => email);
	return { receipts, notFound };
}

async function* keysOfPages(pages: AsyncIterable<{ key: string }[]>): AsyncGenerator<string[]> {
	for await (const page of pages) yield page.map(({ key }) => key);
}

/** A deletion by age asks before it takes more people than this, and more than a tenth of the list. */
const MANY = 100;

/** For so many days nothing may happen on a list before a deletion by age doubts the clock. */
const QUIET_DAYS = 31;

/**
 * Asks before a wrong clock deletes people for good.
 *
 * @throws Refusal with a sentence for the operator unless they agree
 */
async function refuseByWrongClock(
	{ database, now }: Operation,
	pages: AsyncIterable<string[]>,
): Promise<void> {
	let count = 0;
	for await (const keys of pages) count += keys.length;
	if (count === 0) return;
	const total = await countRegistrations(database);
	const lastVisit = (await visitDays(database)).at(-1)?.day ?? "";
	const latest = [await latestTrace(database), lastVisit].sort().at(-1)!;
	const isMany = count > Math.max(MANY, total / 10);
	if (!isMany && latest >= daysAfter(now.getTime(), -QUIET_DAYS)) return;
	const doubt =
		`This would delete ${number(count)} of ${number(total)} people for good. The clock says ` +
		`${shownTime(now.toISOString())}, and the latest join, email, wave or visit here is of ${latest.slice(0, 10)}.`;
	if (await operatorAgrees(`${doubt} Is the clock right, and are they to be deleted?`)) return;
	throw new Refusal(`Nobody was deleted. ${doubt} If the clock is right, use --yes.`);
}

const deletedBefore = (deleted: number, what: string, time: string) =>
	`${deleted} deleted: all who ${what} before ${time}.`;

/** Deletes people, a page at a time, and gives how many. */
async function deletePages(
	{ database, now, progress, note }: Operation,
	pages: AsyncIterable<string[]>,
	{ list, reason }: Deleting,
): Promise<number> {
	let deleted = 0;
	for await (const keys of pages) {
		const also = note("people deleted", `${keys.length} by age`);
		deleted += (await deletePeople(database, list, keys, { now, reason, also })).length;
		progress.show("deleted", deleted, 0);
	}
	progress.end();
	// Also when none was found: an earlier command may have been interrupted before this.
	await database.forget();
	return deleted;
}

function deletedAsText({ receipts, notFound }: Receipts): string {
	return [...receipts.map(receiptAsText), ...notFoundAsText(notFound)].join("\n\n");
}
