import type { SharedDatabase } from "../database/database.ts";
import {
	countWhereSql,
	joinSql,
	keysOf,
	keysSql,
	readInPages,
	type Statement,
	sql,
	type Tx,
} from "../database/sql.ts";
import { reasonNotToSend } from "../mail/emails/email.ts";
import type { Wave } from "../mail/waves.ts";
import type { MailingStatus } from "../registrations/facts.ts";
import { BURST_FLAG } from "../registrations/flags.ts";

export interface WaveAudience {
	unconfirmed: boolean;
	/** Leaves out everyone whom a wave has invited, as invitations always do. */
	uninvited: boolean;
}

/** People from whom a wave chooses; everyone by default. */
export interface WaveSelection extends WaveAudience {
	source?: string | undefined;
	keys?: readonly string[] | undefined;
}

type Kind = Pick<Wave, "name" | "kind">;

/** Times are only '' or 'then', so that the database can group equal rows. */
interface Candidate extends MailingStatus {
	had: number;
}

/** `had` is 1 for people who already have this wave's email or, if invited people are left out, an invitation. */
const candidateFor = ({ name, kind }: Kind, { uninvited }: WaveAudience): Statement => sql`flag,
	CASE unsubscribed_at WHEN '' THEN '' ELSE 'then' END AS "unsubscribedAt",
	CASE bounced_at WHEN '' THEN '' ELSE 'then' END AS "bouncedAt",
	CASE confirmed_at WHEN '' THEN '' ELSE 'then' END AS "confirmedAt",
	CASE WHEN EXISTS (
		SELECT 1 FROM email WHERE email.email_key = registration.email_key AND reason <> 'canceled'
			AND (wave = ${name} OR kind = ${uninvited || kind === "invitation" ? "invitation" : ""})
	) THEN 1 ELSE 0 END AS had`;

function selectedBy({ source, keys }: WaveSelection): Statement {
	const all = [
		sql`TRUE`,
		...(source === undefined ? [] : [sql`source = ${source}`]),
		...(keys === undefined ? [] : [sql`registration.email_key IN ${keysSql(keys)}`]),
	];
	return joinSql(all, " AND ");
}

/** Returns `eligible`, or the first reason against this wave's email. */
function countedAs(person: Candidate, { kind }: Kind, { unconfirmed }: WaveAudience) {
	const reason = reasonNotToSend(person, { kind });
	if (reason === "flagged") return person.flag === BURST_FLAG ? "burst" : "flagged";
	if (reason === "unsubscribed" || reason === "bounced") return reason;
	if (person.had === 1) return "had";
	return person.confirmedAt !== "" || unconfirmed ? "eligible" : "unconfirmed";
}

/** Counts selected people by {@link countedAs}. The database groups people with equal facts first. */
export async function countEligiblePeople(tx: Tx, wave: Kind, selection: WaveSelection) {
	const columns = sql`flag, "unsubscribedAt", "bouncedAt", "confirmedAt", had`;
	const groups = await tx.all(sql<Candidate & { people: number }>`
		SELECT ${columns}, ${countWhereSql(sql`TRUE`)} AS people
		FROM (
			SELECT ${candidateFor(wave, selection)} FROM registration WHERE ${selectedBy(selection)}
		) AS candidates GROUP BY ${columns}`);
	const none = {
		unsubscribed: 0,
		bounced: 0,
		flagged: 0,
		burst: 0,
		had: 0,
		unconfirmed: 0,
		eligible: 0,
	};
	const counts = { selected: 0, ...none };
	for (const group of groups) {
		counts[countedAs(group, wave, selection)] += group.people;
		counts.selected += group.people;
	}
	return counts;
}

export async function lockEligiblePeople(
	tx: Tx,
	wave: Kind,
	audience: WaveAudience,
	keys: readonly string[],
): Promise<(Candidate & { key: string })[]> {
	const people = await tx.all(sql<Candidate & { key: string }>`
		SELECT email_key AS "key", ${candidateFor(wave, audience)} FROM registration
		WHERE email_key IN ${keysSql(keys)} FOR UPDATE SKIP LOCKED`);
	return people.filter((person) => countedAs(person, wave, audience) === "eligible");
}

const PAGE_ROWS = 1000;

interface Page {
	wave: Kind;
	selection: WaveSelection;
	after: Listed | undefined;
}

type Listed = Candidate & { key: string; at: string };

/** Reads people, earliest join first. Without the subquery, PostgreSQL computed `had` for a million people. */
export const readWaveCandidates = (tx: Tx, { wave, selection, after }: Page) =>
	tx.all(sql<Listed>`SELECT email_key AS "key", joined_at AS at, ${candidateFor(wave, selection)}
		FROM (
			SELECT * FROM registration
			WHERE (joined_at, email_key) > (${after?.at ?? ""}, ${after?.key ?? ""})
				AND ${selectedBy(selection)}
			ORDER BY joined_at, email_key LIMIT ${PAGE_ROWS}
		) AS registration ORDER BY joined_at, email_key`);

export async function* readEligiblePages(
	database: SharedDatabase,
	wave: Kind,
	selection: WaveSelection,
): AsyncGenerator<string[]> {
	const pages = readInPages<Listed>(PAGE_ROWS, (after) =>
		database.read(readWaveCandidates, { wave, selection, after }),
	);
	for await (const page of pages) {
		yield keysOf(page.filter((one) => countedAs(one, wave, selection) === "eligible"));
	}
}
