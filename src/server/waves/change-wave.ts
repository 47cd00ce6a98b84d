import type { SharedDatabase } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Query, Statement } from "../database/statement.ts";
import { runEach, type Tx } from "../database/transaction.ts";
import { LOCK } from "../mail/rate/outbox-row.ts";
import type { Wave, WaveState } from "../mail/wave/wave.ts";
import { findWave, mergeWaves } from "../mail/wave/waves.ts";
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
	{ query, dialect }: Tx,
	change: { name: string; state: WaveState; now: Date; note: readonly Statement[] },
): Promise<void> {
	const { name, state, now, note } = change;
	await query(LOCK);
	const wave = await changeable(query, name, state);
	if (wave.state === state) return;
	await mergeWaves(query, dialect, [changed(wave, { state }, now)]);
	await runEach({ query }, note);
}

/** Changes emails of a wave as its state says, and gives how many: a page of them. */
export async function changeWavePage(
	tx: Tx,
	{ name, state }: Pick<Wave, "name" | "state">,
): Promise<number> {
	await tx.query(LOCK);
	const wave = await findWave(tx.query, name);
	if (wave?.state !== state) return 0;
	const { set, which } = CHANGES[state];
	const changed = await tx.all(sql`UPDATE email SET ${{ sql: set }}
		WHERE (email_key, kind, wave) IN (
			SELECT email_key, kind, wave FROM email
			WHERE wave = ${name} AND wave <> '' AND state IN ('waiting', 'deferred') AND ${{ sql: which }}
			LIMIT ${{ sql: String(PAGE_ROWS) }}
		) RETURNING email_key`);
	return changed.length;
}

/** What the state of a wave makes of its emails that are still to be sent, and which are still to be changed. */
const CHANGES: Record<WaveState, { set: string; which: string }> = {
	paused: { set: "held = 1", which: "held = 0" },
	open: { set: "held = 0", which: "held <> 0" },
	cancelled: { set: "state = 'refused', reason = 'cancelled', held = 0", which: "TRUE" },
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
