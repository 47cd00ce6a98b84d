/** What the links in emails lead to: the names that the pages and the server share. */

/** The pages behind those links, by the names of their files. */
export const linkPageNames = [
	"confirm",
	"confirmed",
	"leave",
	"left",
	"delete",
	"deleted",
	"expired",
	"asked",
	"unsubscribe",
	"unsubscribe-sent",
	"invitation",
	"too-many",
	"unavailable",
] as const;

export type LinkPageName = (typeof linkPageNames)[number];

/** Where the page `expired` posts an address to. All other forms post to the page's own address. */
export const NEW_LINK_PATH = "/new-link";

/** Where anybody asks for a link to unsubscribe. The page posts to itself. */
export const UNSUBSCRIBE_PATH = "/unsubscribe";

/**
 * The field of the pages `leave`, `delete` and `left`: which of their buttons was pressed. In an address it
 * only asks for the page `delete`, which asks once more.
 */
export const ACTION_FIELD = "action";

/** What the visitor wants: no more emails, no more record, or emails again after they unsubscribed. */
export const linkActions = { stop: "stop", delete: "delete", comeBack: "come back" } as const;

/** The providers of mail that report bounces and complaints. */
export const feedbackProviders = ["ses", "postmark", "resend", "mailgun"] as const;

export type FeedbackProvider = (typeof feedbackProviders)[number];

/** Where a provider reports to. */
export const feedbackPath = (provider: FeedbackProvider) => `/api/feedback/${provider}`;
