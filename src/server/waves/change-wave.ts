import type { SharedDatabase } from "../database/database.ts";
import { runEach, type Statement, sql, type Tx } from "../database/sql.ts";
import { lockOutbox } from "../mail/rate/outbox-row.ts";
import {
	type CountedWave,
	EMAIL_ENDS,
	endAsText,
	findWave,
	saveWave,
	type Wave,
	type WaveState,
} from "../mail/waves.ts";
import { NotFound, Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { counted, figure } from "../text/figure.ts";
import { changed } from "./add-wave.ts";

/** The state that each change leads to, in words for the founder and for the audit trail. */
export const changes = {
	pause: { state: "paused", done: "paused", noted: "wave paused" },
	resume: { state: "open", done: "resumed", noted: "wave resumed" },
	cancel: { state: "cancelled", done: "taken back", noted: "wave canceled" },
} as const satisfies Record<string, { state: WaveState; done: string; noted: string }>;

/** Emails of a transaction: few, so that visitors join meanwhile. */
const PAGE_ROWS = 500;

/** What a state makes of the emails that were not sent, and which ones it still has to change. */
const CHANGES: Record<WaveState, { set: Statement; which: Statement }> = {
	paused: { set: sql`held = 1`, which: sql`held = 0` },
	open: { set: sql`held = 0`, which: sql`held <> 0` },
	cancelled: { set: sql`state = 'refused', reason = 'cancelled', held = 0`, which: sql`TRUE` },
};

/**
 * Changes a wave, and then its emails, a page at a time. The sender follows the state of the wave meanwhile.
 *
 * @returns how many emails were changed
 * @throws Refusal or NotFound
 */
export async function changeWave(
	{ database, now, note }: Operation<SharedDatabase>,
	name: string,
	action: keyof typeof changes,
): Promise<number> {
	const { state, noted } = changes[action];
	const wave = await findWave(database, name);
	if (!wave) throw new NotFound(`There is no wave ${name}: see \`waitlist waves\`.`);
	if (wave.state === "cancelled" && state !== "cancelled") {
		throw new Refusal(`The wave ${name} was canceled, for good.`);
	}
	await database.transact(changeState, { name, state, now, note: note(noted, name) });
	let emails = 0;
	for (let last = PAGE_ROWS; last === PAGE_ROWS; emails += last) {
		last = await database.transact(changeWavePage, { name, state });
	}
	return emails;
}

/** @param note statements of the same transaction, unless the wave has the state */
export async function changeState(
	tx: Tx,
	change: { name: string; state: WaveState; now: Date; note: readonly Statement[] },
): Promise<void> {
	const { name, state, now, note } = change;
	await lockOutbox(tx);
	const wave = await findWave(tx, name);
	if (!wave || wave.state === state || wave.state === "cancelled") return;
	await saveWave(tx, changed(wave, { state }, now));
	await runEach(tx, note);
}

export async function changeWavePage(
	tx: Tx,
	{ name, state }: Pick<Wave, "name" | "state">,
): Promise<number> {
	await lockOutbox(tx);
	if ((await findWave(tx, name))?.state !== state) return 0;
	const { set, which } = CHANGES[state];
	const emails = await tx.all(sql`UPDATE email SET ${set}
		WHERE (email_key, kind, wave) IN (
			SELECT email_key, kind, wave FROM email
			WHERE wave = ${name} AND wave <> '' AND state IN ('waiting', 'deferred') AND ${which}
			LIMIT ${PAGE_ROWS}
		) RETURNING email_key`);
	return emails.length;
}

/** Describes a wave for its page and for `waitlist waves`. */
export function describeWave({ state, size, validDays, emails }: CountedWave) {
	const total = EMAIL_ENDS.reduce((sum, end) => sum + emails[end], 0);
	return {
		state: state === "cancelled" ? "canceled" : state,
		emails: size > 0 ? `${figure(total)} of ${figure(size)} emails` : counted(total, "email"),
		codes: validDays > 0 ? `, codes valid for ${validDays} days` : "",
		ends: EMAIL_ENDS.filter((end) => emails[end] > 0).map(
			(end) => [endAsText(end), figure(emails[end])] as const,
		),
	};
}
