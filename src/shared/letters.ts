/** What the letters' links lead to: the names that the pages and the server share. */

/** The pages behind the links of our letters, by the names of their files. */
export const letterPageNames = [
	"confirm",
	"confirmed",
	"leave",
	"left",
	"deleted",
	"expired",
	"asked",
	"invitation",
	"too-many",
	"unavailable",
] as const;

export type LetterPageName = (typeof letterPageNames)[number];

/** Where the page `expired` posts an address to. All other forms post to the page's own address. */
export const LETTER_PATH = "/letter";

/** The field of the page `leave`: which of its two buttons was pressed. */
export const LEAVE_FIELD = "action";

/** What the visitor wants who leaves: no more letters, or no more record. */
export const leaveActions = { stop: "stop", delete: "delete" } as const;
