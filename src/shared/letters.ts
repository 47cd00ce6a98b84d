/** What the letters' links lead to: the names that the pages and the server share. */

/** The pages behind the links of our letters, by the names of their files. */
export const letterPageNames = [
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

export type LetterPageName = (typeof letterPageNames)[number];

/** Where the page `expired` posts an address to. All other forms post to the page's own address. */
export const LETTER_PATH = "/letter";

/** Where anybody asks for a link to unsubscribe. The page posts to itself. */
export const UNSUBSCRIBE_PATH = "/unsubscribe";

/**
 * The field of the pages `leave`, `delete` and `left`: which of their buttons was pressed. In an address it
 * only asks for the page `delete`, which asks once more.
 */
export const LEAVE_FIELD = "action";

/** What the visitor wants: no more letters, no more record, or letters again after they left. */
export const leaveActions = { stop: "stop", delete: "delete", comeBack: "come back" } as const;

/** The providers of mail that report bounces and complaints. */
export const feedbackProviders = ["ses", "postmark", "resend", "mailgun"] as const;

export type FeedbackProvider = (typeof feedbackProviders)[number];

/** Where a provider reports to. */
export const feedbackPath = (provider: FeedbackProvider) => `/api/feedback/${provider}`;
