import { ask, type Query, type Statement, statement } from "../../database/database.ts";
import { CLOCKS_MS } from "../../database/waits.ts";
import type { Rate } from "../../settings.ts";
import { takenAs } from "../letter.ts";
import { lettersWhere } from "../table/letter-counts.ts";
import { adoptRate, advanceClock, readClock } from "./pace-tables.ts";

/**
 * A letter reaches the mail server a little after it was taken, and not always equally late. By so
 * much, at most, the periods of a mail server may differ from ours.
 */
const LATE_MS = 10_000;

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
	const latest = `${since} + ${furthest}`;
	const adopted = adoptRate(
		spread,
		`CASE WHEN free_at <= ${since} THEN free_at
			WHEN ${ahead} > ${furthest} THEN ${latest}
			ELSE ${since} + CAST(${ahead} AS BIGINT) END`,
		latest,
	);
	const now = "CAST($2 AS BIGINT)";
	const advanced = advanceClock(spread, now, lettersWhere(takenAs("$1")));
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

/**
 * Says when the last of some letters leaves at these rates, as `keepRates` lets it, in ms since 1970.
 *
 * @param rates at least one
 * @param from before which none leaves, in ms since 1970
 */
export async function lastLeavesAt(
	query: Query,
	rates: readonly Rate[],
	letters: number,
	{ from, now }: { from: number; now: number },
): Promise<number> {
	const spread = Math.max(...rates.map(spreadOf));
	const burst = Math.min(...rates.map(burstOf));
	const [counted] = await ask(query, readClock());
	const periodUs = Math.max(...rates.map(({ periodMs }) => periodMs), CLOCKS_MS) * 1000;
	const pace = spread / (Number(counted?.spread) || spread);
	const aheadUs = pace * Math.max(0, Number(counted?.free ?? 0) - now * 1000);
	const freeUs = now * 1000 + Math.min(aheadUs, periodUs + burst * spread);
	const lastUs = Math.max(freeUs, from * 1000) + (letters - burst) * spread;
	return Math.max(from, Math.ceil(lastUs / 1000));
}

/** Letters in a ms that leave at these rates once a burst has left. */
export const paceOf = (rates: readonly Rate[]) => 1000 / Math.max(...rates.map(spreadOf));

const burstOf = ({ count }: Rate) => Math.ceil(count / 10);

function spreadOf(rate: Rate): number {
	const { count, periodMs } = rate;
	const slowedMs = periodMs + Math.min(LATE_MS, periodMs / 20);
	return Math.ceil((slowedMs * 1000) / (count - burstOf(rate) + 1));
}
