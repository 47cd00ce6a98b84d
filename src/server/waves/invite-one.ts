import { brand } from "#brand";
import type { SharedDatabase } from "../database/database.ts";
import type { Statement } from "../database/sql.ts";
import { countEmailsOf } from "../mail/emails/email-counts.ts";
import { findGap, gapAsText } from "../mail/emails/gaps.ts";
import { findWave } from "../mail/wave/waves.ts";
import { Refusal } from "../refusal.ts";
import { addWave } from "./add-wave.ts";
import { type Facts, imprintOf, refuseWithoutImprint } from "./imprint.ts";

/**
 * Invites one person by a wave, which is made or becomes larger by one.
 *
 * @param also what else is done in the transaction that adds the email
 * @returns false where they may not get one, by the rules of every wave
 * @throws Refusal with a sentence for the operator where no invitation may go out at all
 */
export async function inviteOne(
	database: SharedDatabase,
	{ key, wave: name, unconfirmed }: { key: string; wave: string; unconfirmed: boolean },
	now: Date,
	also: readonly Statement[],
	facts: Facts = brand,
): Promise<boolean> {
	const gap = await findGap(database);
	if (gap) throw new Refusal(`Nothing was sent. ${gapAsText(gap)} \`waitlist sent\` settles that.`);
	refuseWithoutImprint(imprintOf(facts).filter(({ ok }) => !ok));
	const wave = await findWave(database, name);
	const size = Math.max(wave?.size ?? 0, 1 + (await countEmailsOf(database, name)));
	const asked = { name, kind: "invitation" as const, size };
	const selection = { keys: [key], uninvited: true, unconfirmed };
	const progress = { show: () => {}, end: () => {} };
	return (await addWave({ database, now, progress }, asked, selection, undefined, { also })) > 0;
}
