/** An email to many: an invitation has a code for each person, news say the same to everybody. */
export type WaveKind = "invitation" | "news";

/** Open: its emails go out. Cancelled: none will, and its codes are worth nothing. */
export type WaveState = "open" | "paused" | "cancelled";

/** A wave of emails. Times are ISO 8601 in UTC with milliseconds. */
export interface Wave {
	name: string;
	kind: WaveKind;
	state: WaveState;
	askedAt: string;
	/** When the operator last changed something: of two copies of a wave the later one counts. */
	changedAt: string;
	/** How many emails were asked for; 0 is one to everybody who is selected. */
	size: number;
	/** No email goes out before. */
	startsAt: string;
	/** For so many days after its email was sent, a code can be redeemed; 0 for news. */
	validDays: number;
	/** What the operator wrote; empty where an invitation has the words of words.ts. */
	subject: string;
	message: string;
}

/** Days for which a code is good, unless the operator says otherwise. */
export const VALID_DAYS = 14;

/** Whether a text can be the name of a wave: it stands in commands, tables and metrics. */
export function isWaveName(text: string): boolean {
	return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(text);
}

/** What {@link isWaveName} asks for. */
export const WAVE_NAME_INVALID =
	"It must be 1 to 64 letters, digits, dots, hyphens and underscores, as in beta-1.";
