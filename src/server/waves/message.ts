import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { failureReason } from "../files/files.ts";
import { isRequestedEmailKind } from "../mail/emails/email.ts";
import { createEmailLinks } from "../mail/links/links.ts";
import { createSmtpClient } from "../mail/smtp/smtp.ts";
import {
	type EmailKind,
	type FounderMessage,
	invitationPlaceholders,
	parseMarkdown,
} from "../mail/templates/email-words.ts";
import { type EmailToRender, renderForRecipient } from "../mail/templates/render-email.ts";
import type { Wave } from "../mail/waves.ts";
import { Refusal } from "../refusal.ts";
import type { MailSettings } from "../settings.ts";
import { daysAfter } from "../time.ts";
import { createInvitationCoder } from "./code.ts";

/** Gmail cuts off longer emails. */
export const MOST_MESSAGE_BYTES = 50_000;

const LONGEST_SUBJECT = 150;

/** Mail apps show control characters differently. U+FFFD replaces invalid UTF-8. */
const NO_TEXT = /(?![\t\n])\p{Cc}|\uFFFD/u;

/** Returns why a wave email cannot be sent. @param line line of the file in which the message starts */
export function messageProblem(
	{ subject, message }: FounderMessage,
	kind: Wave["kind"],
	line = 1,
): string | undefined {
	const text = `${subject}\n${message}`;
	if (Buffer.byteLength(text) > MOST_MESSAGE_BYTES)
		return `it is larger than ${MOST_MESSAGE_BYTES / 1000} kB`;
	if (NO_TEXT.test(text)) return "it is not text in UTF-8";
	if (subject.length > LONGEST_SUBJECT) {
		return `its subject is longer than ${LONGEST_SUBJECT} characters`;
	}
	const known: readonly string[] = kind === "invitation" ? invitationPlaceholders : [];
	for (const [place, name] of text.matchAll(/\{([^{}\n]*)\}/g)) {
		if (known.includes(name!)) continue;
		const can =
			kind === "invitation" ? "use only {link}, {code} and {expires}" : "news emails have none";
		return `${place} is not a placeholder: ${can}`;
	}
	try {
		parseMarkdown(message, line);
	} catch (error) {
		return (error as Error).message;
	}
	return undefined;
}

/** Reads the founder's file: a line `Subject: …`, an empty line, and paragraphs. */
export async function readFounderMessage(
	file: string,
	kind: Wave["kind"],
): Promise<FounderMessage> {
	// Stops at the limit, because the file may be an endless device.
	const reading: Promise<Buffer[]> = createReadStream(file, { end: MOST_MESSAGE_BYTES }).toArray();
	const bytes = Buffer.concat(
		await reading.catch((error: unknown) => {
			throw new Error(`${file} cannot be read: ${failureReason(error)}.`, { cause: error });
		}),
	);
	const refuse = (problem: string) => new Error(`${file} cannot be sent: ${problem}.`);
	if (bytes.length > MOST_MESSAGE_BYTES)
		throw refuse(`it is larger than ${MOST_MESSAGE_BYTES / 1000} kB`);
	const text = bytes.toString("utf8").replace(/\r\n?/g, "\n");
	const [, subject = "", rest = ""] = /^\s*Subject:([^\n]*)\n[^\S\n]*\n(.*)$/is.exec(text) ?? [];
	const read = { subject: subject.trim(), message: rest.trim() };
	if (read.subject === "" || read.message === "") {
		throw refuse("it must start with a line `Subject: …`, an empty line, and then paragraphs");
	}
	const before = text.slice(0, text.indexOf(read.message, text.length - rest.length));
	const problem = messageProblem(read, kind, before.split("\n").length);
	if (problem !== undefined) throw refuse(problem);
	return read;
}

export const EXAMPLE_NOTICE = "The links, and any code, are examples and don't work.";

const NOBODY = "0".repeat(32);

type Sender = Pick<MailSettings, "origin" | "from">;

export function renderWaveExample(wave: Wave, mail: Sender, now: Date) {
	const start = Math.max(now.getTime(), Date.parse(wave.startsAt));
	const expiresAt = daysAfter(start, wave.validDays);
	return renderExample({ ...wave, wave: wave.name, expiresAt }, mail, now);
}

export function renderExample(
	email: Partial<EmailToRender> & Pick<EmailToRender, "kind">,
	mail: Sender,
	now: Date,
) {
	const making = {
		links: createEmailLinks(NOBODY, mail),
		codeOf: createInvitationCoder(NOBODY).codeOf,
	};
	const nobody = { wave: "", key: "", recipient: NOBODY, expiresAt: "", subject: "", message: "" };
	return renderForRecipient({ ...nobody, ...email }, making, now.getTime());
}

export async function sendTestEmail(
	mail: MailSettings,
	{ version: _, ...email }: ReturnType<typeof renderExample>,
	kind: EmailKind,
	to: string,
): Promise<void> {
	const smtp = await createSmtpClient(mail);
	const id = randomBytes(16).toString("hex");
	const about = { id, to, automatic: isRequestedEmailKind(kind) };
	const { state, code } = await smtp.send({ ...about, ...email }).finally(smtp.close);
	if (state === "accepted") return;
	if (code === "EADDRESS") throw new Refusal(`Not sent: ${to} is not an address.`);
	if (state === "unknown") {
		throw new Refusal(
			`The connection was lost while sending (${code}). Check your inbox before you try again.`,
		);
	}
	if (state !== "ours" && state !== "closed") throw new Refusal(`Not sent: ${state}, ${code}.`);
	const what = state === "ours" ? "refuses us" : "cannot be reached or is busy";
	throw new Refusal(`Not sent: the mail server ${what} (${code}). See \`waitlist check --mail\`.`);
}
