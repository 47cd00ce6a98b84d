import { type Command, InvalidArgumentError, Option } from "commander";
import { askToConfirm } from "../mail/emails/ask-to-confirm.ts";
import { refuseInGap } from "../mail/emails/gaps.ts";
import { actions, resendUnknown, unbounceAll } from "../mail/people/actions.ts";
import { BURST } from "../registrations/flags.ts";
import type { Operation } from "../registrations/operation.ts";
import { findPeople } from "../registrations/registrations.ts";
import { figure } from "../text/figure.ts";
import { isDay } from "../time.ts";
import {
	DESPITE_GAP_HELP,
	EXIT,
	notFoundAsText,
	print,
	sourceLabel,
	withDatabase,
} from "./command.ts";

const SENT = "They go out as the sending rate allows: see `waitlist emails`.";

/** The name of each action in JSON and in words, and its next step. */
const RESULTS = {
	confirm: ["confirmations", "Confirmation emails", SENT],
	resend: ["resent", "Emails sent again", SENT],
	unsubscribe: ["unsubscribed", "Unsubscribed", "Only they can undo it, by a link in an email."],
	block: ["blocked", "Blocked", "`waitlist unblock` undoes it."],
	unblock: ["unblocked", "Unblocked", "`waitlist confirm` or `waitlist resend` sends an email."],
} as const;

export function addPeople(program: Command): void {
	program
		.command("confirm [emails...]")
		.description(
			"send the confirmation email to people who never got one: imported or flagged, who lose the flag",
		)
		.addOption(new Option("--flag <flag>", "people of a burst").choices([BURST]))
		.option("--source <label>", "people from this source", sourceLabel)
		.option("--all", "everybody who never got one and is not flagged")
		.option("--despite-gap", DESPITE_GAP_HELP)
		.option("--dry-run", "only count them")
		.action(async (emails: string[], options, command: Command) => {
			const { json, dryRun = false, despiteGap = false, flag, source, all } = options;
			const isChoosing = Boolean(source || flag || all);
			if (isChoosing === emails.length > 0) {
				command.error("error: name addresses, or choose by options, but not both");
			}
			if (dryRun && !isChoosing) {
				command.error("error: --dry-run counts people chosen by options");
			}
			await withDatabase(async (operation) => {
				if (!isChoosing) return changePeople(operation, "confirm", emails, json);
				if (!dryRun && !despiteGap) await refuseInGap(operation.database);
				const { count: confirmations } = await askToConfirm(
					operation,
					{ ...(flag && { burst: true }), ...(source && { source }) },
					{ dryRun, also: operation.note("confirmation sent", "by options") },
				);
				print(json, { confirmations }, () =>
					[
						`Confirmation emails${dryRun ? " that would go out" : ""}: ${figure(confirmations)}`,
						...(confirmations === 0 ? [NOBODY] : dryRun ? [] : [SENT]),
					].join("\n"),
				);
			});
		});
	program
		.command("resend [emails...]")
		.description(
			"send again what was refused or may not have arrived, or the confirmation, three in all",
		)
		.option("--unknown", "all emails that may not have arrived: some people may get theirs twice")
		.action(async (emails: string[], { unknown = false, json }, command: Command) => {
			if (emails.length > 0 === unknown) {
				command.error("error: name addresses, or use --unknown, but not both");
			}
			await withDatabase(async (operation) => {
				if (!unknown) return changePeople(operation, "resend", emails, json);
				const { length: resent } = await resendUnknown(operation);
				print(json, { resent }, () => `Emails sent again: ${figure(resent)}`);
			});
		});
	program
		.command("unblock [emails...]")
		.description("remove any flag and the mark that an address bounced: sends nothing")
		.option(
			"--bounced <reply>",
			"everybody who bounced by this reply, as in 5.1.1, or on this day, as in 2026-11-21: their flags stay",
			parseBounced,
		)
		.action(async (emails: string[], { bounced, json }, command: Command) => {
			if (emails.length > 0 === (bounced !== undefined)) {
				command.error("error: name addresses, or use --bounced, but not both");
			}
			await withDatabase(async (operation) => {
				if (bounced === undefined) return changePeople(operation, "unblock", emails, json);
				const { length: unblocked } = await unbounceAll(operation, bounced);
				print(json, { unblocked }, () => `Unblocked: ${figure(unblocked)}\n${RESULTS.unblock[2]}`);
			});
		});
	const descriptions = {
		unsubscribe: "unsubscribe people who asked you to: only they can undo it",
		block: "send these people no email until `waitlist unblock`",
	} as const;
	for (const [action, description] of Object.entries(descriptions)) {
		program
			.command(`${action} <emails...>`)
			.description(description)
			.action((emails: string[], { json }) =>
				withDatabase((operation) =>
					changePeople(operation, action as keyof typeof descriptions, emails, json),
				),
			);
	}
}

/** Reads the codes of a reply, or a day. */
function parseBounced(text: string): string {
	if (isDay(text) || /^(?:(?:\d{3}|later) )?5\.\d{1,3}\.\d{1,3}$/.test(text)) return text;
	throw new InvalidArgumentError(
		"It must be the codes of a reply, as in 5.1.1, or a day, as in 2026-11-21.",
	);
}

const NOBODY =
	"Everyone who fits has had one, or has confirmed, unsubscribed or bounced. `waitlist resend` with an " +
	"address sends another.";

/** Changes named people, and names those it did not change. */
async function changePeople(
	operation: Operation,
	action: keyof typeof RESULTS,
	emails: readonly string[],
	json: boolean | undefined,
): Promise<void> {
	const { keys, notFound } = await findPeople(operation.database, emails);
	const changed = new Set(await actions[action](operation, keys));
	const unchanged = keys.filter((key) => !changed.has(key));
	const [name, title, next] = RESULTS[action];
	print(json, { [name]: changed.size, unchanged, notFound }, () =>
		[
			`${title}: ${changed.size}`,
			...(changed.size > 0 ? [next] : []),
			...unchanged.map((key) => `Not changed: ${key}. \`waitlist find ${key}\` shows why.`),
			...notFoundAsText(notFound),
		].join("\n"),
	);
	if (notFound.length > 0) process.exitCode = EXIT.notFound;
}
