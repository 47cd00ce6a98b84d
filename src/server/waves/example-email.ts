import { createLinks } from "../mail/links/links.ts";
import { type Written, writeEmail } from "../mail/templates/write-email.ts";
import type { Wave } from "../mail/wave/wave.ts";
import type { MailSettings } from "../settings.ts";
import { daysAfter } from "../time.ts";
import { createCodes } from "./code.ts";

/** In place of a person: links and codes of an example are nobody's. */
const NOBODY = "0".repeat(32);

/** Writes an email of a wave, with a code that is good for the wave's days after its first email can go out. */
export function writeExampleOf(wave: Wave, mail: Pick<MailSettings, "origin" | "from">, now: Date) {
	const start = Math.max(now.getTime(), Date.parse(wave.startsAt));
	const expiresAt = daysAfter(start, wave.validDays);
	return writeExample({ ...wave, wave: wave.name, expiresAt }, mail, now);
}

/** Writes an email as a person would get it now. Its links lead to the page for links that are too old. */
export function writeExample(
	letter: Partial<Written> & Pick<Written, "kind">,
	mail: Pick<MailSettings, "origin" | "from">,
	now: Date,
) {
	const making = { links: createLinks(NOBODY, mail), codeOf: createCodes(NOBODY).codeOf };
	const person = { wave: "", key: "", recipient: NOBODY };
	const said = { expiresAt: "", subject: "", message: "" };
	return writeEmail({ ...person, ...said, ...letter }, making, now.getTime());
}
