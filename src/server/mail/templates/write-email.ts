import type { ClaimedEmail } from "../emails/email.ts";
import type { Links } from "../links/links.ts";
import { type RenderedEmail, renderEmail } from "./render-email.ts";

/** What makes the links and codes in emails. */
export interface Making {
	links: Links;
	/** Makes the code of an invitation: codes are made and recognized by waves/code.ts. */
	codeOf(invited: Pick<ClaimedEmail, "wave" | "key">): string;
}

/** What the words of an email depend on. */
export type Written = Pick<
	ClaimedEmail,
	"kind" | "wave" | "key" | "recipient" | "expiresAt" | "subject" | "message"
>;

/**
 * Writes an email to its person.
 *
 * @param now ms since 1970: links to confirm begin their days then
 */
export function writeEmail(
	{ kind, wave, key, recipient, expiresAt, ...written }: Written,
	{ links, codeOf }: Making,
	now: number,
): RenderedEmail & { unsubscribeUrl: string } {
	const unsubscribeUrl = links.unsubscribeUrl(recipient);
	const message = { subject: written.subject, message: written.message };
	if (kind === "confirm") {
		const confirmUrl = links.confirmUrl(recipient, now);
		return { unsubscribeUrl, ...renderEmail(kind, { confirmUrl, unsubscribeUrl }) };
	}
	if (kind === "unsubscribe") return { unsubscribeUrl, ...renderEmail(kind, { unsubscribeUrl }) };
	if (kind === "news") return { unsubscribeUrl, ...renderEmail(kind, { message, unsubscribeUrl }) };
	const code = codeOf({ wave, key });
	const invitation = { code, link: links.invitationUrl(code), expiresAt, unsubscribeUrl };
	const ours = message.subject === "";
	return {
		unsubscribeUrl,
		...renderEmail(kind, ours ? invitation : { ...invitation, message }),
	};
}
