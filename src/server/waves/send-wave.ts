import { brand } from "#brand";
import type { SharedDatabase } from "../database/database.ts";
import { refuseInGap } from "../mail/emails/gaps.ts";
import { countEmailsOf } from "../mail/emails/overview.ts";
import { findWave } from "../mail/waves.ts";
import type { Operation } from "../registrations/operation.ts";
import { type AskedWave, addWave, waveOf } from "./add-wave.ts";
import { type Facts, imprintOf, refuseWithoutImprint } from "./launch.ts";
import type { Plan } from "./plan-wave.ts";
import type { Selection } from "./selection.ts";

type Sending = Pick<Operation<SharedDatabase>, "database" | "now" | "note">;

/**
 * Sends a wave that the founder saw as a plan.
 *
 * @returns how many emails were added
 * @throws Refusal if it may not go out
 */
export async function sendWave(
	sending: Sending,
	asked: AskedWave,
	selection: Selection,
	{ adding, open }: Pick<Plan, "adding" | "open">,
	{ despiteGap = false, noImprint = false } = {},
): Promise<number> {
	if (!despiteGap) await refuseInGap(sending.database);
	if (adding > 0 && !noImprint) refuseWithoutImprint(open);
	const note = sending.note("wave sent", `${asked.name}: ${adding}`);
	return addWave(sending, asked, selection, { note });
}

/**
 * Invites one person by a wave, which is created or becomes larger by one.
 *
 * @returns false if they may not get one, by the rules of every wave
 * @throws Refusal if no invitation may go out at all
 */
export async function inviteOne(
	sending: Sending,
	{ key, wave: name, unconfirmed }: { key: string; wave: string; unconfirmed: boolean },
	facts: Facts = brand,
): Promise<boolean> {
	const { database } = sending;
	await refuseInGap(database);
	refuseWithoutImprint(imprintOf(facts).filter(({ ok }) => !ok));
	const wave = await findWave(database, name);
	const size = Math.max(wave?.size ?? 0, 1 + (await countEmailsOf(database, name)));
	const asked = { name, kind: "invitation" as const, size };
	// Throws here what the thread of a database would turn into a fault.
	waveOf(asked, wave, sending.now);
	const selection = { keys: [key], uninvited: true, unconfirmed };
	const also = sending.note("person invited", name);
	return (await addWave(sending, asked, selection, { also })) > 0;
}
