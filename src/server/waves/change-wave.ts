import type { SharedDatabase } from "../database/database.ts";
import { type Query, runEach, type Statement } from "../database/statement.ts";
import type { Tx } from "../database/transaction.ts";
import { changeLettersOf } from "../mail/emails/letter-changes.ts";
import { LOCK } from "../mail/rate/outbox-row.ts";
import type { Wave, WaveState } from "../mail/wave/wave.ts";
import { findWave, mergeWaves } from "../mail/wave/waves.ts";
import { NotFound, Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { changed } from "./add-wave.ts";

/** What the operator can do to a wave that goes out. */
interface Change {
	state: WaveState;
	/** What was done to its letters, in a table. */
	done: string;
	/** What was done, in the audit trail. */
	noted: string;
}

/** What can be done to a wave. Letters that the operator holds stay held, whatever becomes of it. */
export const changes = {
	pause: { state: "paused", done: "paused", noted: "wave paused" },
	resume: { state: "open", done: "resumed", noted: "wave resumed" },
	cancel: { state: "cancelled", done: "taken back", noted: "wave canceled" },
} as const satisfies Record<string, Change>;

/** Letters of a transaction: few, so that visitors join meanwhile. */
const PAGE_ROWS = 500;

/** Changes the state of a wave, and notes it, unless it has that state. */
export async function changeState(
	{ query, dialect }: Tx,
	change: { name: string; state: WaveState; now: Date; note: readonly Statement[] },
): Promise<void> {
	const { name, state, now, note } = change;
	await query(LOCK);
	const wave = await changeable(query, name, state);
	if (wave.state === state) return;
	await mergeWaves(query, dialect, [changed(wave, { state }, now)]);
	await runEach(query, note);
}

/** Changes letters of a wave as its state says, and gives how many: a page of them. */
export async function changeWavePage(
	{ all, query }: Tx,
	wave: Pick<Wave, "name" | "state">,
): Promise<number> {
	await query(LOCK);
	return (await all(changeLettersOf(wave, PAGE_ROWS))).length;
}

/**
 * Changes a wave, and then its letters, a page at a time. Nothing goes out against its state in
 * between: see the outbox.
 *
 * @param note runs in the transaction that changes the wave
 * @returns how many letters were changed
 * @throws Error with a sentence for the operator when that cannot be done to it
 */
export async function changeWave(
	{ database, now, progress }: Operation<SharedDatabase>,
	name: string,
	{ state, done }: Change,
	note: readonly Statement[] = [],
): Promise<number> {
	await changeable(database.query, name, state);
	await database.transact(changeState, { name, state, now, note });
	let letters = 0;
	for (let last = PAGE_ROWS; last === PAGE_ROWS; letters += last) {
		last = await database.transact(changeWavePage, { name, state });
		progress.show(done, letters + last, 0);
	}
	progress.end();
	return letters;
}

async function changeable(query: Query, name: string, state: WaveState): Promise<Wave> {
	const wave = await findWave(query, name);
	if (!wave) throw new NotFound(`There is no wave ${name}: see \`waitlist waves\`.`);
	if (wave.state === "cancelled" && state !== "cancelled") {
		throw new Refusal(`The wave ${name} was cancelled, for good.`);
	}
	return wave;
}
