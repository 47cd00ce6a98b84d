import { HAS_BOUNCED, HAS_CONFIRMED, HAS_LEFT, personOf } from "../../registrations/recipients.ts";
import { HELD_BY_OPERATOR, UNSENT } from "./letter.ts";

/**
 * Who gets letters, each rule once, in SQL: the statement that writes a letter decides by these rules.
 * What else keeps people from a wave is in eligibility.ts.
 */

/**
 * SQL for a recipient who has left since a letter was asked for, which ends the letter before a turn takes
 * it. A person who left before that, as a copy or a proof says, and joined again is judged by the turn that
 * takes the letter. An empty time is before every other time.
 */
export const LEFT_SINCE_ASKED = "left_at >= letter.asked_at";

/** SQL for a recipient who has left, as a copy comes in: a held letter ends whenever its person left. */
export const LEFT_ELSEWHERE = `(${LEFT_SINCE_ASKED} OR (letter.held <> 0 AND ${HAS_LEFT}))`;

/** SQL for a recipient who gets no letter at all: one who has left, or whose address does not exist. */
export const UNREACHABLE = `(${HAS_LEFT} OR ${HAS_BOUNCED})`;

/** The emails that visitors bring about: by joining, and by the forms that ask for a link. */
const REQUESTED_KINDS = ["confirm", "unsubscribe"] as const;

export type RequestedKind = (typeof REQUESTED_KINDS)[number];

export const isRequested = (kind: string): kind is RequestedKind =>
	REQUESTED_KINDS.some((one) => one === kind);

/** SQL for a recipient who is not asked to confirm: one who gets no letter, or has confirmed. */
export const NOT_TO_ASK = `(${UNREACHABLE} OR ${HAS_CONFIRMED})`;

/** SQL for a recipient who gets no email of a kind, however often somebody asks. */
export const notToAsk: Record<RequestedKind, string> = {
	confirm: NOT_TO_ASK,
	unsubscribe: UNREACHABLE,
};

/** SQL for a letter whose person gets none: they left, bounced, or have nothing left to confirm or redeem. */
export const UNWANTED = `(EXISTS (
	${personOf("letter")} AND CASE letter.kind WHEN 'confirm' THEN ${NOT_TO_ASK} ELSE ${UNREACHABLE} END
) OR letter.redeemed_at <> '')`;

/** SQL for a letter that may be let go. */
export const RELEASABLE = `${HELD_BY_OPERATOR} AND ${UNSENT} AND NOT ${UNWANTED}`;
