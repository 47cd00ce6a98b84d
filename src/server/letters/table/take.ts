import { type Statement, statement } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { isoOf } from "../letter.ts";
import type { Brake } from "../pace/brake.ts";
import type { MailRate } from "../pace/mail-rate.ts";
import { allowance } from "../pace/pace-tables.ts";
import { STREAMS, type Stream, toSend } from "../pace/stream.ts";
import { doubtedSince } from "../pace/trouble.ts";
import type { WaveShare } from "../pace/wave-share.ts";
import { wavesIn } from "../wave/waves.ts";
import { takeLetters } from "./letter-changes.ts";
import { doubtedDomains, IS_SENDING } from "./letter-counts.ts";

/**
 * How long a sender may hold a letter before its state counts as unknown. A try ends within two minutes, and
 * the clocks of copies may differ.
 */
export const LEASE_MS = 5 * 60_000;

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
	dialect: Dialect,
	{ rate, brake, share }: { rate: MailRate | undefined; brake: Brake; share: WaveShare },
) {
	const most = "CAST($4 AS BIGINT)";
	const us = "CAST($6 AS BIGINT)";
	const left = rate?.left(us);
	const allowed = left ? `CASE WHEN ${left} < ${most} THEN ${left} ELSE ${most} END` : most;
	const sqlOf = (order: "ASC" | "DESC") => {
		// People who join wait for no wave beyond its share. One limit bounds all streams together, and a
		// slowed stream has a smaller limit of its own. The inner limits keep a turn from locking all letters.
		// The outer SELECT changes nothing, but tells PostgreSQL's planner how few letters there are, because
		// without it the planner would read all of them.
		const dueOf = (place: number, stream: Stream, limit: string, also = "true") => `SELECT * FROM (
			SELECT ${place} AS place, next_at, kind, wave, email_key FROM letter
			WHERE ${toSend(stream)} AND wave NOT IN ${wavesIn("paused")} AND next_at <= $1 AND ${also}
			ORDER BY next_at ${stream === "confirmations" ? order : ""} LIMIT (
				SELECT min(letters) FROM (
					SELECT ${limit} AS letters FROM allowed UNION ALL ${brake.room(stream, us)}
				) AS room
			) ${dialect.takeRows}
		) AS place${place}`;
		// After a pause one letter at a time tries whether the mail server takes it. Letters to domains that
		// were not refused go first, so that the owner of a refused domain cannot keep everybody waiting.
		// Letters of waves go before confirmations, because strangers can type any number of domains.
		const notDoubted = `((SELECT probes FROM allowed) = 0 OR NOT EXISTS (
			SELECT 1 FROM doubted
			WHERE letter.email_key LIKE '%@' || doubt OR letter.email_key LIKE '%.' || doubt
		))`;
		const ofWaves = (["waves", "unconfirmed"] as const).map((stream, n) =>
			dueOf(n, stream, "reserved", notDoubted),
		);
		const places = [
			`SELECT * FROM (
			${ofWaves.join(" UNION ALL ")} ORDER BY place, next_at LIMIT (SELECT reserved FROM allowed)
		) AS of_waves`,
			...STREAMS.map((stream, n) => dueOf(n + 2, stream, "letters", notDoubted)),
			...STREAMS.map((stream, n) => dueOf(n + 5, stream, "probes")),
		];
		// Places are of one stream each: confirmations have the third and the sixth.
		const inOrder =
			order === "ASC"
				? "min(next_at)"
				: "CASE WHEN min(place) IN (2, 5) THEN '' ELSE min(next_at) END, min(next_at) DESC";
		const asked = `WITH ${allowance(allowed, share.reserved("letters", "CAST($7 AS BIGINT)"), IS_SENDING)},
			doubted(doubt) AS MATERIALIZED (${doubtedDomains("$5")})`;
		const due = `SELECT kind, wave, email_key FROM (
				${places.join(" UNION ALL ")}
			) AS due GROUP BY kind, wave, email_key
			ORDER BY min(place), ${inOrder} LIMIT (SELECT letters FROM allowed)`;
		return `${asked} ${takeLetters(dialect, due)}`;
	};
	const [oldestFirst, newest] = [sqlOf("ASC"), sqlOf("DESC")];
	return ({ claim, ms, most, passed, newestFirst }: Moment): Statement => {
		const leaseUntil = isoOf(ms + LEASE_MS);
		const parameters = [isoOf(ms), claim, leaseUntil, most, doubtedSince(ms), ms * 1000, passed];
		return statement(newestFirst ? newest : oldestFirst, ...parameters);
	};
}
