import { type Command, Option } from "commander";
import { requestConfirmations } from "../mail/emails/requests.ts";
import { refuseWhileEmailsUnknown } from "../mail/emails/unknown-emails.ts";
import {
	clearMatchingBounces,
	personActions,
	resendUnknownEmails,
} from "../mail/people/actions.ts";
import { deletionsAsText, personAsText, readPerson } from "../mail/people/record.ts";
import { BURST_FLAG } from "../registrations/flags.ts";
import type { Operation } from "../registrations/operation.ts";
import { emailKeyOf, findPeople } from "../registrations/registrations.ts";
import { formatNumber } from "../text/format-number.ts";
import { printableLine } from "../text/printable.ts";
import { isDay } from "../time.ts";
import {
	DESPITE_GAP_HELP,
	databaseAction,
	EXIT_CODES,
	optionParser,
	parseSourceLabel,
	requireAddressesOr,
} from "./command.ts";

const SENT = "`waitlist emails` shows when they go out.";

const RESULTS = {
	confirm: [
		"confirmations",
		"Flag removed or confirmation queued",
		"Confirmed people are only unflagged. `waitlist emails` shows when emails go out.",
	],
	resend: ["resent", "Emails queued again", SENT],
	unsubscribe: [
		"unsubscribed",
		"Unsubscribed",
		'Only they can undo this: they open the unsubscribe link in an earlier email, press "Unsubscribe", then "Resubscribe".',
	],
	block: ["blocked", "Blocked", "`waitlist unblock` undoes it."],
	unblock: ["unblocked", "Unblocked", "`waitlist confirm` or `waitlist resend` sends an email."],
} as const;

export function addPeopleCommands(program: Command): void {
	program
		.command("find <email>")
		.description("look up a person by any spelling of their address")
		.option("--texts", "print the texts they were shown, too")
		.action(
			databaseAction(async (operation, email: string, { texts = false }) => {
				const person = await readPerson(operation, emailKeyOf(email));
				const { registration, sameMailbox } = person;
				const text = [
					registration ? personAsText(person, texts).trimEnd() : "Not on the waitlist.",
					...deletionsAsText(person),
					...sameMailbox.map((key) => `Same mailbox: ${printableLine(key)}`),
				];
				return { json: person, text, exit: registration ? EXIT_CODES.done : EXIT_CODES.notFound };
			}),
		);
	program
		.command("confirm [emails...]")
		.description(
			"send the confirmation email to people who never got one, such as imported or flagged people (removes the flag)",
		)
		.addOption(new Option("--flag <flag>", "people who joined in a burst").choices([BURST_FLAG]))
		.option(
			"--source <label>",
			"people from this source who are not flagged (or who have the --flag)",
			parseSourceLabel,
		)
		.option("--all", "everyone who never got one and is not flagged")
		.option("--despite-gap", DESPITE_GAP_HELP)
		.option("--dry-run", "only count them")
		.hook("preAction", requireAddressesOr("flag", "source", "all"))
		.action(
			databaseAction(async (operation, emails: string[], options) => {
				const { dryRun = false, despiteGap = false, flag, source } = options;
				if (emails.length > 0 && !dryRun) return changePeople("confirm")(operation, emails);
				const { keys, notFound } = await findPeople(operation.database, emails);
				const chosen = { ...(flag && { burst: true }), ...(source && { source }) };
				if (!dryRun && !despiteGap) await refuseWhileEmailsUnknown(operation.database);
				const { count: confirmations } = await requestConfirmations(
					operation,
					emails.length > 0 ? { keys } : chosen,
					{ dryRun, also: operation.note("confirmation sent", "by filter") },
				);
				return {
					json: { confirmations },
					text: [
						`Confirmation emails${dryRun ? " that would go out" : ""}: ${formatNumber(confirmations)}`,
						...(confirmations === 0 ? [NOBODY] : dryRun ? [] : [SENT]),
					],
					notFound,
				};
			}),
		);
	program
		.command("resend [emails...]")
		.description(
			"resend undelivered emails, emails with unknown delivery, or the confirmation (up to three times)",
		)
		.option("--unknown", "all emails with unknown delivery (may send duplicates)")
		.hook("preAction", requireAddressesOr("unknown"))
		.action(
			databaseAction(async (operation, emails: string[]) => {
				if (emails.length > 0) return changePeople("resend")(operation, emails);
				const { length: resent } = await resendUnknownEmails(operation);
				return { json: { resent }, text: [`Emails queued again: ${formatNumber(resent)}`] };
			}),
		);
	program
		.command("unblock [emails...]")
		.description("remove flags and bounces: sends nothing")
		.option(
			"--bounced <reply>",
			"everyone who bounced with this reply, such as 5.1.1, or on this UTC day, such as 2026-11-21 (flags are kept)",
			replyOrDay,
		)
		.hook("preAction", requireAddressesOr("bounced"))
		.action(
			databaseAction(async (operation, emails: string[], { bounced }) => {
				if (emails.length > 0) return changePeople("unblock")(operation, emails);
				const { length: unblocked } = await clearMatchingBounces(operation, bounced);
				const text = [`Unblocked: ${formatNumber(unblocked)}`, RESULTS.unblock[2]];
				return { json: { unblocked }, text };
			}),
		);
	program
		.command("unsubscribe <emails...>")
		.description("unsubscribe people at their request: only they can undo it")
		.action(databaseAction(changePeople("unsubscribe")));
	program
		.command("block <emails...>")
		.description("send these people no email until `waitlist unblock`")
		.action(databaseAction(changePeople("block")));
}

const replyOrDay = optionParser(
	(text) => (isDay(text) || /^(?:(?:\d{3}|later) )?5\.\d{1,3}\.\d{1,3}$/.test(text)) && text,
	"It must be a reply code, such as 5.1.1, or a day, such as 2026-11-21.",
);

const NOBODY =
	"No one matches, or they already got one, confirmed, unsubscribed or bounced. `waitlist resend` with an " +
	"address sends another.";

const changePeople =
	(action: keyof typeof RESULTS) => async (operation: Operation, emails: readonly string[]) => {
		const { keys, notFound } = await findPeople(operation.database, emails);
		const changed = new Set(await personActions[action](operation, keys));
		const unchanged = keys.filter((key) => !changed.has(key));
		const [name, title, next] = RESULTS[action];
		const text = [
			`${title}: ${changed.size}`,
			...(changed.size > 0 ? [next] : []),
			...unchanged.map((key) => `Not changed: ${key}. \`waitlist find ${key}\` shows why.`),
		];
		return { json: { [name]: changed.size, unchanged }, text, notFound };
	};
