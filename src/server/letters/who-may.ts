/**
 * Who gets letters, each rule once, in SQL: whoever writes a letter decides in the same statement.
 * What keeps people from a wave besides is in eligibility.ts.
 */

/** SQL for the recipient of a row's person, for EXISTS. Who was never written to may have none. */
export const personOf = (row: "letter" | "registration") =>
	`SELECT 1 FROM recipient WHERE recipient.email_key = ${row}.email_key`;

/**
 * Who has left: SQL for a recipient who gets no letter until they come back by a link of their own. It
 * is asked as a letter is taken, whatever was known before.
 */
export const HAS_LEFT = "left_at <> ''";

/**
 * What ends a letter before that: SQL for a recipient who has left since it was asked for. Somebody of
 * whom only a copy or a proof says that they left, before they joined again, is left to the turn that
 * takes it. An empty time is before every other.
 */
export const LEFT_SINCE_ASKED = "left_at >= letter.asked_at";

/** The same where a copy comes in: of what is held nobody here asks for anything, whenever they left. */
export const LEFT_ELSEWHERE = `(${LEFT_SINCE_ASKED} OR (letter.held <> 0 AND ${HAS_LEFT}))`;

/** SQL for a recipient whose address does not exist, as a mail server said. */
export const HAS_BOUNCED = "bounced_at <> ''";

/** Who gets no letter at all: SQL for a recipient who has left, or whose address does not exist. */
export const UNREACHABLE = `(${HAS_LEFT} OR ${HAS_BOUNCED})`;

/** Who is not asked to confirm: SQL for a recipient who gets no letter, or has confirmed. */
export const NOT_TO_ASK = `(${UNREACHABLE} OR confirmed_at <> '')`;

/** SQL for a letter whose person gets none: they left, bounced, or have nothing left to confirm or redeem. */
export const UNWANTED = `(EXISTS (
	${personOf("letter")} AND CASE letter.kind WHEN 'confirm' THEN ${NOT_TO_ASK} ELSE ${UNREACHABLE} END
) OR letter.redeemed_at <> '')`;
