import { type Command, InvalidArgumentError } from "commander";
import { invitedRetentionDays, waitlistRetentionMonths } from "#shared/retention.ts";
import { keysOf } from "../database/sql.ts";
import { readInvitedKeyPages } from "../mail/emails/invitations.ts";
import { readLatestActivity } from "../mail/emails/unknown-emails.ts";
import {
	DELETED_ON_REQUEST,
	deleteNamedPeople,
	deletePeople,
	deletionReasonProblem,
	deletionReceiptAsText,
} from "../mail/people/delete-people.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { countRegistrations } from "../registrations/people.ts";
import { emailKeyOf, readRegistrationsByJoinTime } from "../registrations/registrations.ts";
import { openSuppressionList } from "../registrations/suppression/suppression-list.ts";
import { formatNumber } from "../text/format-number.ts";
import { daysAfter, monthsBefore, shownTime } from "../time.ts";
import { databaseAction, parseDays, wholeNumberParser } from "./command.ts";

export function addDeleteCommand(program: Command): void {
	program
		.command("delete [emails...]")
		.description("permanently delete people: prints a receipt, and keeps a hash")
		.option("--reason <text>", "kept with the hash", parseReason, DELETED_ON_REQUEST)
		.option(
			"--older-than <months>",
			`everyone who joined at least this many months ago (the privacy policy says ${waitlistRetentionMonths})`,
			wholeNumberParser(99_999),
		)
		.option(
			"--invited-before <days>",
			`everyone invited at least this long ago, such as 30d (the policy says ${invitedRetentionDays}d)`,
			parseDays,
		)
		.option(
			"--yes",
			"skip the safety check for large deletions: check the clock of this machine first",
		)
		.hook("preAction", (command) => {
			const { olderThan, invitedBefore } = command.opts();
			const ways = [command.args[0], olderThan, invitedBefore];
			if (ways.filter((way) => way !== undefined).length === 1) return;
			command.error(
				"error: give the addresses to delete, or use --older-than or --invited-before, but only one",
			);
		})
		.action(
			databaseAction(async (operation, emails: string[], options) => {
				const { database, now } = operation;
				const { reason, olderThan, invitedBefore, yes } = options;
				if (emails.length > 0) {
					const named = new Map(emails.map((email) => [emailKeyOf(email), email]));
					const { receipts, notFound } = await deleteNamedPeople(operation, named, reason);
					const text = receipts.flatMap((receipt) => [deletionReceiptAsText(receipt), ""]);
					if (notFound.length === 0) text.pop();
					return { json: { receipts }, text, notFound };
				}
				const pages = () =>
					olderThan === undefined
						? readInvitedKeyPages(database, daysAfter(now.getTime(), -invitedBefore))
						: readRegistrationsByJoinTime(database, { until: monthsBefore(now, olderThan) });
				if (!yes) await refuseDoubtfulDeletion(operation, pages());
				const deleted = await deletePages(operation, pages(), reason);
				return { json: { deleted }, text: [`${formatNumber(deleted)} deleted.`] };
			}),
		);
}

function parseReason(text: string): string {
	const wrong = deletionReasonProblem(text);
	if (wrong) throw new InvalidArgumentError(wrong);
	return text;
}

/** A deletion that exceeds both this number and a tenth of the list needs --yes. */
const MANY = 100;

/** After this many days without a join, email or wave, the clock may be wrong. */
const QUIET_DAYS = 31;

type Pages = AsyncIterable<readonly { key: string }[]>;

/** Requires --yes for deletions that a wrong clock may have caused. */
async function refuseDoubtfulDeletion({ database, now }: Operation, pages: Pages): Promise<void> {
	let count = 0;
	for await (const page of pages) count += page.length;
	const total = await countRegistrations(database);
	const isQuiet = (await readLatestActivity(database)) < daysAfter(now.getTime(), -QUIET_DAYS);
	if (count === 0 || (count <= Math.max(MANY, total / 10) && !isQuiet)) return;
	throw new Refusal(
		`No one was deleted. This would delete ${formatNumber(count)} of ${formatNumber(total)} people for good. Check ` +
			`the clock, which says ${shownTime(now.toISOString())}. If it is right, use --yes.`,
	);
}

async function deletePages(
	{ database, places, now, note }: Operation,
	pages: Pages,
	reason: string,
): Promise<number> {
	const list = await openSuppressionList(database, places);
	let deleted = 0;
	for await (const page of pages) {
		const keys = keysOf(page);
		const also = note("people deleted", `${keys.length} by age`);
		deleted += (await deletePeople(database, list, keys, { now, reason, also })).length;
	}
	await database.forget();
	return deleted;
}
