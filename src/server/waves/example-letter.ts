import { createLinks } from "../letters/links/links.ts";
import { type Written, writeLetter } from "../letters/writing/write-letter.ts";
import type { MailSettings } from "../settings.ts";
import { createCodes } from "./code.ts";

/** In place of a person: links and codes of an example are nobody's. */
const NOBODY = "0".repeat(32);

/** Writes a letter as a person would get it now. Its links lead to the page for links that are too old. */
export function writeExample(
	letter: Partial<Written> & Pick<Written, "kind">,
	mail: Pick<MailSettings, "origin" | "from" | "bounces">,
	now: Date,
) {
	const making = { links: createLinks(NOBODY, mail), codeOf: createCodes(NOBODY).codeOf };
	const person = { wave: "", key: "", recipient: NOBODY };
	const said = { expiresAt: "", subject: "", message: "" };
	return writeLetter({ ...person, ...said, ...letter }, making, now.getTime());
}
