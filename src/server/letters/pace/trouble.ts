import { prepare, type Statement } from "../../database/database.ts";
import { MINUTE_MS } from "../../time.ts";
import { isoOf, type TriedLetter } from "../letter.ts";
import { doubtLetter, uncountTry } from "../table/letter-changes.ts";
import { countEvidence, countTaken, onlyTyped } from "../table/letter-counts.ts";
import { forgetPauses, isResting, notePassed, notePassedOnRamp, restUntil } from "./pace-tables.ts";
import type { PauseCause } from "./pause.ts";

/** A mail server that takes no letter, whoever it is for. */
export interface Trouble {
	cause: Exclude<PauseCause, "operator">;
	/** Of its answer. */
	code: string;
	/** For how long it asks us to wait, where it says that. */
	waitMs?: number | undefined;
}

/** How long nothing is sent, each time longer until a letter passes. */
const MINUTES = {
	unreachable: [1, 2, 4, 8, 15],
	refused: [1, 2, 4, 8, 15],
	/**
	 * A quota of a second or of a day. The window of most quotas moves, so some room comes each
	 * hour.
	 */
	quota: [1 / 6, 1, 5, 15, 30, 60],
	/** A wrong password, or a sender that may not send: only the operator can mend that. */
	account: [15],
} as const;

/** The longest pause, whatever the mail server says: its answer may be a stranger's. */
export const LONGEST_PAUSE_MS = 60 * MINUTE_MS;

/**
 * How many domains have to refuse a letter, while none takes one, before we believe that the mail
 * server means us. A stranger may own one or two whose letters it refuses.
 */
const DOMAINS = 3;

/**
 * Letters that count whatever is known of their domains, because large providers refuse single
 * letters too.
 */
const LETTERS = 30;

/**
 * Letters accepted within a day that raise the number of domains needed by one. At the end of a
 * wave only refused letters are left, which says nothing about us.
 */
const TAKEN_A_DOMAIN = 100;

/** How long the refusal of a letter is remembered. */
const DOUBT_MS = 24 * 60 * MINUTE_MS;

/** The time from which refusals count. */
export const doubtedSince = (ms: number) => isoOf(ms - DOUBT_MS);

/**
 * SQL for whether so many domains refuse letters that the mail server means us. LIMIT keeps PostgreSQL
 * from merging the queries, which would count the domains twice.
 */
const meansUs = (since: string, now: string) => `(
	SELECT domains >= ${DOMAINS} AND NOT ${onlyTyped(since, now)}
		AND domains * ${TAKEN_A_DOMAIN} >= ${countTaken(since, LETTERS * TAKEN_A_DOMAIN)}
	FROM (SELECT ${countEvidence(since, LETTERS)} AS domains LIMIT 1) AS evidence
)`;

/**
 * A pause, unless there is one already. Gives a row if it began.
 *
 * @param doubted only where there are doubts enough
 */
function restStatement(
	minutes: readonly number[],
	{ cause, code, waitMs = 0 }: Trouble,
	ms: number,
	doubted = false,
): Statement {
	const ends = minutes.map((_, n) => `WHEN pauses <= ${n} THEN $${n + 4}`).join(" ");
	const longest = `$${minutes.length + 3}`;
	const said = Math.min(waitMs, LONGEST_PAUSE_MS);
	const enough = doubted ? meansUs(`$${minutes.length + 4}`, "$3") : "true";
	return {
		sql: restUntil(`CASE ${ends} ELSE ${longest} END`, enough),
		parameters: [
			cause,
			`${sentences[cause]} (${code}).`,
			isoOf(ms),
			...minutes.map((minute) => isoOf(ms + Math.max(minute * MINUTE_MS, said))),
			...(doubted ? [doubtedSince(ms)] : []),
		],
	};
}

/** Pauses because the mail server refuses us, is away, or takes no more, whatever the letter. */
export function rest(trouble: Trouble, ms: number): Statement {
	const minutes = trouble.cause === "refused" ? MINUTES.account : MINUTES[trouble.cause];
	return restStatement(minutes, trouble, ms);
}

/**
 * Statements that learn from tries: a letter that passes proves that we may send, and one that fails
 * for a reason which may be ours is a doubt. Where there are enough doubts for a pause, the letters that
 * showed it had no try.
 *
 * @param ramped whether the first letter of a step of the ramp begins its day
 */
export function learn(
	tried: readonly TriedLetter[],
	ms: number,
	{ ramped }: { ramped: boolean },
): Statement[] {
	const [now, since] = [isoOf(ms), doubtedSince(ms)];
	const doubts = tried.flatMap(({ id, doubt }) => (doubt ? [{ id, doubt }] : []));
	const statements: Statement[] = doubts.map(({ id, doubt }) =>
		doubtLetter(id, now, doubt.domain, since),
	);
	if (tried.some(({ state }) => state === "accepted")) {
		statements.push(ramped ? notePassedOnRamp(now) : notePassed(now));
	}
	// The mail server has let us in. Where it had been away, that is over, but for letters that were
	// under way when a pause began.
	if (tried.some(({ state }) => state !== "waiting")) {
		statements.push(letIn(since, now));
	}
	// A quota has its pause already (closed-door.ts).
	const last = doubts.findLast(({ doubt }) => doubt.cause !== "quota")?.doubt;
	if (!last) return statements;
	statements.push(restStatement(MINUTES[last.cause], last, ms, true));
	return [...statements, ...doubts.map(({ id }) => uncountInPause(id, now))];
}

/** Forgets the pauses of before, unless what was refused since says that the mail server means us. */
const letIn = prepare<[since: string, now: string]>(forgetPauses(`NOT ${meansUs("$1", "$2")}`));

/** Takes the try of a deferred letter back while a pause of ours lasts. */
const uncountInPause = prepare<[id: string, now: string]>(uncountTry(isResting("$2")));

/** For the operator. */
export const sentences = {
	refused: "The mail server refuses what we send, whoever it is for",
	unreachable: "The mail server cannot be reached, or is busy",
	quota: "The mail server takes no more letters for now, whoever they are for",
};
