import { type Statement, statement } from "../../database/database.ts";
import { type Dialect, keysAsJson } from "../../database/dialect.ts";
import { isoOf, type TakenLetter } from "../letter.ts";
import { putBackSome } from "../table/letter-changes.ts";
import { isDueIn } from "../table/letter-counts.ts";
import { toDomains } from "../table/tried-letters.ts";

/** A try that takes longer holds others up: a usual one takes well under a second. */
export const SLOW_MS = 10_000;

/** For how long a domain counts as slow. */
const REMEMBERED_MS = 60 * 60_000;

/** How many slow domains are remembered: a statement names all of them. */
const MOST_DOMAINS = 20;

/** The share of the connections that letters to slow domains may hold together. */
const SHARE = 2 / 5;

/**
 * The time between two letters that come back after they were put back. A slow one takes
 * {@link SLOW_MS}, so connections never wait for the next one.
 */
export const BETWEEN_MS = 200;

/** The longest that one is away, however many there are: the database still knows it after a restart. */
export const MOST_AHEAD_MS = 60_000;

/** What letters to slow domains a turn may take. */
export interface SlowRoom {
	/** Domains as `ownedDomain` gives them. Their subdomains count as well. */
	domains: readonly string[];
	/** There are more domains than are remembered: letters of no wave count as slow while one of a wave is due. */
	isCrowded: boolean;
	letters: number;
	/** When letters beyond that can be taken again, in ms since 1970. */
	until: number;
}

/** The domains whose letters took long, as far as this sender knows. */
export interface SlowDomains {
	/** Notes that a letter has been under way for {@link SLOW_MS}. Gives whether that is new. */
	note(domain: string): boolean;
	/** Takes a note back: it was the mail server that took long, whoever the letter was for. */
	forget(domain: string): void;
	/**
	 * The room for the next turn; undefined while no domain is slow.
	 *
	 * @param underWay each letter under way, with its domain
	 */
	room(underWay: ReadonlyMap<Pick<TakenLetter, "wave">, string>): SlowRoom | undefined;
	/** Counts letters that a turn put back. */
	putBack(letters: number): void;
	/** Whether letters that were put back are still to come back. */
	waits(): boolean;
}

/**
 * Keeps the letters of a few domains from holding all connections. A relay may ask a recipient's mail
 * server before it answers, and the owner of a domain may let it wait: with letters to 20 such
 * addresses everybody else waited for 48 s. Where there are more domains than are remembered,
 * somebody types them, and what asks to confirm counts as slow while letters of a wave are due. It is known in memory only: each copy of the
 * server has connections of its own.
 *
 * @param connections of this sender
 */
export function rememberSlowDomains(connections: number, now: () => number): SlowDomains {
	/** When each was noted, the latest at the end. */
	const noted = new Map<string, number>();
	const most = Math.max(1, Math.floor(connections * SHARE));
	let backAt = 0;
	/** When the last of the next letters comes back that are put back. */
	const backAfter = (letters: number) =>
		Math.min(Math.max(backAt, now()) + letters * BETWEEN_MS, now() + MOST_AHEAD_MS);

	return {
		note(domain) {
			const isNew = !noted.delete(domain);
			noted.set(domain, now());
			if (noted.size > MOST_DOMAINS) noted.delete(noted.keys().next().value!);
			return isNew;
		},
		forget: (domain) => void noted.delete(domain),
		room(underWay) {
			for (const [domain, ms] of noted) if (ms + REMEMBERED_MS <= now()) noted.delete(domain);
			if (noted.size === 0) return undefined;
			const isCrowded = noted.size === MOST_DOMAINS;
			const held = [...underWay].filter(
				([{ wave }, domain]) => noted.has(domain) || (isCrowded && wave === ""),
			).length;
			return {
				domains: [...noted.keys()],
				isCrowded,
				letters: Math.max(0, most - held),
				until: backAfter(1),
			};
		},
		putBack(letters) {
			backAt = backAfter(letters);
		},
		waits: () => backAt > now(),
	};
}

const WAVES_FIRST = `(wave = '' AND ${isDueIn("waves", "$5")}) OR`;

/** Puts back letters to slow domains that a turn took beyond the room: none of these was a try. */
export function putBackSlow(
	dialect: Dialect,
	claim: string,
	ms: number,
	{ domains, isCrowded, letters, until }: SlowRoom,
): Statement {
	const sql = putBackSome(`${isCrowded ? WAVES_FIRST : ""} ${toDomains(dialect)}`);
	const now = isCrowded ? [isoOf(ms)] : [];
	return statement(sql, keysAsJson(domains), claim, isoOf(until), letters, ...now);
}
