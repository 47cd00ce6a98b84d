import { type Command, Option } from "commander";
import { canonicalizeEmail } from "#shared/email.ts";
import { emailName } from "../mail/emails/email.ts";
import {
	countAssumedSent,
	findUnsettledRestoreGap,
	readUnknownEmails,
	recordSentEmails,
	settleRestoreGap,
} from "../mail/emails/unknown-emails.ts";
import {
	countUnknownEmails,
	type EmailOverview,
	emailCountsAsText,
	readEmailOverview,
	sendingDelaysAsText,
	waitingAsText,
	warmUpAsText,
} from "../mail/overview.ts";
import { findWave, saveWave, type Wave } from "../mail/waves.ts";
import { NotFound } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { findPeople } from "../registrations/registrations.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { formatCount, formatNumber } from "../text/format-number.ts";
import { shownTime } from "../time.ts";
import { mergeWaveRequest } from "../waves/add-wave.ts";
import { databaseAction, parseWaveName, readAddresses } from "./command.ts";

export function addEmailCommands(program: Command): void {
	program
		.command("emails")
		.description("show how many emails are waiting or sent, and any pause")
		.option("--unknown", "list the emails with unknown delivery")
		.action(
			databaseAction(async ({ database, settings, now }, { unknown }) => {
				if (unknown) {
					const emails = await readUnknownEmails(database);
					const lines = emails.map(
						({ email, kind, time }) => `${shownTime(time)}  ${emailName(kind)}  ${email}`,
					);
					return { json: { emails }, text: emails.length > 0 ? lines : ["None."] };
				}
				const json = await readEmailOverview(database, settings.mail, now);
				return { json, text: emailsAsText(json) };
			}),
		);
	program
		.command("sent")
		.description("mark emails as sent after a restore, from your mail provider's log")
		.option(
			"--file <file>",
			"one address per line, or CSV with a column `email` or `recipient`; - is standard input",
		)
		.option("--wave <name>", "emails of this wave, even if it isn't in the backup", parseWaveName)
		.addOption(
			new Option("--as <kind>", "the wave's kind, if it isn't in the backup").choices([
				"invitation",
				"news",
			]),
		)
		.option("--complete", "the log is complete: send every email it does not list")
		.hook("preAction", (command) => {
			const { file, wave, as, complete } = command.opts();
			if (file === undefined && (!complete || wave !== undefined)) {
				command.error("error: give a --file, or use --complete alone");
			}
			if (as !== undefined && wave === undefined) command.error("error: --as needs a --wave");
		})
		.action(
			databaseAction(async (operation, { file, wave: name, as, complete }) => {
				const log = file === undefined ? [] : await readAddresses(file);
				const wave = name === undefined ? undefined : await findSentWave(operation, name, as);
				const { marked, notFound } = await markAsSent(operation, log, wave);
				const notSent = complete
					? await operation.database.transact(settleRestoreGap, operation.now)
					: undefined;
				const unknown = await countAssumedSent(operation.database);
				const isOpen =
					unknown > 0 || (await findUnsettledRestoreGap(operation.database)) !== undefined;
				const text = [
					`Emails marked as sent: ${formatNumber(marked)}`,
					...(notSent === undefined ? [] : [`Unsent emails queued: ${formatNumber(notSent)}`]),
					...(isOpen ? [`Emails with unknown delivery: ${formatNumber(unknown)}`] : []),
					...(isOpen ? [marked === 0 && log.length > 0 ? NOTHING : NEXT] : []),
				];
				return { json: { marked, notSent, unknown }, text, notFound };
			}),
		);
}

function emailsAsText(overview: EmailOverview): string[] {
	const { warmUp } = overview;
	const troubled = overview.troubled.map(({ email, kind, state, code, attempts, time }) => {
		const next = `${state === "deferred" ? "next attempt" : "given up"} on ${shownTime(time)}`;
		return `${emailName(kind)} to ${email}: ${code}, ${formatCount(attempts, "attempt")}, ${next}`;
	});
	return [
		waitingAsText(overview),
		...sendingDelaysAsText(overview),
		...emailCountsAsText(overview),
		...troubled,
		...(warmUp ? [warmUpAsText(warmUp)] : []),
		...(countUnknownEmails(overview) > 0
			? [
					"For emails with unknown delivery: `waitlist emails --unknown` lists them, `waitlist resend` sends one again.",
				]
			: []),
	];
}

const NOTHING =
	"No line of this log matches an email with unknown delivery. Check it before `waitlist sent --complete`, which sends all of them.";

const NEXT = "When the whole log is marked: `waitlist sent --complete`.";

/** Finds a wave. If the restored backup lacks it, adds it, so that the codes already sent work. */
function findSentWave(
	{ database, now }: Operation,
	name: string,
	kind: Wave["kind"] | undefined,
): Promise<Wave> {
	return database.transact(async (tx) => {
		const there = await findWave(tx, name);
		if (there) return there;
		if (!kind) {
			throw new NotFound(
				`There is no wave ${name}: see \`waitlist waves\`. If it was made after the backup, say ` +
					"its kind: --as invitation, or --as news.",
			);
		}
		const time = new Date((await findUnsettledRestoreGap(tx))?.from || now);
		const wave = mergeWaveRequest({ name, kind, size: 0 }, undefined, time);
		await saveWave(tx, wave);
		return wave;
	}, undefined);
}

/** Rows per transaction. Few, because joins wait while a transaction runs. */
const PAGE_ROWS = 500;

const isAddress = (text: string) => "key" in canonicalizeEmail(text, asciiDomain);

async function markAsSent(
	{ database, now }: Operation,
	log: readonly string[],
	wave: Wave | undefined,
) {
	const notFound: string[] = [];
	let marked = 0;
	for (let n = 0; n < log.length; n += PAGE_ROWS) {
		const page = log.slice(n, n + PAGE_ROWS);
		const people = await findPeople(database, page.filter(isAddress));
		marked += await database.transact(recordSentEmails, { keys: people.keys, wave, now });
		notFound.push(...people.notFound, ...page.filter((line) => !isAddress(line)));
	}
	return { marked, notFound };
}
