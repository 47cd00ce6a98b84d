import type { SharedDatabase } from "../database/database.ts";
import { runEach, type Statement, sql, type Tx } from "../database/sql.ts";
import { lockOutbox } from "../mail/rate/outbox-state.ts";
import { type CountedWave, findWave, STATE_NAMES, saveWave } from "../mail/waves.ts";
import { NotFound, Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { formatCount, formatNumber } from "../text/format-number.ts";
import { withWaveChange } from "./add-wave.ts";

/** Per change: the wave's new state, and SQL for its unsent emails. */
export const waveChanges = {
	pause: {
		state: "paused",
		done: "paused",
		set: sql`held = 1`,
		which: sql`held = 0`,
	},
	resume: {
		state: "open",
		done: "resumed",
		set: sql`held = 0`,
		which: sql`held <> 0`,
	},
	cancel: {
		state: "canceled",
		done: "canceled",
		set: sql`state = 'refused', reason = 'canceled', held = 0`,
		which: sql`TRUE`,
	},
} as const;

interface Change {
	name: string;
	action: keyof typeof waveChanges;
}

/** Rows per transaction. Few, because joins wait while a transaction runs. */
const PAGE_ROWS = 500;

export async function changeWave(
	{ database, now, note }: Operation<SharedDatabase>,
	name: string,
	action: Change["action"],
): Promise<number> {
	const wave = await findWave(database, name);
	if (!wave) throw new NotFound(`There is no wave ${name}: see \`waitlist waves\`.`);
	if (wave.state === "canceled" && action !== "cancel") {
		throw new Refusal(`The wave ${name} was canceled, which cannot be undone.`);
	}
	const also = note(`wave ${waveChanges[action].done}`, name);
	await database.transact(changeWaveState, { name, action, now, also });
	let emails = 0;
	for (let last = PAGE_ROWS; last === PAGE_ROWS; emails += last) {
		last = await database.transact(changeWaveEmailBatch, { name, action });
	}
	return emails;
}

export async function changeWaveState(
	tx: Tx,
	{ name, action, now, also }: Change & { now: Date; also: readonly Statement[] },
): Promise<void> {
	const { state } = waveChanges[action];
	await lockOutbox(tx);
	const wave = await findWave(tx, name);
	if (!wave || wave.state === state || wave.state === "canceled") return;
	await saveWave(tx, withWaveChange(wave, { state }, now));
	await runEach(tx, also);
}

export async function changeWaveEmailBatch(tx: Tx, { name, action }: Change): Promise<number> {
	const { state, set, which } = waveChanges[action];
	await lockOutbox(tx);
	if ((await findWave(tx, name))?.state !== state) return 0;
	const emails = await tx.all(sql`UPDATE email SET ${set}
		WHERE (email_key, kind, wave) IN (
			SELECT email_key, kind, wave FROM email
			WHERE wave = ${name} AND wave <> '' AND state IN ('waiting', 'deferred') AND ${which}
			LIMIT ${PAGE_ROWS}
		) RETURNING email_key`);
	return emails.length;
}

export function describeWave({ state, size, validDays, emails }: CountedWave) {
	const total = Object.values(emails).reduce((sum, count) => sum + count, 0);
	return {
		state,
		emails:
			size > 0
				? `${formatNumber(total)} of ${formatNumber(size)} emails`
				: formatCount(total, "email"),
		codes: validDays > 0 ? `, codes valid for ${validDays} days` : "",
		ends: Object.entries(emails).flatMap(([end, count]) =>
			count > 0 ? [[STATE_NAMES[end] ?? end, formatNumber(count)] as const] : [],
		),
	};
}
