import { randomBytes } from "node:crypto";
import { isRequested } from "../mail/emails/may-get.ts";
import { createSmtp } from "../mail/smtp/smtp.ts";
import type { EmailKind } from "../mail/templates/words.ts";
import { Refusal } from "../refusal.ts";
import type { MailSettings } from "../settings.ts";
import type { writeExample } from "./example-email.ts";

/**
 * Sends an example to the founder, beside the outbox.
 *
 * @throws Refusal with a sentence for the founder unless the mail server accepted it
 */
export async function sendTestEmail(
	mail: MailSettings,
	{ version: _, unsubscribeUrl, ...email }: ReturnType<typeof writeExample>,
	kind: EmailKind,
	to: string,
): Promise<void> {
	const smtp = await createSmtp(mail);
	const id = randomBytes(16).toString("hex");
	const ids = { id, to, bounces: mail.from.address, unsubscribeUrl, automatic: isRequested(kind) };
	const { state, code } = await smtp.send({ ...ids, ...email }).finally(smtp.close);
	if (state === "accepted") return;
	if (code === "EADDRESS") throw new Refusal(`Not sent: ${to} is not an address.`);
	if (state !== "ours" && state !== "closed") throw new Refusal(`Not sent: ${state}, ${code}.`);
	const what = state === "ours" ? "refuses us" : "cannot be reached, or is busy";
	throw new Refusal(`Not sent: the mail server ${what} (${code}). See \`waitlist check --mail\`.`);
}
