import { lockNote, type Note, readNote, writeNote } from "../../database/notes.ts";
import { sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import { Refusal } from "../../refusal.ts";
import { countList } from "../../registrations/people.ts";
import { lastChange } from "../wave/waves.ts";

/**
 * The time between a backup and its restore: nobody knows what was sent in it. Both ends are ISO 8601 in UTC
 * with milliseconds; `from` is '' where nobody knows it.
 */
export interface Gap {
	from: string;
	until: string;
}

interface NotedGap extends Gap {
	/** When everything became known that was sent in it, ISO 8601; '' is not yet. */
	settled: string;
}

const GAP: Note<NotedGap> = { name: "gap" };

/** Reads the gap, settled or not. */
export const readGap = (tx: Tx) => readNote(tx, GAP);

/** Reads the gap, unless it is settled. */
export async function findGap(tx: Tx): Promise<Gap | undefined> {
	const gap = await readGap(tx);
	return gap && gap.settled === "" ? { from: gap.from, until: gap.until } : undefined;
}

/** Notes a gap, in a transaction: one that is not settled grows by it. */
export async function addGap(tx: Tx, gap: Gap): Promise<void> {
	const noted = await lockNote(tx, GAP);
	const from = noted?.settled === "" && noted.from < gap.from ? noted.from : gap.from;
	// The end stays: codes depend on it.
	const until = noted && noted.until > gap.until ? noted.until : gap.until;
	await writeNote(tx, GAP, { from, until, settled: "" });
}

/** Notes that everything is known by now of what was sent. */
export async function settleGap(tx: Tx, now: Date): Promise<void> {
	const gap = await lockNote(tx, GAP);
	if (gap?.settled === "") await writeNote(tx, GAP, { ...gap, settled: now.toISOString() });
}

/** When an email last ended, ISO 8601; '' where none has. */
async function lastEnd(tx: Tx): Promise<string> {
	const row = await tx.first(
		sql<{ time: string | null }>`SELECT max(ended_at) AS time FROM email WHERE ended_at <> ''`,
	);
	return row?.time ?? "";
}

/** The time of the latest thing that a database knows of, ISO 8601; '' where it is empty. */
export async function latestTrace(tx: Tx): Promise<string> {
	const { latest } = await countList(tx);
	return [latest ?? "", await lastEnd(tx), await lastChange(tx)].sort().at(-1)!;
}

/** Says of what time nobody knows what was sent. */
export function gapAsText({ from, until }: Gap): string {
	return `Nobody knows what was sent ${from === "" ? "until" : `between ${from} and`} ${until}.`;
}

/** Says that some people may get a second email. */
export function despiteGapAsText(gap: Gap): string {
	return `${gapAsText(gap)} This list was restored, and some of these people may have had an email then.`;
}

/**
 * Nobody is emailed twice without the founder knowing, also after a restore.
 *
 * @throws Refusal where nobody knows what these people were sent
 */
export async function refuseInGap(tx: Tx): Promise<void> {
	const gap = await findGap(tx);
	if (!gap) return;
	throw new Refusal(
		[
			`Nothing was sent. ${despiteGapAsText(gap)}`,
			"Mark what went out, by your mail provider's log: `waitlist sent --file log.csv`, with --wave for",
			"a wave that the backup does not know. When all is marked: `waitlist sent --complete`.",
			"Or use the command with --despite-gap, which may send a second email to some of them.",
		].join("\n"),
	);
}
