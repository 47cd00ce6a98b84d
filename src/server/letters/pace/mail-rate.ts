import { type Statement, statement } from "../../database/database.ts";
import type { Rate } from "../../settings.ts";

/**
 * A letter reaches the mail server a little after it was taken, and not always equally late. By so
 * much, at most, the periods of a mail server may differ from ours.
 */
const LATE_MS = 10_000;

/** The clocks of copies differ by less. */
const CLOCKS_MS = 5 * 60_000;

/** A rate of letters, in the words of the table `outbox`. All of it runs while the outbox is locked. */
export interface MailRate {
	/** Statement before letters are taken. */
	adopt(ms: number): Statement;
	/**
	 * SQL for how many letters may leave now.
	 *
	 * @param us the time in µs since 1970, in SQL
	 */
	left(us: string): string;
	/** Statement after letters were taken under the name `claim`. */
	advance(claim: string, ms: number): Statement;
}

/**
 * Keeps letters to a rate by the generic cell rate algorithm (ITU-T I.371), in the database, so that
 * copies and restarts share it: `free_at` is the time in µs at which all letters so far would have
 * left one by one, `spread` µs apart. A tenth may leave at once, and the others are spread so that no
 * period has more than the rate allows: mail servers count in periods of their own. Of several rates
 * the smallest burst and the largest spread keep all.
 */
export function keepRates(rates: readonly Rate[]): MailRate {
	const burst = Math.min(...rates.map(burstOf));
	const spread = Math.max(...rates.map(spreadOf));
	const periodMs = Math.max(...rates.map((rate) => rate.periodMs));
	// Letters of another rate count on at this one's pace: while copies restart in turns, both rates are
	// at work. After a whole period none counts, so a time beyond that is from a clock that was wrong.
	const furthest = Math.max(periodMs, CLOCKS_MS) * 1000 + burst * spread;
	const since = "CAST($1 AS BIGINT)";
	const ahead = `(${spread}.0 * (free_at - ${since}) / CASE spread WHEN 0 THEN ${spread} ELSE spread END)`;
	const adopted = `UPDATE outbox SET spread = ${spread}, free_at = CASE
			WHEN free_at <= ${since} THEN free_at
			WHEN ${ahead} > ${furthest} THEN ${since} + ${furthest}
			ELSE ${since} + CAST(${ahead} AS BIGINT)
		END
		WHERE spread <> ${spread} OR free_at > ${since} + ${furthest}`;
	const now = "CAST($2 AS BIGINT)";
	const advanced = `UPDATE outbox SET free_at = CASE WHEN free_at > ${now} THEN free_at ELSE ${now} END
		+ ${spread} * (SELECT count(*) FROM letter WHERE state = 'sending' AND claim = $1)`;
	return {
		adopt: (ms) => statement(adopted, ms * 1000),
		left: (us) => `CASE
			WHEN free_at <= ${us} THEN ${burst}
			WHEN free_at > ${us} + ${burst * spread} THEN 0
			ELSE (${us} + ${burst * spread} - free_at) / ${spread}
		END`,
		advance: (claim, ms) => statement(advanced, claim, ms * 1000),
	};
}

const burstOf = ({ count }: Rate) => Math.ceil(count / 10);

function spreadOf(rate: Rate): number {
	const { count, periodMs } = rate;
	const slowedMs = periodMs + Math.min(LATE_MS, periodMs / 20);
	return Math.ceil((slowedMs * 1000) / (count - burstOf(rate) + 1));
}
