import { countWhere, keysIn, type Statement, sql, type Tx } from "../database/sql.ts";
import { type Standing, whyNot } from "../mail/emails/email.ts";
import type { Wave } from "../mail/waves.ts";
import { BURST } from "../registrations/flags.ts";

/** Which people a wave is for. */
export interface Audience {
	/** Also people who have not confirmed their address. */
	unconfirmed: boolean;
	/** Only people whom no wave has invited; an invitation goes to nobody else. */
	uninvited: boolean;
}

/** A person as a wave sees them. Times are only '' or not; `had` is 0 or 1. */
export interface Candidate extends Standing {
	had: number;
}

/**
 * The columns of a {@link Candidate}. An email of the same wave counts as had, and an invitation of any wave
 * if the wave invites or is for uninvited people.
 */
export const candidateFor = (
	{ name, kind }: Pick<Wave, "name" | "kind">,
	{ uninvited }: Audience,
): Statement => sql`flag,
	CASE unsubscribed_at WHEN '' THEN '' ELSE 'then' END AS "unsubscribedAt",
	CASE bounced_at WHEN '' THEN '' ELSE 'then' END AS "bouncedAt",
	CASE confirmed_at WHEN '' THEN '' ELSE 'then' END AS "confirmedAt",
	CASE WHEN EXISTS (
		SELECT 1 FROM email WHERE email.email_key = registration.email_key AND reason <> 'cancelled'
			AND (wave = ${name} OR kind = ${uninvited || kind === "invitation" ? "invitation" : ""})
	) THEN 1 ELSE 0 END AS had`;

/** How many people get no email of a wave, each counted for the first reason that holds. */
export interface Eligibility {
	selected: number;
	left: number;
	bounced: number;
	/** Flagged by the honeypot or the founder. */
	flagged: number;
	burst: number;
	/** They have had an email of this wave, or an invitation. */
	had: number;
	unconfirmed: number;
	/** All others. */
	eligible: number;
}

export function countedAs(
	person: Candidate,
	{ kind }: Pick<Wave, "kind">,
	{ unconfirmed }: Audience,
): Exclude<keyof Eligibility, "selected"> {
	const reason = whyNot(person, { kind });
	if (reason === "flagged") return person.flag === BURST ? "burst" : "flagged";
	if (reason === "left" || reason === "bounced") return reason;
	if (person.had === 1) return "had";
	return person.confirmedAt !== "" || unconfirmed ? "eligible" : "unconfirmed";
}

/** Counts selected registrations: the database groups those that look alike. */
export async function countEligible(
	tx: Tx,
	wave: Pick<Wave, "name" | "kind">,
	audience: Audience,
	selected: Statement,
): Promise<Eligibility> {
	const columns = sql`flag, "unsubscribedAt", "bouncedAt", "confirmedAt", had`;
	const groups = await tx.all(sql<Candidate & { people: number }>`
		SELECT ${columns}, ${countWhere(sql`TRUE`)} AS people
		FROM (SELECT ${candidateFor(wave, audience)} FROM registration WHERE ${selected}) AS candidates
		GROUP BY ${columns}`);
	const none = { left: 0, bounced: 0, flagged: 0, burst: 0, had: 0, unconfirmed: 0, eligible: 0 };
	const counts = { selected: 0, ...none };
	for (const group of groups) {
		counts[countedAs(group, wave, audience)] += group.people;
		counts.selected += group.people;
	}
	return counts;
}

/** Locks the people among these keys who may get an email of a wave now. */
export async function eligibleAmong(
	tx: Tx,
	wave: Pick<Wave, "name" | "kind">,
	audience: Audience,
	keys: readonly string[],
): Promise<(Candidate & { key: string })[]> {
	const people = await tx.all(sql<Candidate & { key: string }>`
		SELECT email_key AS "key", ${candidateFor(wave, audience)} FROM registration
		WHERE email_key IN ${keysIn(keys)} FOR UPDATE SKIP LOCKED`);
	return people.filter((person) => countedAs(person, wave, audience) === "eligible");
}
