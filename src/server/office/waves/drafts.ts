import { createHash, randomBytes } from "node:crypto";
import { ask, type Query, type SharedDatabase } from "../../database/database.ts";
import { DAY_MS } from "../../time.ts";
import type { AskedWave } from "../../waves/add-wave.ts";
import type { Plan } from "../../waves/plan-wave.ts";
import type { Selection } from "../../waves/selection.ts";
import { addDraft, draftOf, sweepDrafts } from "../office-tables.ts";
import type { Session } from "../sessions.ts";

/** A wave as it was written down in the office. */
export interface WrittenWave {
	asked: AskedWave;
	selection: Selection;
	/** Of the order of chance; by time without it. */
	seed?: string;
	/** The fields of its form, so that it can be changed. */
	fields: Record<string, string>;
}

/** The same, kept until somebody confirms it: it never changes, so what is confirmed is what was seen. */
export interface Draft extends WrittenWave {
	id: string;
	/** ISO 8601. The letter is written as of then. */
	madeAt: string;
}

/** Keeps a wave for one session. Gives its id. */
export async function keepDraft(
	{ run }: Pick<SharedDatabase, "run">,
	wave: WrittenWave,
	{ session, now }: { session: Pick<Session, "id">; now: Date },
): Promise<string> {
	const id = randomBytes(16).toString("hex");
	await run({
		swept: sweepDrafts(new Date(now.getTime() - DAY_MS).toISOString()),
		kept: addDraft(id, session.id, now.toISOString(), JSON.stringify(wave)),
	});
	return id;
}

const ID = /^[\da-f]{32}$/;

/** A wave of this session; undefined where it has none of that id. */
export async function findDraft(
	query: Query,
	id: string,
	session: Pick<Session, "id">,
): Promise<Draft | undefined> {
	// It comes from an address, and no database takes everything that one can hold.
	if (!ID.test(id)) return undefined;
	const [row] = await ask(query, draftOf(id, session.id));
	return row && { ...(JSON.parse(row.wave) as WrittenWave), id, madeAt: row.madeAt };
}

/**
 * What a page shows of a wave, for its form to send back: the number of letters, and a hash of that
 * number with the draft, the wave and its letter.
 *
 * @param html the letter in its frame
 */
export function seenOf(
	{ id }: Pick<Draft, "id">,
	{ wave, letter, gap }: Pick<Plan, "wave" | "letter" | "gap">,
	html: string,
	adding: number,
): string {
	const { askedAt: _, changedAt: __, ...fixed } = wave;
	const shown = JSON.stringify([id, adding, fixed, letter, gap ?? null, html]);
	return `${adding}.${createHash("sha256").update(shown).digest("base64url")}`;
}

/** People join while somebody reads: so large a part of the letters may come or go unseen. */
const UNSEEN = 0.01;

/** Whether a wave is still what its page showed. */
export function isAsSeen(seen: string, draft: Draft, plan: Plan, html: string): boolean {
	const adding = Number(/^(\d{1,9})\./.exec(seen)?.[1] ?? Number.NaN);
	if (seenOf(draft, plan, html, adding) !== seen) return false;
	return Math.abs(plan.adding - adding) <= Math.floor(adding * UNSEEN);
}
