export const linkPageNames = [
	"confirm",
	"confirmed",
	"unsubscribe",
	"unsubscribed",
	"delete",
	"deleted",
	"expired",
	"link-sent",
	"unsubscribe-form",
	"unsubscribe-sent",
	"invitation",
	"too-many",
	"unavailable",
] as const;

export type LinkPageName = (typeof linkPageNames)[number];

/** The page for expired links posts an address here. All other forms post to their own URL. */
export const NEW_LINK_PATH = "/new-link";

/** Public page that sends an unsubscribe link. Its form posts to the same URL. */
export const UNSUBSCRIBE_PATH = "/unsubscribe";

/** Form field for the pressed button. In a link it changes nothing: `?action=delete` asks for confirmation. */
export const ACTION_FIELD = "action";

/** The visitor's choice: unsubscribe, delete the record, or resubscribe. */
export const linkActions = { stop: "stop", delete: "delete", comeBack: "come back" } as const;

export const feedbackProviders = ["ses", "postmark", "resend", "mailgun"] as const;

export type FeedbackProvider = (typeof feedbackProviders)[number];

export const feedbackPath = (provider: FeedbackProvider) => `/api/feedback/${provider}`;
