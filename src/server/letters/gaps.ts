import type { Database, Query } from "../database/database.ts";
import { type Dialect, firstsOf, keysAsJson } from "../database/dialect.ts";
import { Refusal } from "../waitlist/operation.ts";
import { countList } from "../waitlist/people.ts";
import { lastEnd } from "./table/tried-letters.ts";
import { lastChange } from "./wave/waves.ts";

/**
 * A time of which this database does not know what was sent: the list lived on after the backup that
 * it was restored from. Both ends are ISO 8601 in UTC with milliseconds; a beginning that nobody knows
 * is ''.
 */
export interface Gap {
	from: string;
	until: string;
}

/** SQL for the end of the last gap after a wave was asked for; NULL where there is none. */
export const LAST_GAP_OF_WAVE = "(SELECT max(until_at) FROM gap WHERE until_at > wave.asked_at)";

/** Notes a gap. The later beginning counts where its end is known. */
export async function noteGap(query: Query, { from, until }: Gap): Promise<void> {
	await query(
		`INSERT INTO gap (until_at, from_at) VALUES ($1, $2)
		ON CONFLICT (until_at) DO UPDATE SET from_at = excluded.from_at
		WHERE excluded.from_at > gap.from_at`,
		[until, from],
	);
}

/** Takes a gap back that there is not: nothing came in that the database did not have. */
export async function dropGap(query: Query, { until }: Gap): Promise<void> {
	await query("DELETE FROM gap WHERE until_at = $1", [until]);
}

/** The time that all gaps lie in which are not settled; undefined where there is none. */
export async function findGap(query: Query): Promise<Gap | undefined> {
	const [gap] = await query<{ from: string | null; until: string }>(
		`SELECT min(from_at) AS "from", max(until_at) AS "until" FROM gap WHERE settled_at = ''`,
	);
	return gap && gap.from !== null ? { from: gap.from, until: gap.until } : undefined;
}

/** Notes that everything is known by now of all gaps, or of all but those that end then. */
export async function settleGaps(
	query: Query,
	dialect: Dialect,
	now: Date,
	except: readonly string[] = [],
): Promise<void> {
	await query(
		`UPDATE gap SET settled_at = $2
		WHERE settled_at = '' AND until_at NOT IN ${firstsOf(dialect)}`,
		[keysAsJson(except), now.toISOString()],
	);
}

/** The ends of all gaps. */
export async function gapEnds(query: Query): Promise<string[]> {
	const gaps = await query<{ until: string }>("SELECT until_at AS until FROM gap");
	return gaps.map(({ until }) => until);
}

/** Copies gaps. One that is settled on either side is settled. */
export async function copyGaps(source: Query, { query, dialect }: Database): Promise<void> {
	const gaps = await source<Record<"until" | "from" | "settled", string>>(
		`SELECT until_at AS "until", from_at AS "from", settled_at AS "settled" FROM gap`,
	);
	await query(
		`INSERT INTO gap (until_at, from_at, settled_at)
		SELECT value->>0, value->>1, value->>2 FROM ${dialect.jsonRows} WHERE true
		${dialect.insertOrder}
		ON CONFLICT (until_at) DO UPDATE SET settled_at = excluded.settled_at
		WHERE gap.settled_at = ''`,
		[JSON.stringify(gaps.map(({ until, from, settled }) => [until, from, settled]))],
	);
}

/** The time of the latest thing that a database knows of, ISO 8601; '' where it is empty. */
export async function latestTrace(query: Query): Promise<string> {
	const { latest } = await countList(query);
	return [latest ?? "", await lastEnd(query), await lastChange(query)].sort().at(-1)!;
}

/** Says of what time nobody knows what was sent. */
export function gapAsText({ from, until }: Gap): string {
	return `Nobody knows what was sent ${from === "" ? "until" : `between ${from} and`} ${until}.`;
}

/** Says to the operator that some people may get a second letter. */
export function despiteGapAsText(gap: Gap): string {
	return `${gapAsText(gap)} This list was restored, and some of these people may have had a letter then.`;
}

const DESPITE_GAP = "Or use --despite-gap, which may send a second letter to some of them.";

/**
 * Nobody is written to twice without the operator knowing, also after a restore.
 *
 * @param since the earliest time at which these people joined, ISO 8601
 * @param otherwise how to send all the same, in a sentence: by default as the command does
 * @throws Refusal with a sentence for the operator where nobody knows what these people were sent
 */
export async function refuseInGap(
	query: Query,
	{ since = "", otherwise = DESPITE_GAP }: { since?: string | undefined; otherwise?: string } = {},
): Promise<void> {
	const gap = await findGap(query);
	if (!gap || since >= gap.until) return;
	throw new Refusal(
		[
			`Nothing was sent. ${despiteGapAsText(gap)}`,
			"Mark what went out, by your mail provider's log: `waitlist sent --file log.csv`, with --wave for",
			"a wave that the backup does not know. When all is marked: `waitlist sent --complete`.",
			otherwise,
		].join("\n"),
	);
}
