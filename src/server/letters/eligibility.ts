import { collect, type Database, type Put } from "../database/database.ts";
import { countWhere } from "../database/dialect.ts";
import { isInvitation, TAKEN_BACK } from "./letter.ts";
import { type Wave, wavesIn } from "./wave/wave.ts";
import { HAS_BOUNCED, HAS_LEFT, personOf, UNREACHABLE } from "./who-may.ts";

/** Which people a wave is for. */
export interface Audience {
	/** Also people who have not confirmed their address. */
	unconfirmed: boolean;
	/** Only people whom no wave has invited; an invitation goes to nobody else. */
	uninvited: boolean;
}

/** SQL for a registration that the trap has marked. */
const MARKED = "registration.flags <> ''";

/**
 * SQL for the letters that keep their people from getting one of a wave: those of the same wave, and
 * where an invitation counts, those of all waves that invited. Whatever was taken back does not count.
 */
function had({ name, kind }: Pick<Wave, "name" | "kind">, { uninvited }: Audience, put: Put) {
	const orInvited = uninvited || kind === "invitation" ? " OR kind = 'invitation'" : "";
	return `letter.wave IN (SELECT name FROM wave WHERE name = ${put(name)}${orInvited})
		AND letter.wave <> '' AND letter.code <> '${TAKEN_BACK}'`;
}

/**
 * SQL for a registration whose person may get a letter of a wave now: nobody whom the trap has marked,
 * who left or bounced, who has had one, or has not confirmed where the wave is for those who have.
 */
export function mayGet(wave: Pick<Wave, "name" | "kind">, audience: Audience, put: Put): string {
	const person = personOf("registration");
	return [
		`NOT (${MARKED})`,
		audience.unconfirmed
			? `NOT EXISTS (${person} AND ${UNREACHABLE})`
			: `EXISTS (${person} AND confirmed_at <> '' AND NOT ${UNREACHABLE})`,
		`NOT EXISTS (
			SELECT 1 FROM letter WHERE letter.email_key = registration.email_key
				AND ${had(wave, audience, put)}
		)`,
	].join(" AND ");
}

/**
 * The same once more as a letter is taken, since much may have happened since it was asked for: SQL for
 * why it is not sent, in the code of its row; '' where it is. Its wave may be cancelled by now, and of
 * several that would invite a person the first one does. That they had not confirmed was the operator's
 * choice.
 */
export const REASON_NOT_TO_SEND = `CASE
	WHEN letter.wave IN ${wavesIn("cancelled")} THEN '${TAKEN_BACK}'
	WHEN letter.redeemed_at <> '' THEN 'redeemed'
	ELSE COALESCE(
		(SELECT CASE WHEN ${HAS_LEFT} THEN 'left' WHEN ${HAS_BOUNCED} THEN 'bounced' END
			FROM recipient WHERE recipient.email_key = letter.email_key),
		(SELECT CASE WHEN ${MARKED} THEN 'flagged' END
			FROM registration WHERE registration.email_key = letter.email_key),
		(SELECT 'invited' FROM letter AS other
			WHERE letter.kind = 'invitation' AND other.email_key = letter.email_key
				AND ${isInvitation("other")} AND other.wave <> letter.wave AND other.expires_at <> ''
				AND (other.claim <> letter.claim OR other.wave < letter.wave)
			LIMIT 1),
		'')
END`;

/** Why people get no letter of a wave: each is counted for the first reason that holds. */
export interface Eligibility {
	/** All who are selected. */
	selected: number;
	left: number;
	bounced: number;
	flagged: number;
	/** They have had a letter of this wave, or an invitation where it counts. */
	had: number;
	unconfirmed: number;
	/** All others: they may get one. */
	eligible: number;
}

/**
 * Counts people by why they get no letter of a wave.
 *
 * Nothing reads a million registrations with all that is known of them, which takes SQLite 20 s:
 * recipients are read in the order of their table, and the few who are marked or had a letter are
 * looked up.
 *
 * @param selected conditions in SQL for the registrations that are counted, each to hold
 */
export async function countEligible(
	{ query }: Pick<Database, "query">,
	wave: Pick<Wave, "name" | "kind">,
	audience: Audience,
	selected: (put: Put) => readonly string[],
): Promise<Eligibility> {
	type Counts<Name extends string> = Record<Name, number>;
	const count = (condition: string, name: string) => `${countWhere(condition)} AS "${name}"`;
	async function ask<Name extends string>(
		sql: (where: string, put: Put) => string,
		conditions: readonly string[] = [],
	): Promise<Counts<Name>> {
		const { parameters, put } = collect();
		const all = [...selected(put), ...conditions];
		const where = all.length > 0 ? `WHERE ${all.join(" AND ")}` : "";
		const [row] = await query<Counts<Name>>(sql(where, put), parameters);
		return row!;
	}
	const withRecipient = "LEFT JOIN recipient ON recipient.email_key = registration.email_key";
	const reachable = `NOT COALESCE(${UNREACHABLE}, FALSE)`;
	const confirmedOf = `${count("confirmed_at <> ''", "confirmed")}, ${count("true", "all")}`;
	const isFiltered = selected(collect().put).length > 0;
	const { total } = await ask<"total">(
		(where) => `SELECT ${count("true", "total")} FROM registration ${where}`,
	);
	const { left, bounced, confirmed } = await ask<"left" | "bounced" | "confirmed">(
		(where) => `SELECT ${count(HAS_LEFT, "left")},
			${count(`NOT ${HAS_LEFT} AND ${HAS_BOUNCED}`, "bounced")},
			${count(`confirmed_at <> '' AND NOT ${UNREACHABLE}`, "confirmed")}
		FROM recipient
		${isFiltered ? "JOIN registration ON registration.email_key = recipient.email_key" : ""} ${where}`,
	);
	const flagged = await ask<"confirmed" | "all">(
		(where) => `SELECT ${confirmedOf} FROM registration ${withRecipient} ${where}`,
		[reachable, MARKED],
	);
	const before = await ask<"confirmed" | "all">(
		(where, put) => `SELECT ${confirmedOf} FROM registration ${withRecipient} ${where}
			AND registration.email_key IN (
				SELECT letter.email_key FROM letter WHERE ${had(wave, audience, put)}
			)`,
		[reachable, `NOT (${MARKED})`],
	);
	const ready = confirmed - flagged.confirmed - before.confirmed;
	const others = total - left - bounced - flagged.all - before.all - ready;
	return {
		...{ selected: total, left, bounced, flagged: flagged.all, had: before.all },
		unconfirmed: audience.unconfirmed ? 0 : others,
		eligible: audience.unconfirmed ? ready + others : ready,
	};
}
