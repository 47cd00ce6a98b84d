import { type Query, type SharedDatabase, statement } from "../database/database.ts";
import { waitMender } from "../database/waits.ts";
import { MOST_WAIT_MS } from "../events/post.ts";
import type { Told } from "./digest.ts";

/** The table `digest`, which has one row at most: what the team was told, over all copies of the server. */
export interface ToldRow extends Told {
	/** Until when joins were counted, ISO 8601. */
	until: string;
	/** Before this time nothing is told, ISO 8601. */
	nextAt: string;
	/** Joins that limits of all copies refused since, and from how many networks one of them saw. */
	refused: number;
	networks: number;
}

const COLUMNS = `until_at AS "until", next_at AS "nextAt", milestone, pause, backup, refused, networks`;

/** @returns undefined where nobody was told anything yet */
export async function readTold(query: Query): Promise<ToldRow | undefined> {
	const [row] = await query<ToldRow>(`SELECT ${COLUMNS} FROM digest`);
	return row;
}

const WAITS = [
	{ table: "digest", column: "next_at", longestMs: MOST_WAIT_MS },
	{ table: "digest", column: "until_at", longestMs: 0 },
];

/** Ends waits that a wrong clock made too long. */
export const toldMender = (database: Pick<SharedDatabase, "run">) => waitMender(database, WAITS);

/** Begins to count. Where another copy has begun, its row stays. */
export async function beginTelling(
	{ run }: Pick<SharedDatabase, "run">,
	{ until, nextAt, milestone }: Pick<ToldRow, "until" | "nextAt" | "milestone">,
): Promise<void> {
	const sql = `INSERT INTO digest (one, until_at, next_at, milestone) VALUES (1, $1, $2, $3)
		ON CONFLICT (one) DO NOTHING`;
	await run({ begun: statement(sql, until, nextAt, milestone) });
}

/** Adds joins that limits refused. */
export async function addRefused(
	{ run }: Pick<SharedDatabase, "run">,
	refused: number,
	networks: number,
): Promise<void> {
	const sql = `UPDATE digest SET refused = refused + CAST($1 AS INT),
		networks = CASE WHEN networks < CAST($2 AS INT) THEN CAST($2 AS INT) ELSE networks END`;
	await run({ added: statement(sql, refused, networks) });
}

const REPLACE = `UPDATE digest
	SET until_at = $2, next_at = $3, milestone = $4, pause = $5, backup = $6, refused = refused - $7,
		networks = CASE refused WHEN $7 THEN 0 ELSE networks END
	WHERE until_at = $1 RETURNING one`;

/**
 * Notes what is about to be told: of all copies exactly one may tell it.
 *
 * @param before the row as it was read
 * @param after what replaces it; `refused` is what is told of
 * @returns whether this copy may
 */
export async function claimTelling(
	{ run }: Pick<SharedDatabase, "run">,
	before: ToldRow,
	{ until, nextAt, milestone, pause, backup, refused }: Omit<ToldRow, "networks">,
): Promise<boolean> {
	const { claimed } = await run({
		claimed: statement(
			...([REPLACE, before.until, until, nextAt, milestone, pause, backup, refused] as const),
		),
	});
	return claimed.length > 0;
}

/** Takes a claim back: nobody was told. The next message tells it with what is new by then. */
export async function takeBackTelling(
	database: Pick<SharedDatabase, "run">,
	claimed: Pick<ToldRow, "until">,
	before: ToldRow,
	nextAt: string,
): Promise<void> {
	const row = { ...before, until: claimed.until };
	if (!(await claimTelling(database, row, { ...before, nextAt, refused: 0 }))) return;
	await addRefused(database, before.refused, before.networks);
}
