import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { TakenLetter, TriedLetter } from "./letter.ts";
import type { Outbox } from "./outbox.ts";
import type { Outcome } from "./smtp.ts";

/** What sends the letters of an outbox. */
export interface Sender {
	/** Resolves when the sender has come to an end, and what it knows is on disk. */
	ended: Promise<void>;
	/**
	 * Takes no further letter, and waits for those that are under way.
	 *
	 * @param graceMs what is under way after this is given up: `cut` is called
	 */
	close(graceMs: number): Promise<void>;
}

/** What a sender works with. */
export interface SenderSettings {
	outbox: Outbox;
	/** Writes one letter and brings it to the mail server. It never throws. */
	carry(letter: TakenLetter): Promise<Outcome & { version: string }>;
	/** Breaks off what {@link carry} is doing, which then tells how far it came. */
	cut(): void;
	/** Letters under way at the same time, and so the most that a killed process leaves unknown. */
	connections: number;
	/** Whether to come to an end as soon as nothing can be sent. */
	once?: boolean | undefined;
	log: Log;
	/** Told of each try. */
	onTried?: ((letter: TakenLetter, outcome: Outcome) => void) | undefined;
	/** How often to look whether there is something to send. */
	lookMs?: number;
	now?: () => number;
	/** Between 0 and 1. */
	random?: () => number;
}

const MINUTE_MS = 60_000;

/** How long the outbox rests when the mail server cannot be reached: at first, and at most. */
const CLOSED_MS = [MINUTE_MS, 15 * MINUTE_MS] as const;

/** How long it rests when the mail server refuses us, whoever the letter is for. */
const OURS_MS = 15 * MINUTE_MS;

/** So many letters are accepted for each one for which we may be refused without a pause. */
const TRUSTED = 20;

/** When a letter is tried again that the mail server has put off: at first, and at most. */
const DEFERRED_MS = [5 * MINUTE_MS, 2 * 24 * 60 * MINUTE_MS] as const;

/** After so many tries, about four days, a letter is refused. */
const MOST_TRIES = 11;

/**
 * Sends the letters of an outbox over a few connections. One loop takes turns with the outbox: each
 * turn writes down what became of letters and takes as many as there are free connections, in one
 * transaction. So a letter is on disk as being sent before a connection is used for it, and is never
 * sent twice: when the process dies, its fate is unknown.
 */
export function startSender(settings: SenderSettings): Sender {
	const { outbox, carry, cut, connections, once = false, log } = settings;
	const { onTried, lookMs = 1000, now = Date.now, random = Math.random } = settings;
	const tried: TriedLetter[] = [];
	let underWay = 0;
	let closing = false;
	let wake = () => {};
	/** How often in a row the mail server could not be reached. */
	let closures = 0;
	/** Whether the log says so. */
	let paused = false;
	/** How often the mail server took nothing from us. */
	let pauses = 0;
	/** Letters accepted since the mail server last refused us. */
	let trust = 0;
	let failing = false;

	async function work(): Promise<void> {
		for (;;) {
			const free = closing ? 0 : connections - underWay;
			if (tried.length === 0) {
				if (underWay === 0 && closing) return;
				if (free === 0) {
					await somethingEnds();
					continue;
				}
			}
			const took = await takeTurn(free);
			if (took > 0 || tried.length > 0 || closing) continue;
			if (once && underWay === 0) return;
			await somethingEnds(lookMs);
		}
	}

	/** @returns how many letters were taken, or turned away */
	async function takeTurn(free: number): Promise<number> {
		const written = tried.splice(0);
		try {
			// A turn that failed may have taken letters, which only the next turn finds.
			if (written.length === 0 && !failing) {
				const { due, pause } = await outbox.look();
				if (!due || pause) return 0;
			}
			const { letters, turnedAway, lost, stopped } = await outbox.turn(written, free);
			if (failing) log("info", "outbox available again");
			failing = false;
			if (lost > 0) log("error", "letters unknown", { letters: lost });
			if (stopped) log("error", "letters paused", { reason: "too many addresses do not exist" });
			for (const letter of letters) void send(letter);
			return letters.length + turnedAway;
		} catch (error) {
			// Said again later: it changes nothing if it has been heard.
			tried.unshift(...written);
			if (once) throw error;
			if (!failing) log("error", "outbox unavailable", { error });
			failing = true;
			if (closing) tried.splice(0);
			else await wait(lookMs);
			return 0;
		}
	}

	async function send(letter: TakenLetter): Promise<void> {
		underWay += 1;
		const pausesBefore = pauses;
		const outcome = await carry(letter);
		onTried?.(letter, outcome);
		await pauseFor(outcome, pausesBefore);
		tried.push(triedLetter(letter, outcome));
		underWay -= 1;
		wake();
	}

	/** Where the mail server takes nothing from us, other letters would fare no better. */
	async function pauseFor(outcome: Outcome, pausesBefore: number): Promise<void> {
		const { state, code } = outcome;
		// One recipient's mail server, or a filter, may refuse what all others take.
		const rare = state === "ours" && outcome.atLetter && trust >= TRUSTED;
		trust = state === "ours" ? 0 : trust + (state === "accepted" ? 1 : 0);
		if ((state !== "ours" && state !== "closed") || rare) {
			closures = 0;
			// What was under way when the pause began does not end it.
			if (pauses > pausesBefore) return;
			if (paused && state !== "unknown") log("info", "letters go out again");
			if (state !== "unknown") paused = false;
			return;
		}
		const [first, most] = CLOSED_MS;
		const pauseMs = state === "ours" ? OURS_MS : Math.min(most, first * 2 ** closures);
		// Of letters that were under way together the last one counts.
		if (state === "closed" && underWay === 1) closures += 1;
		if (!paused) log("error", "letters paused", { code, reason: sentences[state] });
		paused = true;
		pauses += 1;
		const until = new Date(now() + pauseMs).toISOString();
		await outbox.pause({ until, reason: `${sentences[state]} (${code}).` }).catch(() => {});
	}

	function triedLetter(
		{ id, attempts }: TakenLetter,
		outcome: Outcome & { version: string },
	): TriedLetter {
		const { state, code, version } = outcome;
		if (outcome.state === "refused") return { id, ...outcome };
		if (state === "accepted" || state === "unknown") return { id, state, code, version };
		// The mail server did not hear of this letter.
		if (outcome.state === "closed" || (outcome.state === "ours" && !outcome.atLetter)) {
			return { id, state: "waiting", nextAt: now(), code, version };
		}
		if (attempts >= MOST_TRIES) return { id, state: "refused", code, version };
		const [first, most] = DEFERRED_MS;
		// Jitter: letters that were put off together do not come back together.
		const ms = Math.min(most, first * 2 ** (attempts - 1)) * (0.75 + random() / 2);
		return { id, state: "deferred", nextAt: now() + Math.round(ms), code, version };
	}

	function somethingEnds(ms?: number): Promise<void> {
		return new Promise((resolve) => {
			const late = ms === undefined ? undefined : setTimeout(resolve, ms);
			wake = () => {
				clearTimeout(late);
				resolve();
			};
		});
	}

	const ended = work();
	return {
		ended,
		async close(graceMs) {
			closing = true;
			wake();
			const late = setTimeout(cut, graceMs);
			await ended;
			clearTimeout(late);
		},
	};
}

const sentences = {
	ours: "The mail server refuses what we send, whoever it is for",
	closed: "The mail server cannot be reached, or is busy",
};
