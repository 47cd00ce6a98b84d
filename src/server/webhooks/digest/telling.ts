import type { SharedDatabase } from "../../database/database.ts";
import { furthest } from "../../database/waits.ts";
import type { Log } from "../../log.ts";
import { readPause } from "../../mail/rate/pauses.ts";
import { countBySource, countByTime, countRegistrations } from "../../registrations/people.ts";
import { lastBackup } from "../../transfer/last-backup.ts";
import { MOST_WAIT_MS } from "../post.ts";
import type { Say } from "./chat.ts";
import { digestOf, milestoneOf, type Seen } from "./digest.ts";
import { changeDigest, type DigestState, readDigestState } from "./digest-state.ts";

/** Between two messages: Slack hides what comes more often, and people stop to read. */
const EVERY_MS = 600_000;

/** A join is in the database within so many ms of its time, or refused (promise 57). */
const SETTLED_MS = 5000;

/** How often a copy looks whether it is time. */
const LOOK_MS = 15_000;

/** What telling a team takes. */
export interface TellingSettings {
	database: SharedDatabase;
	say: Say;
	/** Joins that limits have refused in this process: all of them, and from how many networks now. */
	refusals(): { all: number; networks: number };
	log: Log;
	now?: () => number;
	lookMs?: number;
}

/** Something that tells a team. */
export interface Telling {
	/** Tells what is new, if it is time. Never throws. */
	look(): Promise<void>;
	/** Looks no more, and cuts off a message under way. */
	close(): Promise<void>;
}

const isoOf = (ms: number) => new Date(ms).toISOString();

/**
 * Tells a team what is new on its waitlist, in one message of ten minutes at most, over all copies of the
 * server, restarts and kills. A note in the database says what was told, and whoever changes it tells. A
 * copy that dies in between leaves a message out: none is sent twice.
 */
export function startTelling(settings: TellingSettings): Telling {
	const { database, say, refusals, log, now = Date.now, lookMs = LOOK_MS } = settings;
	const closing = new AbortController();
	let looking = Promise.resolve();
	/** Refused joins that the state includes. */
	let noted = refusals().all;
	/** Whether the log says so. */
	let failing = false;

	const change = (by: Parameters<typeof changeDigest>[1]) => database.transact(changeDigest, by);

	async function tell(): Promise<void> {
		const at = now();
		const [until, nextAt] = [isoOf(at - SETTLED_MS), isoOf(at + EVERY_MS)];
		await addRefused();
		const before = await readDigestState(database.query);
		if (!before) {
			const milestone = milestoneOf(await countRegistrations(database.query));
			const to = { until, nextAt, milestone, pause: "", backup: "" };
			await change({ of: undefined, to, refused: 0, networks: 0 });
			return;
		}
		// A wrong clock wrote what is further ahead.
		if (isoOf(at) < before.nextAt && before.nextAt <= furthest(at, MOST_WAIT_MS)) return;
		const { text, told } = digestOf(await see(database, before, until, at), before, at);
		const to = { ...told, until, nextAt };
		const claimed = await change({ of: before.until, to, refused: -before.refused, networks: 0 });
		if (!claimed || text === "") return;
		const { taken, unknown, code, waitMs } = await say(text, closing.signal);
		if (taken) {
			if (failing) log("info", "digest sent again");
			failing = false;
			return;
		}
		sayFailed(code);
		if (unknown) return;
		// The next digest includes what this one would have said.
		const later = { ...before, nextAt: isoOf(at + Math.max(EVERY_MS, waitMs)) };
		const { refused, networks } = before;
		await change({ of: until, to: later, refused, networks });
	}

	async function addRefused(): Promise<void> {
		const { all, networks } = refusals();
		if (all === noted) return;
		const state = await readDigestState(database.query);
		if (!state) return;
		const added = { of: state.until, to: state, refused: all - noted, networks };
		if (await change(added)) noted = all;
	}

	/** @param reason a code, or an error of the database */
	function sayFailed(reason: unknown): void {
		if (!failing) log("error", "digest not sent", { reason });
		failing = true;
	}

	function look(): Promise<void> {
		looking = looking.then(() => (closing.signal.aborted ? undefined : tell().catch(sayFailed)));
		return looking;
	}

	const looks = setInterval(look, lookMs).unref();
	void look();
	return {
		look,
		async close() {
			clearInterval(looks);
			closing.abort();
			await looking;
		},
	};
}

async function see(
	database: SharedDatabase,
	{ until: last, refused, networks }: DigestState,
	until: string,
	at: number,
): Promise<Seen> {
	const { query } = database;
	const from = last < until ? last : until;
	const [joined] = await countByTime(database, [{ name: "", from, to: until }]);
	const [largest] = joined!.count > 0 ? await countBySource(query, 1, from) : [];
	return {
		ms: Date.parse(until) - Date.parse(from),
		joined: joined!.count,
		fromLargest: largest?.count ?? 0,
		total: await countRegistrations(query),
		pause: (await readPause(query, new Date(at)))?.cause ?? "",
		backup: (await lastBackup(query))?.madeAt ?? "",
		refused,
		networks,
	};
}
