import type { SharedDatabase } from "../database/database.ts";
import { type Statement, sql } from "../database/sql.ts";
import { runEach, type Tx } from "../database/transaction.ts";
import { lockOutbox } from "../mail/rate/outbox-row.ts";
import type { Wave, WaveState } from "../mail/wave/wave.ts";
import { findWave, saveWave } from "../mail/wave/waves.ts";
import { NotFound, Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { changed } from "./add-wave.ts";

/** What the operator can do to a wave that goes out. */
interface Change {
	state: WaveState;
	/** What was done to its emails, in a table. */
	done: string;
	/** What was done, in the audit trail. */
	noted: string;
}

/** What can be done to a wave. */
export const changes = {
	pause: { state: "paused", done: "paused", noted: "wave paused" },
	resume: { state: "open", done: "resumed", noted: "wave resumed" },
	cancel: { state: "cancelled", done: "taken back", noted: "wave canceled" },
} as const satisfies Record<string, Change>;

/** Emails of a transaction: few, so that visitors join meanwhile. */
const PAGE_ROWS = 500;

/** Changes the state of a wave, and notes it, unless it has that state. */
export async function changeState(
	tx: Tx,
	change: { name: string; state: WaveState; now: Date; note: readonly Statement[] },
): Promise<void> {
	const { name, state, now, note } = change;
	await lockOutbox(tx);
	const wave = await changeable(tx, name, state);
	if (wave.state === state) return;
	await saveWave(tx, changed(wave, { state }, now));
	await runEach(tx, note);
}

/** Changes emails of a wave as its state says, and gives how many: a page of them. */
export async function changeWavePage(
	tx: Tx,
	{ name, state }: Pick<Wave, "name" | "state">,
): Promise<number> {
	await lockOutbox(tx);
	const wave = await findWave(tx, name);
	if (wave?.state !== state) return 0;
	const { set, which } = CHANGES[state];
	const changed = await tx.all(sql`UPDATE email SET ${set}
		WHERE (email_key, kind, wave) IN (
			SELECT email_key, kind, wave FROM email
			WHERE wave = ${name} AND wave <> '' AND state IN ('waiting', 'deferred') AND ${which}
			LIMIT ${PAGE_ROWS}
		) RETURNING email_key`);
	return changed.length;
}

/** What the state of a wave makes of its emails that are still to be sent, and which are still to be changed. */
const CHANGES: Record<WaveState, { set: Statement; which: Statement }> = {
	paused: { set: sql`held = 1`, which: sql`held = 0` },
	open: { set: sql`held = 0`, which: sql`held <> 0` },
	cancelled: { set: sql`state = 'refused', reason = 'cancelled', held = 0`, which: sql`TRUE` },
};

/**
 * Changes a wave, and then its emails, a page at a time. Nothing goes out against its state in
 * between: see the outbox.
 *
 * @param note runs in the transaction that changes the wave
 * @returns how many emails were changed
 * @throws Error with a sentence for the operator when that cannot be done to it
 */
export async function changeWave(
	{ database, now }: Operation<SharedDatabase>,
	name: string,
	{ state }: Change,
	note: readonly Statement[] = [],
): Promise<number> {
	await changeable(database, name, state);
	await database.transact(changeState, { name, state, now, note });
	let letters = 0;
	for (let last = PAGE_ROWS; last === PAGE_ROWS; letters += last) {
		last = await database.transact(changeWavePage, { name, state });
	}
	return letters;
}

async function changeable(tx: Tx, name: string, state: WaveState): Promise<Wave> {
	const wave = await findWave(tx, name);
	if (!wave) throw new NotFound(`There is no wave ${name}: see \`waitlist waves\`.`);
	if (wave.state === "cancelled" && state !== "cancelled") {
		throw new Refusal(`The wave ${name} was cancelled, for good.`);
	}
	return wave;
}
