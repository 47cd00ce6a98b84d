import { countWhere, keysIn, type Statement, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import { BURST } from "../../registrations/flags.ts";
import type { Wave } from "../wave/wave.ts";
import { type Standing, whyNot } from "./may-get.ts";

/** Which people a wave is for. */
export interface Audience {
	/** Also people who have not confirmed their address. */
	unconfirmed: boolean;
	/** Only people whom no wave has invited; an invitation goes to nobody else. */
	uninvited: boolean;
}

/** A person, or several of whom the same is known, as a wave sees them. Each fact is 0 or 1. */
export interface WaveFacts {
	flag: string;
	left: number;
	bounced: number;
	confirmed: number;
	had: number;
}

/**
 * SQL for the facts of a registration. An email of the same wave counts as had, and an invitation of any wave
 * where the wave invites or is for uninvited people. One that was taken back does not.
 */
export const factsFor = (
	{ name, kind }: Pick<Wave, "name" | "kind">,
	{ uninvited }: Audience,
): Statement => sql`flag,
	CASE WHEN unsubscribed_at <> '' THEN 1 ELSE 0 END AS "left",
	CASE WHEN bounced_at <> '' THEN 1 ELSE 0 END AS bounced,
	CASE WHEN confirmed_at <> '' THEN 1 ELSE 0 END AS confirmed,
	CASE WHEN EXISTS (
		SELECT 1 FROM email WHERE email.email_key = registration.email_key AND reason <> 'cancelled'
			AND (wave = ${name} OR kind = ${uninvited || kind === "invitation" ? "invitation" : ""})
	) THEN 1 ELSE 0 END AS had`;

/** Why people get no email of a wave: each is counted for the first reason that holds. */
export interface Eligibility {
	/** All who are selected. */
	selected: number;
	left: number;
	bounced: number;
	/** The honeypot or the operator has flagged them. */
	flagged: number;
	/** They are in a burst that was not released. */
	burst: number;
	/** They have had an email of this wave, or an invitation where it counts. */
	had: number;
	unconfirmed: number;
	/** All others: they may get one. */
	eligible: number;
}

/** The count that a person belongs to. */
export function countedAs(
	facts: WaveFacts,
	{ kind }: Pick<Wave, "kind">,
	{ unconfirmed }: Audience,
): Exclude<keyof Eligibility, "selected"> {
	const time = (fact: number) => (fact === 1 ? "then" : "");
	const standing: Standing = {
		flag: facts.flag,
		unsubscribedAt: time(facts.left),
		bouncedAt: time(facts.bounced),
		confirmedAt: time(facts.confirmed),
	};
	const reason = whyNot(standing, { kind });
	if (reason === "flagged") return facts.flag === BURST ? "burst" : "flagged";
	if (reason === "left" || reason === "bounced") return reason;
	if (facts.had === 1) return "had";
	return facts.confirmed === 1 || unconfirmed ? "eligible" : "unconfirmed";
}

/**
 * Counts people by why they get no email of a wave: the database groups them by what is known of them.
 *
 * @param selected SQL for the registrations that are counted
 */
export async function countEligible(
	tx: Tx,
	wave: Pick<Wave, "name" | "kind">,
	audience: Audience,
	selected: Statement,
): Promise<Eligibility> {
	const groups = await tx.all(sql<WaveFacts & { people: number }>`
		SELECT flag, "left", bounced, confirmed, had, ${countWhere(sql`TRUE`)} AS people
		FROM (SELECT ${factsFor(wave, audience)} FROM registration WHERE ${selected}) AS facts
		GROUP BY flag, "left", bounced, confirmed, had`);
	const counts = { left: 0, bounced: 0, flagged: 0, burst: 0, had: 0, unconfirmed: 0, eligible: 0 };
	let selectedPeople = 0;
	for (const group of groups) {
		counts[countedAs(group, wave, audience)] += group.people;
		selectedPeople += group.people;
	}
	return { selected: selectedPeople, ...counts };
}

/** The people among these keys who may get an email of a wave now, locked, and whether they confirmed. */
export async function eligibleAmong(
	tx: Tx,
	wave: Pick<Wave, "name" | "kind">,
	audience: Audience,
	keys: readonly string[],
): Promise<{ key: string; confirmed: number }[]> {
	const people = await tx.all(sql<WaveFacts & { key: string }>`
		SELECT email_key AS "key", ${factsFor(wave, audience)} FROM registration
		WHERE email_key IN ${keysIn(keys)}
		FOR UPDATE SKIP LOCKED`);
	return people.filter((person) => countedAs(person, wave, audience) === "eligible");
}
