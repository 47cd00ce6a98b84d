import { ask, type Query, type Statement } from "../database/database.ts";
import { changeLettersOf } from "../letters/table/letter-changes.ts";
import type { Wave, WaveState } from "../letters/wave/wave.ts";
import { findWave, mergeWaves } from "../letters/wave/waves.ts";
import { LOCK } from "../mail/outbox-row.ts";
import { NotFound, type Operation, Refusal } from "../waitlist/operation.ts";
import { changed } from "./add-wave.ts";

/** What the operator can do to a wave that goes out. */
interface Change {
	state: WaveState;
	/** What was done to its letters, in a table. */
	done: string;
}

/** What can be done to a wave. Letters that the operator holds stay held, whatever becomes of it. */
export const changes = {
	pause: { state: "paused", done: "paused" },
	resume: { state: "open", done: "resumed" },
	cancel: { state: "cancelled", done: "taken back" },
} as const satisfies Record<string, Change>;

/** Letters of a transaction: few, so that visitors join meanwhile. */
const PAGE_ROWS = 500;

/**
 * Changes a wave, and then its letters, a page at a time. Nothing goes out against its state in
 * between: see the outbox.
 *
 * @param note runs in the transaction that changes the wave
 * @returns how many letters were changed
 * @throws Error with a sentence for the operator when that cannot be done to it
 */
export async function changeWave(
	{ database, now, progress }: Operation,
	name: string,
	{ state, done }: Change,
	note?: Statement,
): Promise<number> {
	await database.transaction(async (query) => {
		await query(LOCK);
		const wave = await changeable(query, name, state);
		if (wave.state === state) return;
		await mergeWaves(query, database.dialect, [changed(wave, { state }, now)]);
		if (note) await ask(query, note);
	});
	let letters = 0;
	for (let last = PAGE_ROWS; last === PAGE_ROWS; letters += last) {
		last = await database.transaction(async (query) => {
			await query(LOCK);
			return (await ask(query, changeLettersOf({ name, state }, PAGE_ROWS))).length;
		});
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
