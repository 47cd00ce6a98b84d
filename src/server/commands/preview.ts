import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { isRequested } from "../mail/emails/reachable.ts";
import { createSmtp } from "../mail/smtp/smtp.ts";
import type { SmtpOutcome } from "../mail/smtp/smtp-outcome.ts";
import { VALID_DAYS } from "../mail/wave/wave.ts";
import { printable } from "../printable.ts";
import { readSettings } from "../settings.ts";
import { daysAfter } from "../time.ts";
import { writeExample } from "../waves/example-email.ts";
import { readMessage } from "../waves/message-file.ts";
import { mailOf } from "./terminal/command.ts";

const kinds = ["confirm", "unsubscribe", "invitation", "news"] as const;

/** Adds `waitlist preview`: shows a letter as it is sent. */
export function addPreview(program: Command): void {
	program
		.command("preview")
		.summary("show a letter, or send it to yourself")
		.description("Shows a letter as people get it. Its links and its code belong to nobody.")
		.argument("<kind>", `which letter: ${kinds.join(", ")}`)
		.option("--message <file>", "what you wrote: news have no other words")
		.option("--html", "the HTML part instead of the text")
		.option("--to <address>", "send it there")
		.action(async (text: string, { message: file, html, to }, command: Command) => {
			const kind = kinds.find((kind) => kind === text);
			if (!kind) {
				const all = `confirm, ${kinds.slice(1).join(" and ")}`;
				command.error(`error: there is no letter ${JSON.stringify(text)}, only ${all}`);
			}
			if (isRequested(kind) ? file !== undefined : kind === "news" && file === undefined) {
				command.error(`error: ${kind === "news" ? "news need" : `${kind} takes no`} --message`);
			}
			const settings = readSettings(process.env, process.cwd());
			const mail = to === undefined ? settings.mail : mailOf(settings);
			const now = new Date();
			const expiresAt = daysAfter(now.getTime(), VALID_DAYS);
			const message = isRequested(kind) || file === undefined ? {} : await readMessage(file, kind);
			const example = writeExample({ kind, expiresAt, ...message }, mail ?? exampleMail, now);
			const { version: _, unsubscribeUrl, ...letter } = example;
			if (to === undefined || !mail) {
				const text = `Subject: ${letter.subject}\n\n${letter.text}`;
				console.log(printable(html ? letter.html : text));
				return;
			}
			const smtp = await createSmtp(mail);
			const bounces = mail.from.address;
			const id = randomBytes(16).toString("hex");
			const ids = { id, to, bounces, unsubscribeUrl, automatic: isRequested(kind) };
			const outcome = await smtp.send({ ...ids, ...letter }).finally(smtp.close);
			if (outcome.state !== "accepted") throw new Error(notSent(outcome, to));
			console.log(printable(`Sent to ${to}.`));
		});
}

function notSent({ state, code }: SmtpOutcome, to: string): string {
	if (code === "EADDRESS") return `Not sent: ${to} is no address.`;
	if (state !== "ours" && state !== "closed") return `Not sent: ${state}, ${code}.`;
	const what = state === "ours" ? "refuses us" : "cannot be reached, or is busy";
	return `Not sent: the mail server ${what} (${code}). See \`waitlist check --mail\`.`;
}

/** Where mail is off, the links of a preview lead nowhere. */
const exampleMail = {
	origin: "https://your-site.example",
	from: { name: "", address: "you@your-site.example" },
};
