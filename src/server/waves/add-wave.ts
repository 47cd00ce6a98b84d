import { brand } from "#brand";
import type { CheckResult, SharedDatabase } from "../database/database.ts";
import { raw, rowsSql, runEach, type Statement, sql, type Tx } from "../database/sql.ts";
import { refuseWhileEmailsUnknown } from "../mail/emails/unknown-emails.ts";
import { countWaveEmails } from "../mail/overview.ts";
import { lockOutbox } from "../mail/rate/outbox-state.ts";
import type { FounderMessage } from "../mail/templates/email-words.ts";
import { CODE_VALID_DAYS, findWave, saveWave, type Wave } from "../mail/waves.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { isoOf, shownTime } from "../time.ts";
import {
	lockEligiblePeople,
	readEligiblePages,
	type WaveAudience,
	type WaveSelection,
} from "./audience.ts";
import { type BrandFacts, checkImprint, refuseWithoutImprint } from "./launch.ts";

/** The founder's request for a wave. Missing fields keep the existing wave's values. */
export interface WaveRequest extends Pick<Wave, "name" | "kind" | "size"> {
	startsAt?: string | undefined;
	validDays?: number | undefined;
	message?: FounderMessage | undefined;
}

/** @throws Refusal if the request contradicts the existing wave `there` */
export function mergeWaveRequest(asked: WaveRequest, there: Wave | undefined, now: Date): Wave {
	const { name, kind, size, startsAt, validDays, message } = asked;
	const time = now.toISOString();
	if (!there) {
		if (startsAt !== undefined && startsAt <= time) {
			throw new Refusal(`${shownTime(startsAt)} is in the past. To send now, leave out the time.`);
		}
		return {
			name,
			kind,
			state: "open",
			askedAt: time,
			changedAt: time,
			size,
			startsAt: startsAt ?? time,
			validDays: kind === "news" ? 0 : (validDays ?? CODE_VALID_DAYS),
			subject: message?.subject ?? "",
			message: message?.message ?? "",
		};
	}
	const refuse = (problem: string) => new Refusal(`The wave ${name} ${problem}. Use another name.`);
	if (there.state === "canceled") throw refuse("was canceled");
	const isOther = Object.entries({ kind, startsAt, validDays, ...message }).some(
		([field, value]) => value !== undefined && value !== there[field as keyof Wave],
	);
	if (isOther) throw refuse("already exists with another kind, message, time or expiry");
	return size > there.size ? withWaveChange(there, { size }, now) : there;
}

/** Dates a change after the wave's last one, even if the clock went back. */
export function withWaveChange(wave: Wave, change: Partial<Wave>, now: Date): Wave {
	const ms = Math.max(now.getTime(), Date.parse(wave.changedAt) + 1);
	return { ...wave, ...change, changedAt: new Date(ms).toISOString() };
}

export async function saveRequestedWave(
	tx: Tx,
	{ asked, now, note }: { asked: WaveRequest; now: Date; note: readonly Statement[] },
): Promise<Wave> {
	await lockOutbox(tx);
	const wave = mergeWaveRequest(asked, await findWave(tx, asked.name), now);
	await saveWave(tx, wave);
	await runEach(tx, note);
	return wave;
}

/** Rows per transaction. Few, because joins wait while a transaction runs. */
const PAGE_ROWS = 200;

interface WavePage extends Pick<Wave, "name" | "size"> {
	audience: WaveAudience;
	keys: readonly string[];
	now: Date;
	also: readonly Statement[];
}

/** Adds emails for the page's eligible people. Returns undefined if the wave is complete or canceled. */
export async function addWavePage(
	tx: Tx,
	{ name, size, audience, keys, now, also }: WavePage,
): Promise<{ looked: number; added: number } | undefined> {
	await lockOutbox(tx);
	const wave = await findWave(tx, name);
	if (!wave || wave.state === "canceled") return undefined;
	const lacks = size === 0 ? keys.length : size - (await countWaveEmails(tx, name));
	if (lacks <= 0) return undefined;
	const some = keys.slice(0, lacks);
	const people = await lockEligiblePeople(tx, wave, audience, some);
	const queued = people.map(({ key, confirmedAt }) => [
		key,
		confirmedAt === "" ? "unconfirmed" : "confirmed",
	]);
	const nextAt = isoOf(Math.max(now.getTime(), Date.parse(wave.startsAt)));
	const added =
		await tx.all(sql`INSERT INTO email (email_key, kind, wave, state, held, asked_at, next_at, queue)
			SELECT value->>0, ${wave.kind}, ${name}, 'waiting', ${raw(wave.state === "paused" ? 1 : 0)},
				${now.toISOString()}, ${nextAt}, value->>1
			FROM ${rowsSql(queued)} WHERE TRUE ORDER BY 1
			ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING email_key`);
	if (added.length > 0) await runEach(tx, also);
	return { looked: some.length, added: added.length };
}

type Sending = Pick<Operation<SharedDatabase>, "database" | "now" | "note">;

/** Adds a wave's emails in pages. After a crash, another call adds the missing ones. */
async function addWave(
	{ database, now }: Sending,
	asked: WaveRequest,
	selection: WaveSelection,
	{ note = [], also = [] }: { note?: readonly Statement[]; also?: readonly Statement[] },
): Promise<number> {
	const { name, size } = asked;
	const { unconfirmed, uninvited } = selection;
	const audience = { unconfirmed, uninvited };
	const wave = await database.transact(saveRequestedWave, { asked, now, note });
	let added = 0;
	for await (const page of readEligiblePages(database, wave, selection)) {
		for (let n = 0; n < page.length; ) {
			const keys = page.slice(n, n + PAGE_ROWS);
			const done = await database.transact(addWavePage, { name, size, audience, keys, now, also });
			if (!done) return added;
			n += done.looked;
			added += done.added;
		}
	}
	return added;
}

export async function sendWave(
	sending: Sending,
	asked: WaveRequest,
	selection: WaveSelection,
	{ adding, open }: { adding: number; open: readonly CheckResult[] },
	{ despiteGap = false, noImprint = false },
): Promise<number> {
	if (!despiteGap) await refuseWhileEmailsUnknown(sending.database);
	if (adding > 0 && !noImprint) refuseWithoutImprint(open);
	const note = sending.note("wave sent", `${asked.name}: ${adding}`);
	return addWave(sending, asked, selection, { note });
}

/** Invites one person by adding or enlarging a wave. Returns false if they may not get an invitation. */
export async function invitePerson(
	sending: Sending,
	{ key, wave: name, unconfirmed }: { key: string; wave: string; unconfirmed: boolean },
	facts: BrandFacts = brand,
): Promise<boolean> {
	const { database, now } = sending;
	await refuseWhileEmailsUnknown(database);
	refuseWithoutImprint(checkImprint(facts).filter(({ ok }) => !ok));
	const wave = await findWave(database, name);
	const size = Math.max(wave?.size ?? 0, 1 + (await countWaveEmails(database, name)));
	const asked = { name, kind: "invitation" as const, size };
	// Checked here too: a Refusal loses its type in the database thread.
	mergeWaveRequest(asked, wave, now);
	const selection = { keys: [key], uninvited: true, unconfirmed };
	const also = sending.note("person invited", name);
	return (await addWave(sending, asked, selection, { also })) > 0;
}
