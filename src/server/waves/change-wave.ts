import type { Query } from "../database/database.ts";
import { UNSENT } from "../letters/letter.ts";
import { LOCK } from "../letters/sending/outbox.ts";
import { HELD, TAKEN_BACK, type Wave, type WaveState, wavesIn } from "../letters/wave.ts";
import { findWave, mergeWaves } from "../letters/waves.ts";
import { NotFound, type Operation } from "../waitlist/operation.ts";
import { changed } from "./add-wave.ts";

/** What the operator can do to a wave that goes out. */
interface Change {
	state: WaveState;
	/** SQL for its letters that are still to be changed, and what becomes of them. */
	letters: string;
	set: string;
	/** What was done to them, in a table. */
	done: string;
}

/** Letters that the operator holds stay held, whatever becomes of their wave. */
export const changes = {
	pause: {
		state: "paused",
		letters: `${UNSENT} AND held IN (0, ${HELD.byOperator})`,
		set: `held = held | ${HELD.byWave}`,
		done: "paused",
	},
	resume: {
		state: "open",
		letters: `${UNSENT} AND held IN (${HELD.byWave}, ${HELD.byWave | HELD.byOperator})`,
		set: `held = held & ${HELD.byOperator}`,
		done: "resumed",
	},
	cancel: {
		state: "cancelled",
		letters: UNSENT,
		set: `state = 'refused', code = '${TAKEN_BACK}', held = 0`,
		done: "taken back",
	},
} as const satisfies Record<string, Change>;

/** Letters of a transaction: few, so that visitors join meanwhile. */
const PAGE_ROWS = 500;

/**
 * Changes a wave, and then its letters, a page at a time. Nothing goes out against its state in
 * between: see the outbox.
 *
 * @returns how many letters were changed
 * @throws Error with a sentence for the operator when that cannot be done to it
 */
export async function changeWave(
	{ database, now, progress }: Operation,
	name: string,
	change: Change,
): Promise<number> {
	await database.transaction(async (query) => {
		await query(LOCK);
		const wave = await changeable(query, name, change);
		if (wave.state === change.state) return;
		await mergeWaves(query, database.dialect, [changed(wave, { state: change.state }, now)]);
	});
	let letters = 0;
	for (let last = PAGE_ROWS; last === PAGE_ROWS; letters += last) {
		last = await database.transaction(async (query) => {
			await query(LOCK);
			return (await query(pageOf(change), [name])).length;
		});
		progress.show(change.done, letters + last, 0);
	}
	progress.end();
	return letters;
}

async function changeable(query: Query, name: string, { state }: Change): Promise<Wave> {
	const wave = await findWave(query, name);
	if (!wave) throw new NotFound(`There is no wave ${name}: see \`waitlist waves\`.`);
	if (wave.state === "cancelled" && state !== "cancelled") {
		throw new Error(`The wave ${name} was cancelled, for good.`);
	}
	return wave;
}

function pageOf({ state, letters, set }: Change): string {
	return `UPDATE letter SET ${set} WHERE (email_key, kind, wave) IN (
		SELECT email_key, kind, wave FROM letter
		WHERE wave = $1 AND wave <> '' AND wave IN ${wavesIn(state)} AND ${letters}
		LIMIT ${PAGE_ROWS}
	) RETURNING email_key`;
}
