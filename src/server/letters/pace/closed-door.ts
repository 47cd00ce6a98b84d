import { DAY_MS } from "../../time.ts";
import type { TriedLetter } from "../letter.ts";
import { ownerOf } from "./address-owner.ts";
import { LONGEST_PAUSE_MS } from "./trouble.ts";

/**
 * How many owners of addresses have to be put off in a row with one code, until we believe that the mail
 * server means us: two where the code names a quota. It may pass on what a recipient's own server says,
 * so one answer proves nothing.
 */
const OWNERS = { quota: 2, other: 5 };

/** Letters in a row that count also where one company owns all addresses. */
const LETTERS = 30;

/** For how long an owner says nothing who was put off while others passed. */
const DISCREDITED_MS = 2 * DAY_MS;

/**
 * So often is an owner put off alone, by a code that names a quota, until that is a try of the letter. The
 * window of a quota moves: it may let one letter in and not the next, for days. Each time the letter comes
 * back twice as late, up to half a day, so that it is tried for a week and takes little of the rate.
 */
const ALONE = 10;

export const LONGEST_ALONE_MS = DAY_MS / 2;

/** How many such owners are remembered: the latest. */
const MOST_DISCREDITED = 1000;

/** Letters that were put off with one code since one last passed. */
interface Run {
	owners: Set<string>;
	letters: number;
	/** What was written down as tries of letters, and were none if the door is closed. */
	tries: { letter: TriedLetter; owner: string }[];
}

/** Whether the mail server takes letters at all, as far as this sender knows. */
export interface Door {
	/**
	 * Notes that a letter was put off.
	 *
	 * @param tried the letter as it is written down if this was about it alone
	 * @param key its person's canonical address
	 * @returns whether all letters would be put off, and what is to be written down instead
	 */
	putOff(
		tried: TriedLetter,
		key: string,
		answer: { quota?: true },
	): { closed: boolean; tried: TriedLetter[] };
	/** Notes that a letter passed: whoever was put off until now was put off alone. */
	passed(): void;
}

/**
 * Promise 79: tells a mail server that takes nothing more from us (a quota is used up, its disk is
 * full) from one that puts off single letters. Else each letter would knock at a closed door by itself,
 * and burn its tries there.
 *
 * Nobody closes it by domains of their own for long: a letter that showed it comes back after the longest
 * pause, and its domain is doubted (trouble.ts), so that others are tried first. Once one of these has
 * passed, owners who were put off say nothing for two days, unless {@link LETTERS} letters are put off in a
 * row. That the door is closed is a pause, which all copies share; what shows it is in memory only, so
 * that each copy finds out by a few letters, which lose nothing.
 */
export function watchDoor(now: () => number): Door {
	/** By the code of the answer. */
	const runs = new Map<string, Run>();
	/** Owners who were put off while others passed: how often, and until when that counts. */
	const discredited = new Map<string, { times: number; until: number }>();
	const timesAlone = (owner: string) => {
		const { times, until } = discredited.get(owner) ?? { times: 0, until: 0 };
		return until > now() ? times : 0;
	};

	/** At a large provider nobody owns the domain. */
	const untried = ({ letter, owner }: Run["tries"][number], times = 0): TriedLetter => ({
		...letter,
		state: "waiting",
		nextAt: now() + Math.min(LONGEST_PAUSE_MS * 2 ** times, LONGEST_ALONE_MS),
		...(!owner.includes("@") && { doubt: { cause: "quota", code: letter.code, domain: owner } }),
	});

	return {
		putOff(tried, key, { quota = false }) {
			const run = runs.get(tried.code) ?? { owners: new Set(), letters: 0, tries: [] };
			runs.set(tried.code, run);
			const owner = ownerOf(key);
			run.letters += 1;
			run.owners.add(owner);
			const credited = [...run.owners].filter((owner) => timesAlone(owner) === 0).length;
			if (credited >= (quota ? OWNERS.quota : OWNERS.other) || run.letters >= LETTERS) {
				const tries = [...run.tries.splice(0), { letter: tried, owner }];
				return { closed: true, tried: tries.map((none) => untried(none)) };
			}
			const times = timesAlone(owner);
			if (quota && times < ALONE) {
				return { closed: false, tried: [untried({ letter: tried, owner }, times)] };
			}
			run.tries.push({ letter: tried, owner });
			return { closed: false, tried: [tried] };
		},
		passed() {
			for (const { owners } of runs.values()) {
				for (const owner of owners) {
					const times = timesAlone(owner) + 1;
					// The latest are at the end.
					discredited.delete(owner);
					discredited.set(owner, { times, until: now() + DISCREDITED_MS });
					if (discredited.size > MOST_DISCREDITED) {
						discredited.delete(discredited.keys().next().value!);
					}
				}
			}
			runs.clear();
		},
	};
}
