import type { Command } from "commander";
import { isRequested } from "../mail/emails/reachable.ts";
import { VALID_DAYS } from "../mail/wave/wave.ts";
import { printable } from "../printable.ts";
import { readSettings } from "../settings.ts";
import { daysAfter } from "../time.ts";
import { writeExample } from "../waves/example-email.ts";
import { readMessage } from "../waves/message.ts";
import { sendTestEmail } from "../waves/test-email.ts";
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
			if (to === undefined || !mail) {
				const text = `Subject: ${example.subject}\n\n${example.text}`;
				console.log(printable(html ? example.html : text));
				return;
			}
			await sendTestEmail(mail, example, kind, to);
			console.log(printable(`Sent to ${to}.`));
		});
}

/** Where mail is off, the links of a preview lead nowhere. */
const exampleMail = {
	origin: "https://your-site.example",
	from: { name: "", address: "you@your-site.example" },
};
