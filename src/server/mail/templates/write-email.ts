import type { ClaimedEmail } from "../emails/email.ts";
import type { Links } from "../links/links.ts";
import { type RenderedEmail, renderEmail } from "./render-email.ts";

export interface Making {
	links: Links;
	codeOf(invited: Pick<ClaimedEmail, "wave" | "key">): string;
}

export type Written = Pick<
	ClaimedEmail,
	"kind" | "wave" | "key" | "recipient" | "expiresAt" | "subject" | "message"
>;

/** @param now ms since 1970: links to confirm expire some days later */
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
	const founders = message.subject === "" ? {} : { message };
	return { unsubscribeUrl, ...renderEmail(kind, { ...invitation, ...founders }) };
}
