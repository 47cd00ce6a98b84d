import { type Command, InvalidArgumentError } from "commander";
import { invitedDays, waitlistMonths } from "#shared/retention.ts";
import type { Dialect } from "../database/dialect.ts";
import { erasePeople } from "../mail/emails/erasing.ts";
import { latestTrace } from "../mail/emails/gaps.ts";
import { pagesOfInvited } from "../mail/emails/invitations.ts";
import { ON_REQUEST, type Receipt, receiptAsText, wrongReason } from "../mail/emails/receipt.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { countRegistrations } from "../registrations/people.ts";
import type { Proofs } from "../registrations/proofs/erasures.ts";
import { openOrMakeProofs, openProofsByNewKey } from "../registrations/proofs/open-proofs.ts";
import { inOrderOfTime, keyOf } from "../registrations/registrations.ts";
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

/** Adds `waitlist erase`: deletes people by address or by age. */
export function addErase(program: Command): void {
	program
		.command("erase [emails...]")
		.summary("delete people for good, by any spelling of their addresses")
		.description(
			"Deletes people for good, by any spelling of their addresses. Prints a receipt, which answers " +
				"a GDPR or CCPA request, and keeps a proof that does not hold the address.",
		)
		.option("--reason <text>", "kept with the proof", reason, ON_REQUEST)
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
		.option(
			"--new-key",
			"the erasure key is lost for good: go on with another, which recognizes nobody erased before",
		)
		.option("--yes", "the clock is right: erase by age however many that takes")
		.option("--json", JSON_HELP)
		.action(async (emails: string[], options, command: Command) => {
			const { reason, olderThan, invitedBefore, newKey = false, yes = false, json } = options;
			const ways = [emails[0], olderThan, invitedBefore].filter((way) => way !== undefined);
			if (ways.length !== 1) {
				command.error(
					"error: name the addresses to erase, or use --older-than or --invited-before, but only one",
				);
			}
			await withDatabase(async (operation) => {
				const { database, places, now } = operation;
				const joinedBefore = monthsBefore(now, olderThan ?? 0);
				const before = daysAfter(now.getTime(), -(invitedBefore ?? 0));
				const pagesByAge = () =>
					olderThan === undefined
						? pagesOfInvited(database.query, before)
						: keysOfPages(inOrderOfTime(database.query, { until: joinedBefore }));
				if (emails.length === 0 && !yes) await refuseByWrongClock(operation, pagesByAge());
				const open = newKey ? openProofsByNewKey : openOrMakeProofs;
				const erasing = { proofs: await open(database, places), reason };
				const erasedAt = now.toISOString();
				if (olderThan !== undefined) {
					const erased = await erasePages(operation, pagesByAge(), erasing);
					print(json, { erased, joinedBefore, erasedAt }, () =>
						erasedBefore(erased, "joined", joinedBefore),
					);
					return;
				}
				if (invitedBefore !== undefined) {
					const erased = await erasePages(operation, pagesByAge(), erasing);
					print(json, { erased, invitedBefore: before, erasedAt }, () =>
						erasedBefore(erased, "were invited", before),
					);
					return;
				}
				const keys = emails.map(keyOf);
				const named = new Map(keys.map((key, n) => [key, emails[n]!]));
				const erased = await eraseAddresses(operation, named, erasing);
				// Also when none was found: an earlier command may have been interrupted before this.
				await database.forget();
				print(json, erased, () => erasedAsText(erased, database.dialect));
				if (erased.notFound.length > 0) process.exitCode = EXIT.notFound;
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

/** An erasure that is to be done. */
interface Erasing {
	proofs: Proofs;
	reason: string;
}

/** @param named the addresses as the operator wrote them, by their keys */
async function eraseAddresses(
	{ database, now, note }: Operation,
	named: ReadonlyMap<string, string>,
	{ proofs, reason }: Erasing,
): Promise<Receipts> {
	const byCode = new Map([...named].map(([key, email]) => [proofs.erasureKey.codeOf(key), email]));
	const erasures = await erasePeople(database, proofs, [...named.keys()], {
		...{ now, reason, also: note("person deleted", named.size > 1 ? `${named.size} named` : "") },
	});
	const told = (await hasWebhook(database.query)) && { told: true as const };
	const receipts = erasures.map((proof) => ({ email: byCode.get(proof.code)!, ...proof, ...told }));
	const erased = new Set(erasures.map(({ code }) => code));
	const notFound = [...byCode].filter(([code]) => !erased.has(code)).map(([, email]) => email);
	return { receipts, notFound };
}

async function* keysOfPages(pages: AsyncIterable<{ key: string }[]>): AsyncGenerator<string[]> {
	for await (const page of pages) yield page.map(({ key }) => key);
}

/** An erasure by age asks before it takes more people than this, and more than a tenth of the list. */
const MANY = 100;

/** For so many days nothing may happen on a list before an erasure by age doubts the clock. */
const QUIET_DAYS = 31;

/**
 * Asks before a wrong clock erases people for good.
 *
 * @throws Refusal with a sentence for the operator unless they agree
 */
async function refuseByWrongClock(
	{ database: { query }, now }: Operation,
	pages: AsyncIterable<string[]>,
): Promise<void> {
	let count = 0;
	for await (const keys of pages) count += keys.length;
	if (count === 0) return;
	const total = await countRegistrations(query);
	const lastVisit = (await visitDays(query)).at(-1)?.day ?? "";
	const latest = [await latestTrace(query), lastVisit].sort().at(-1)!;
	const isMany = count > Math.max(MANY, total / 10);
	if (!isMany && latest >= daysAfter(now.getTime(), -QUIET_DAYS)) return;
	const doubt =
		`This would erase ${number(count)} of ${number(total)} people for good. The clock says ` +
		`${shownTime(now.toISOString())}, and the latest join, email, wave or visit here is of ${latest.slice(0, 10)}.`;
	if (await operatorAgrees(`${doubt} Is the clock right, and are they to be erased?`)) return;
	throw new Refusal(`Nobody was erased. ${doubt} If the clock is right, use --yes.`);
}

const erasedBefore = (erased: number, what: string, time: string) =>
	`${erased} erased: all who ${what} before ${time}.`;

/** Erases people, a page at a time, and gives how many. */
async function erasePages(
	{ database, now, progress, note }: Operation,
	pages: AsyncIterable<string[]>,
	{ proofs, reason }: Erasing,
): Promise<number> {
	let erased = 0;
	for await (const keys of pages) {
		const also = note("people deleted", `${keys.length} by age`);
		erased += (await erasePeople(database, proofs, keys, { now, reason, also })).length;
		progress.show("erased", erased, 0);
	}
	progress.end();
	// Also when none was found: an earlier command may have been interrupted before this.
	await database.forget();
	return erased;
}

function erasedAsText({ receipts, notFound }: Receipts, dialect: Dialect): string {
	return [
		...receipts.map((receipt) => receiptAsText(receipt, dialect)),
		...notFoundAsText(notFound),
	].join("\n\n");
}
