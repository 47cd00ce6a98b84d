import { type Statement, statement } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { isoOf } from "../letter.ts";
import type { Brake } from "../pace/brake.ts";
import type { MailRate } from "../pace/mail-rate.ts";
import { STREAMS, type Stream, toSend } from "../pace/stream.ts";
import { doubtedSince } from "../pace/trouble.ts";
import type { WaveShare } from "../pace/wave-share.ts";
import { wavesIn } from "../wave/wave.ts";

/**
 * How long a letter may be in the hands of a sender. After that nobody knows what became of it. A
 * try ends within two minutes, and the clocks of copies may differ.
 */
const LEASE_MS = 5 * 60_000;

/** A turn's place in time. */
interface Moment {
	/** Names what the turn takes. */
	claim: string;
	/** In ms since 1970. */
	ms: number;
	most: number;
	/** How many letters have passed a wave. */
	passed: number;
	/** Whether those who were asked to confirm last go first. */
	newestFirst: boolean;
}

/** The statement that takes letters, as many as may leave now. */
export function takeStatement(
	{ takeRows, randomId, daysAfter }: Dialect,
	{ rate, brake, share }: { rate: MailRate | undefined; brake: Brake; share: WaveShare },
) {
	const most = "CAST($4 AS BIGINT)";
	const us = "CAST($6 AS BIGINT)";
	const left = rate?.left(us);
	const allowed = left ? `CASE WHEN ${left} < ${most} THEN ${left} ELSE ${most} END` : most;
	const sqlOf = (order: "ASC" | "DESC") => {
		// Whoever joins waits for no wave but its share. One limit bounds all streams together, and a slowed
		// one has a smaller one. Those within it keep a turn from locking all letters, and the one around it,
		// which changes nothing, tells PostgreSQL's planner how few there are: it would read all letters.
		const due = (place: number, stream: Stream, limit: string, also = "true") => `SELECT * FROM (
			SELECT ${place} AS place, next_at, kind, wave, email_key FROM letter
			WHERE ${toSend(stream)} AND wave NOT IN ${wavesIn("paused")} AND next_at <= $1 AND ${also}
			ORDER BY next_at ${stream === "confirmations" ? order : ""} LIMIT (
				SELECT min(letters) FROM (
					SELECT ${limit} AS letters FROM allowed UNION ALL ${brake.room(stream, us)}
				) AS room
			) ${takeRows}
		) AS place${place}`;
		// After a pause one letter at a time tries whether the mail server takes it, and first one that it
		// may take: whoever owns some domains that it refuses must not keep all others waiting. A letter of a
		// wave comes before those that ask to confirm: strangers can type any number of domains.
		const notDoubted = `((SELECT probes FROM allowed) = 0 OR NOT EXISTS (
			SELECT 1 FROM doubted
			WHERE letter.email_key LIKE '%@' || doubt OR letter.email_key LIKE '%.' || doubt
		))`;
		const ofWaves = (["waves", "unconfirmed"] as const).map((stream, n) =>
			due(n, stream, "reserved", notDoubted),
		);
		const places = [
			`SELECT * FROM (
			${ofWaves.join(" UNION ALL ")} ORDER BY place, next_at LIMIT (SELECT reserved FROM allowed)
		) AS of_waves`,
			...STREAMS.map((stream, n) => due(n + 2, stream, "letters", notDoubted)),
			...STREAMS.map((stream, n) => due(n + 5, stream, "probes")),
		];
		// Places are of one stream each: confirmations have the third and the sixth.
		const inOrder =
			order === "ASC"
				? "min(next_at)"
				: "CASE WHEN min(place) IN (2, 5) THEN '' ELSE min(next_at) END, min(next_at) DESC";
		return `WITH may(letters, probes) AS (
			SELECT CASE WHEN paused_until > $1 OR isBusy THEN 0 WHEN pauses > 0 AND ${allowed} > 0 THEN 1
					ELSE ${allowed} END,
				CASE WHEN pauses > 0 THEN 1 ELSE 0 END
			FROM (SELECT outbox.*, pauses > 0 AND EXISTS (
				SELECT 1 FROM letter WHERE state = 'sending'
			) AS isBusy FROM outbox) AS outbox
		), allowed AS (
			SELECT letters, probes, CASE probes WHEN 0
				THEN ${share.reserved("letters", "CAST($7 AS BIGINT)")} ELSE letters END AS reserved FROM may
		), doubted(doubt) AS MATERIALIZED (
			SELECT DISTINCT doubt FROM letter WHERE doubted_at <> '' AND doubted_at > $5
		)
		UPDATE letter
		SET state = 'sending', claim = $2, lease_until = $3, attempts = attempts + 1,
			id = CASE id WHEN '' THEN ${randomId} ELSE id END,
			expires_at = COALESCE((
				SELECT ${daysAfter("CAST($1 AS TEXT)", "valid_days")} FROM wave
				WHERE wave.kind = 'invitation' AND wave.name = letter.wave
			), '')
		WHERE (kind, wave, email_key) IN (
			SELECT kind, wave, email_key FROM (
				${places.join(" UNION ALL ")}
			) AS due GROUP BY kind, wave, email_key
			ORDER BY min(place), ${inOrder} LIMIT (SELECT letters FROM allowed)
		)`;
	};
	const [oldestFirst, newest] = [sqlOf("ASC"), sqlOf("DESC")];
	return ({ claim, ms, most, passed, newestFirst }: Moment): Statement => {
		const leaseUntil = isoOf(ms + LEASE_MS);
		const parameters = [isoOf(ms), claim, leaseUntil, most, doubtedSince(ms), ms * 1000, passed];
		return statement(newestFirst ? newest : oldestFirst, ...parameters);
	};
}
