import { lockNote, type Note, readNote, writeNote } from "../../database/notes.ts";
import { sql, type Tx } from "../../database/sql.ts";
import { Refusal } from "../../refusal.ts";

/** The time between a backup and its restore, in which unknown emails were sent. ISO 8601; `from` may be ''. */
export interface Gap {
	from: string;
	until: string;
}

interface NotedGap extends Gap {
	/** When the founder settled it, ISO 8601; '' is not yet. */
	settled: string;
}

const GAP: Note<NotedGap> = { name: "gap" };

/** Settled or not. */
export const readGap = (tx: Tx) => readNote(tx, GAP);

/** Unless it is settled. */
export async function findGap(tx: Tx): Promise<Gap | undefined> {
	const gap = await readGap(tx);
	return gap && gap.settled === "" ? { from: gap.from, until: gap.until } : undefined;
}

/** A gap that is not settled grows. */
export async function addGap(tx: Tx, gap: Gap): Promise<void> {
	const noted = await lockNote(tx, GAP);
	const from = noted?.settled === "" && noted.from < gap.from ? noted.from : gap.from;
	// The end stays: codes depend on it.
	const until = noted && noted.until > gap.until ? noted.until : gap.until;
	await writeNote(tx, GAP, { from, until, settled: "" });
}

export async function settleGap(tx: Tx, now: Date): Promise<void> {
	const gap = await lockNote(tx, GAP);
	if (gap?.settled === "") await writeNote(tx, GAP, { ...gap, settled: now.toISOString() });
}

/** The latest time that a database holds, ISO 8601; '' if it is empty. */
export async function latestTrace(tx: Tx): Promise<string> {
	const row = await tx.first(sql<{ latest: string }>`SELECT COALESCE(max(time), '') AS latest FROM (
			SELECT max(joined_at) AS time FROM registration
			UNION ALL SELECT max(ended_at) FROM email WHERE ended_at <> ''
			UNION ALL SELECT max(changed_at) FROM wave
		) AS times`);
	return row!.latest;
}

export function gapAsText({ from, until }: Gap): string {
	return `Nobody knows what was sent ${from === "" ? "until" : `between ${from} and`} ${until}.`;
}

export function despiteGapAsText(gap: Gap): string {
	return `${gapAsText(gap)} This list was restored, and some of these people may have had an email then.`;
}

/** @throws Refusal while there is a gap: nobody is emailed twice without the founder knowing */
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
