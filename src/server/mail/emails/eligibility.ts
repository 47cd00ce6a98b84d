import type { SharedDatabase } from "../../database/database.ts";
import { countWhere } from "../../database/dialect.ts";
import { collect, type Put } from "../../database/statement.ts";
import {
	countPeople,
	countRecipientsWhere,
	countWithRecipients,
} from "../../registrations/people.ts";
import { HAS_BOUNCED, HAS_CONFIRMED, HAS_LEFT, personOf } from "../../registrations/recipients.ts";
import { IS_BURST } from "../../registrations/registrations.ts";
import type { Wave } from "../wave/wave.ts";
import { wavesWhere } from "../wave/waves.ts";
import { because } from "./letter.ts";
import { letterTo, withLetter } from "./letters.ts";
import { UNREACHABLE } from "./reachable.ts";

/** Which people a wave is for. */
export interface Audience {
	/** Also people who have not confirmed their address. */
	unconfirmed: boolean;
	/** Only people whom no wave has invited; an invitation goes to nobody else. */
	uninvited: boolean;
}

/** SQL for a registration that is marked: by the honeypot, by hand, or as one of a burst. */
const MARKED = "registration.flags <> ''";

/**
 * SQL for the letters that keep their people from getting one of a wave: letters of the same wave, and
 * where an invitation counts, letters of all waves that invited. A letter that was taken back does not count.
 */
function had({ name, kind }: Pick<Wave, "name" | "kind">, { uninvited }: Audience, put: Put) {
	const orInvited = uninvited || kind === "invitation" ? " OR kind = 'invitation'" : "";
	return `letter.wave IN ${wavesWhere(`name = ${put(name)}${orInvited}`)}
		AND letter.wave <> '' AND NOT letter.${because("cancelled")}`;
}

/**
 * SQL for a registration whose person may get a letter of a wave now: a person who is not marked, has not
 * left or bounced, has had no such letter, and has confirmed unless the wave is for unconfirmed people too.
 */
export function mayGet(wave: Pick<Wave, "name" | "kind">, audience: Audience, put: Put): string {
	const person = personOf("registration");
	return [
		`NOT (${MARKED})`,
		audience.unconfirmed
			? `NOT EXISTS (${person} AND ${UNREACHABLE})`
			: `EXISTS (${person} AND ${HAS_CONFIRMED} AND NOT ${UNREACHABLE})`,
		`NOT EXISTS (${letterTo("registration")} AND ${had(wave, audience, put)})`,
	].join(" AND ");
}

/** Why people get no letter of a wave: each is counted for the first reason that holds. */
export interface Eligibility {
	/** All who are selected. */
	selected: number;
	left: number;
	bounced: number;
	/** The honeypot or the operator has marked them. */
	flagged: number;
	/** They are in a burst that was not released. */
	burst: number;
	/** They have had a letter of this wave, or an invitation where it counts. */
	had: number;
	unconfirmed: number;
	/** All others: they may get one. */
	eligible: number;
}

/**
 * Counts people by why they get no letter of a wave.
 *
 * Recipients are read in the order of their table, and the few who are marked or had a letter are looked
 * up, because SQLite takes 20 s to join a million registrations with all that is known of them.
 *
 * @param selected conditions in SQL for the registrations that are counted, each to hold
 */
export async function countEligible(
	{ query }: Pick<SharedDatabase, "query">,
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
	const reachable = `NOT COALESCE(${UNREACHABLE}, FALSE)`;
	const confirmedOf = `${count(HAS_CONFIRMED, "confirmed")}, ${count("true", "all")}`;
	const { total } = await ask<"total">((where) => countPeople(count("true", "total"), where));
	const { left, bounced, confirmed } = await ask<"left" | "bounced" | "confirmed">((where) =>
		countRecipientsWhere(
			[
				count(HAS_LEFT, "left"),
				count(`NOT ${HAS_LEFT} AND ${HAS_BOUNCED}`, "bounced"),
				count(`${HAS_CONFIRMED} AND NOT ${UNREACHABLE}`, "confirmed"),
			].join(", "),
			where,
		),
	);
	const marked = await ask<"confirmed" | "all" | "burst">(
		(where) => countWithRecipients(`${confirmedOf}, ${count(IS_BURST, "burst")}`, where),
		[reachable, MARKED],
	);
	const before = await ask<"confirmed" | "all">(
		(where, put) =>
			countWithRecipients(
				confirmedOf,
				`${where} AND registration.email_key IN ${withLetter(had(wave, audience, put))}`,
			),
		[reachable, `NOT (${MARKED})`],
	);
	const ready = confirmed - marked.confirmed - before.confirmed;
	const others = total - left - bounced - marked.all - before.all - ready;
	return {
		selected: total,
		left,
		bounced,
		flagged: marked.all - marked.burst,
		burst: marked.burst,
		had: before.all,
		unconfirmed: audience.unconfirmed ? 0 : others,
		eligible: audience.unconfirmed ? ready + others : ready,
	};
}
