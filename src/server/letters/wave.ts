/** A letter to many: an invitation has a code for each person, news say the same to everybody. */
export type WaveKind = "invitation" | "news";

/** Open: its letters go out. Cancelled: none will, and its codes are worth nothing. */
export type WaveState = "open" | "paused" | "cancelled";

/** A wave of letters. Times are ISO 8601 in UTC with milliseconds. */
export interface Wave {
	name: string;
	kind: WaveKind;
	state: WaveState;
	askedAt: string;
	/** When the operator last changed something: of two copies of a wave the later one counts. */
	changedAt: string;
	/** How many letters were asked for; 0 is one to everybody who is selected. */
	size: number;
	/** No letter goes out before. */
	startsAt: string;
	/** For so many days after its letter was sent, a code can be redeemed; 0 for news. */
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

/** Who keeps a letter from being sent, as bits of the column `held`; 0 is nobody. */
export const HELD = {
	/** The operator, or a restore, until `waitlist release`. */
	byOperator: 1,
	/** The pause of its wave, until `waitlist resume`. */
	byWave: 2,
};

/** SQL for the names of the waves in a state. */
export const wavesIn = (state: WaveState) => `(SELECT name FROM wave WHERE state = '${state}')`;

/** `code` of a letter that was taken back before it was sent: its person was not invited. */
export const TAKEN_BACK = "cancelled";

/** SQL for an invitation that counts: a person gets one, over all waves. */
export const isInvitation = (letter: string) =>
	`${letter}.kind = 'invitation' AND ${letter}.code <> '${TAKEN_BACK}'`;

/** SQL for when a letter went out, ISO 8601; '' for one that has not, or did not arrive. */
export const SENT_AT = `CASE WHEN letter.redeemed_at <> '' OR letter.state IN ('accepted', 'unknown')
	THEN letter.ended_at ELSE '' END`;

/**
 * SQL for why a letter of a wave is not sent though it was asked for, in the code of its row; '' where
 * it is. Much may happen between asking and sending: this decides.
 */
export const REASON_NOT_TO_SEND = `CASE
	WHEN letter.wave IN ${wavesIn("cancelled")} THEN '${TAKEN_BACK}'
	WHEN letter.redeemed_at <> '' THEN 'redeemed'
	ELSE COALESCE(
		(SELECT CASE WHEN left_at <> '' THEN 'left' WHEN bounced_at <> '' THEN 'bounced' END
			FROM recipient WHERE recipient.email_key = letter.email_key),
		(SELECT CASE WHEN flags <> '' THEN 'flagged' END
			FROM registration WHERE registration.email_key = letter.email_key),
		(SELECT 'invited' FROM letter AS other
			WHERE letter.kind = 'invitation' AND other.email_key = letter.email_key
				AND ${isInvitation("other")} AND other.wave <> letter.wave AND other.expires_at <> ''
				AND (other.claim <> letter.claim OR other.wave < letter.wave)
			LIMIT 1),
		'')
END`;
