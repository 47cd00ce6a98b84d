import type { TakenLetter } from "../emails/letter.ts";
import type { Links } from "../links/links.ts";
import { type Letter, renderLetter } from "./render-letter.ts";

/** What makes the links and codes in letters. */
export interface Making {
	links: Links;
	/** Makes the code of an invitation: codes are made and recognized by waves/code.ts. */
	codeOf(invited: Pick<TakenLetter, "wave" | "key">): string;
}

/** What a letter says depends on. */
export type Written = Pick<
	TakenLetter,
	"kind" | "wave" | "key" | "recipient" | "expiresAt" | "subject" | "message"
>;

/**
 * Writes a letter for its person.
 *
 * @param now ms since 1970: links to confirm begin their days then
 */
export function writeLetter(
	{ kind, wave, key, recipient, expiresAt, ...written }: Written,
	{ links, codeOf }: Making,
	now: number,
): Letter & { leaveUrl: string } {
	const leaveUrl = links.leaveUrl(recipient);
	const message = { subject: written.subject, message: written.message };
	if (kind === "confirm") {
		const confirmUrl = links.confirmUrl(recipient, now);
		return { leaveUrl, ...renderLetter(kind, { confirmUrl, leaveUrl }) };
	}
	if (kind === "unsubscribe")
		return { leaveUrl, ...renderLetter(kind, { unsubscribeUrl: leaveUrl, leaveUrl }) };
	if (kind === "news") return { leaveUrl, ...renderLetter(kind, { message, leaveUrl }) };
	const code = codeOf({ wave, key });
	const invitation = { code, link: links.invitationUrl(code), expiresAt, leaveUrl };
	const ours = message.subject === "";
	return {
		leaveUrl,
		...renderLetter(kind, ours ? invitation : { ...invitation, message }),
	};
}
