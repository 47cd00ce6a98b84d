import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { createLinks } from "../letters/links.ts";
import { renderLetter } from "../letters/render-letter.ts";
import { createSmtp, type Outcome } from "../letters/smtp.ts";
import { readSettings } from "../settings.ts";
import { mailOf } from "./operation.ts";

/** In place of a person: the links of a preview lead to the page for links that are too old. */
const NOBODY = "0".repeat(32);

/** Adds `waitlist preview`: shows a letter as it is sent. */
export function addPreview(program: Command): void {
	program
		.command("preview")
		.summary("show a letter, or send it to yourself")
		.description(
			"Shows a letter as people get it. Its links belong to nobody. What it says stands in " +
				"src/server/letters/words.ts.",
		)
		.argument("<kind>", "which letter: confirm")
		.option("--html", "the HTML part instead of the text")
		.option("--to <address>", "send it there")
		.action(async (kind: string, { html, to }, command: Command) => {
			if (kind !== "confirm") {
				command.error(`error: there is no letter ${JSON.stringify(kind)}, only confirm`);
			}
			const settings = readSettings(process.env, process.cwd());
			const mail = to === undefined ? settings.mail : mailOf(settings);
			const links = createLinks(NOBODY, mail ?? exampleMail);
			const leaveUrl = links.leaveUrl(NOBODY);
			const confirmUrl = links.confirmUrl(NOBODY, Date.now());
			const { version: _, ...letter } = renderLetter("confirm", { confirmUrl, leaveUrl });
			if (to === undefined || !mail) {
				console.log(html ? letter.html : `Subject: ${letter.subject}\n\n${letter.text}`);
				return;
			}
			const smtp = await createSmtp(mail);
			const bounces = mail.from.address;
			const id = randomBytes(16).toString("hex");
			const ids = { id, to, bounces, leaveUrl, automatic: true };
			const outcome = await smtp.send({ ...ids, ...letter }).finally(smtp.close);
			if (outcome.state !== "accepted") throw new Error(notSent(outcome, to));
			console.log(`Sent to ${to}.`);
		});
}

function notSent({ state, code }: Outcome, to: string): string {
	if (code === "EADDRESS") return `Not sent: ${to} is no address.`;
	if (state !== "ours" && state !== "closed") return `Not sent: ${state}, ${code}.`;
	const what = state === "ours" ? "refuses us" : "cannot be reached, or is busy";
	return `Not sent: the mail server ${what} (${code}). See \`waitlist check --mail\`.`;
}

/** Where mail is off, the links of a preview lead nowhere. */
const exampleMail = {
	origin: "https://your-site.example",
	from: { name: "", address: "you@your-site.example" },
	bounces: undefined,
};
