import { randomBytes } from "node:crypto";
import { isRequested } from "../mail/emails/email.ts";
import { createLinks } from "../mail/links/links.ts";
import { createSmtp } from "../mail/smtp/smtp.ts";
import { type Written, writeEmail } from "../mail/templates/render-email.ts";
import type { EmailKind } from "../mail/templates/words.ts";
import type { Wave } from "../mail/waves.ts";
import { Refusal } from "../refusal.ts";
import type { MailSettings } from "../settings.ts";
import { daysAfter } from "../time.ts";
import { createCodes } from "./code.ts";

/** Links and codes of an example are nobody's. */
const NOBODY = "0".repeat(32);

type Sender = Pick<MailSettings, "origin" | "from">;

export function writeExampleOf(wave: Wave, mail: Sender, now: Date) {
	const start = Math.max(now.getTime(), Date.parse(wave.startsAt));
	const expiresAt = daysAfter(start, wave.validDays);
	return writeExample({ ...wave, wave: wave.name, expiresAt }, mail, now);
}

export function writeExample(
	email: Partial<Written> & Pick<Written, "kind">,
	mail: Sender,
	now: Date,
) {
	const making = { links: createLinks(NOBODY, mail), codeOf: createCodes(NOBODY).codeOf };
	const nobody = { wave: "", key: "", recipient: NOBODY, expiresAt: "", subject: "", message: "" };
	return writeEmail({ ...nobody, ...email }, making, now.getTime());
}

export async function sendTestEmail(
	mail: MailSettings,
	{ version: _, ...email }: ReturnType<typeof writeExample>,
	kind: EmailKind,
	to: string,
): Promise<void> {
	const smtp = await createSmtp(mail);
	const id = randomBytes(16).toString("hex");
	const about = { id, to, automatic: isRequested(kind) };
	const { state, code } = await smtp.send({ ...about, ...email }).finally(smtp.close);
	if (state === "accepted") return;
	if (code === "EADDRESS") throw new Refusal(`Not sent: ${to} is not an address.`);
	if (state !== "ours" && state !== "closed") throw new Refusal(`Not sent: ${state}, ${code}.`);
	const what = state === "ours" ? "refuses us" : "cannot be reached, or is busy";
	throw new Refusal(`Not sent: the mail server ${what} (${code}). See \`waitlist check --mail\`.`);
}
