import type { Statement } from "../../database/database.ts";
import { isoOf, type TriedLetter } from "../letter.ts";
import type { PauseCause } from "./pause.ts";
import { IN_STREAM, toSend } from "./stream.ts";

/** A mail server that takes no letter, whoever it is for. */
export interface Trouble {
	cause: Exclude<PauseCause, "operator">;
	/** Of its answer. */
	code: string;
	/** For how long it asks us to wait, where it says that. */
	waitMs?: number | undefined;
}

const MINUTE_MS = 60_000;

/** How long nothing is sent, each time longer until a letter passes. */
const MINUTES = {
	unreachable: [1, 2, 4, 8, 15],
	refused: [1, 2, 4, 8, 15],
	/** Of a second, or of a day: the window of most quotas moves, so that some room is there each hour. */
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

/** So many letters count whatever is known of their domains: large providers refuse single letters too. */
const LETTERS = 30;

/**
 * So many letters that the mail server took within a day ask for one domain more: at the end of a wave
 * nothing is left but what is refused, and that says nothing about us.
 */
const TAKEN_A_DOMAIN = 100;

/** How long the refusal of a letter is remembered. */
const DOUBT_MS = 24 * 60 * MINUTE_MS;

/** The time from which refusals count. */
export const doubtedSince = (ms: number) => isoOf(ms - DOUBT_MS);

/**
 * SQL for the number of domains by which the mail server may mean us. Each letter is evidence once, when
 * it is first refused, until another letter passes or the operator says `release`. A domain that was
 * refused while others passed tells nothing about us, unless it comes with {@link LETTERS}.
 *
 * @param since the time from which refusals count, in SQL
 */
const doubtedDomains = (since: string) => `(
	SELECT count(DISTINCT CASE WHEN letters >= ${LETTERS} OR doubt NOT IN (
			SELECT doubt FROM letter WHERE doubted_at <> '' AND doubted_at > ${since}
				AND doubted_at <= (SELECT passed_at FROM outbox)
		) THEN doubt END)
	FROM (
		SELECT doubt, count(*) OVER () AS letters FROM letter WHERE doubted_at <> '' AND doubted_at > ${since}
			AND doubted_at > (SELECT passed_at FROM outbox)
			AND doubted_at > (SELECT released_at FROM outbox)
	) AS doubted
)`;

/**
 * SQL for whether only letters were refused whose addresses strangers may have typed, at domains of
 * theirs, while letters are due to people who have confirmed: how these fare says more about us.
 */
const onlyTyped = (since: string, now: string) => `(
	EXISTS (SELECT 1 FROM letter WHERE ${toSend("waves")} AND next_at <= ${now})
	AND NOT EXISTS (
		SELECT 1 FROM letter WHERE doubted_at <> '' AND doubted_at > ${since}
			AND doubted_at > (SELECT passed_at FROM outbox) AND ${IN_STREAM.waves}
	)
)`;

/**
 * SQL for whether so many domains refuse letters that the mail server means us. LIMIT keeps PostgreSQL
 * from merging the queries, which would count the domains twice.
 */
const meansUs = (since: string, now: string) => `(
	SELECT domains >= ${DOMAINS} AND NOT ${onlyTyped(since, now)} AND domains * ${TAKEN_A_DOMAIN} >= (
		SELECT count(*) FROM (
			SELECT 1 AS taken FROM letter
			WHERE state = 'accepted' AND ended_at <> '' AND ended_at > ${since}
			LIMIT ${LETTERS * TAKEN_A_DOMAIN}
		) AS latest
	)
	FROM (SELECT ${doubtedDomains(since)} AS domains LIMIT 1) AS evidence
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
	const enough = `AND ${meansUs(`$${minutes.length + 4}`, "$3")}`;
	return {
		sql: `UPDATE outbox SET pauses = pauses + 1, cause = $1, reason = $2,
				paused_until = CASE ${ends} ELSE ${longest} END
			WHERE paused_until <= $3 ${doubted ? enough : ""} RETURNING one`,
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
	const statements: Statement[] = doubts.map(({ id, doubt }) => ({
		sql: "UPDATE letter SET doubted_at = $2, doubt = $3 WHERE id = $1 AND id <> '' AND doubted_at < $4",
		parameters: [id, now, doubt.domain, since],
	}));
	if (tried.some(({ state }) => state === "accepted")) {
		const step = ramped ? ", stepped_at = CASE stepped_at WHEN '' THEN $1 ELSE stepped_at END" : "";
		statements.push({ sql: `UPDATE outbox SET passed_at = $1${step}`, parameters: [now] });
	}
	// The mail server has let us in. Where it had been away, that is over, but for letters that were
	// under way when a pause began.
	if (tried.some(({ state }) => state !== "waiting")) {
		statements.push({
			sql: `UPDATE outbox SET pauses = 0
				WHERE pauses > 0 AND paused_until <= $2 AND NOT ${meansUs("$1", "$2")}`,
			parameters: [since, now],
		});
	}
	// A quota has its pause already (closed-door.ts).
	const last = doubts.findLast(({ doubt }) => doubt.cause !== "quota")?.doubt;
	if (!last) return statements;
	statements.push(restStatement(MINUTES[last.cause], last, ms, true));
	for (const { id } of doubts) {
		statements.push({
			sql: `UPDATE letter SET attempts = attempts - 1 WHERE id = $1 AND id <> '' AND state = 'deferred'
				AND EXISTS (SELECT 1 FROM outbox WHERE pauses > 0 AND paused_until > $2)`,
			parameters: [id, now],
		});
	}
	return statements;
}

/** For the operator. */
export const sentences = {
	refused: "The mail server refuses what we send, whoever it is for",
	unreachable: "The mail server cannot be reached, or is busy",
	quota: "The mail server takes no more letters for now, whoever they are for",
};
