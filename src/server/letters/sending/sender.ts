import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "../../log.ts";
import { MINUTE_MS } from "../../time.ts";
import type { TakenLetter, TriedLetter } from "../letter.ts";
import { ownedDomain } from "../pace/address-owner.ts";
import { logSpeed } from "../pace/brake.ts";
import { watchDoor } from "../pace/closed-door.ts";
import { BETWEEN_MS, rememberSlowDomains, SLOW_MS } from "../pace/slow-domains.ts";
import { sentences, type Trouble } from "../pace/trouble.ts";
import type { SmtpOutcome } from "../smtp/smtp-outcome.ts";
import type { Outbox } from "./outbox.ts";

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
	outbox: Omit<Outbox, "brake">;
	/** Writes one letter and brings it to the mail server. It never throws. */
	carry(letter: TakenLetter): Promise<SmtpOutcome & { version: string }>;
	/** Breaks off what {@link carry} is doing, which then tells how far it came. */
	cut(): void;
	/** Letters under way at the same time, and so the most that a killed process leaves unknown. */
	connections: number;
	/** Whether to come to an end as soon as nothing can be sent. */
	once?: boolean | undefined;
	log: Log;
	/** Told of each try. */
	onTried?: ((letter: TakenLetter, outcome: SmtpOutcome) => void) | undefined;
	/** How often to look whether there is something to send. */
	lookMs?: number;
	/** How long a try may take before the domain of its letter counts as slow. */
	slowMs?: number;
	now?: () => number;
	/** Between 0 and 1. */
	random?: () => number;
}

/** When a letter is tried again that the mail server has put off: after this time, then twice as long each time. */
const DEFERRED_MS = 5 * MINUTE_MS;

/** The longest that an email waits after so many tries, or one more that did not count. */
export const longestRetryMs = (tries: number) => DEFERRED_MS * 2 ** tries * 1.25;

/** After so many tries, the last one 3.6 days after the first, a letter is refused. */
export const MOST_TRIES = 11;

/**
 * Sends the letters of an outbox over a few connections. One loop takes turns with the outbox: each
 * turn writes down what became of letters and takes as many as there are free connections, in one
 * transaction. So a letter is on disk as being sent before a connection is used for it, and is never
 * sent twice: when the process dies, its fate is unknown.
 */
export function startSender(settings: SenderSettings): Sender {
	const { outbox, carry, cut, connections, once = false, log } = settings;
	const { onTried, lookMs = 1000, slowMs = SLOW_MS } = settings;
	const { now = Date.now, random = Math.random } = settings;
	const slow = rememberSlowDomains(connections, now);
	const door = watchDoor(now);
	const tried: TriedLetter[] = [];
	/** The domain of each letter under way. */
	const underWay = new Map<TakenLetter, string>();
	let closing = false;
	let wake = () => {};
	/** Whether the log says so. */
	let paused = false;
	/** How often the mail server took nothing from us. */
	let pauses = 0;
	let failing = false;

	async function work(): Promise<void> {
		for (;;) {
			const free = closing ? 0 : connections - underWay.size;
			if (tried.length === 0) {
				if (underWay.size === 0 && closing) return;
				if (free === 0) {
					await somethingEnds();
					continue;
				}
			}
			// Before the look: what comes back after it would be left behind.
			const waits = slow.waits();
			const goesOn = await takeTurn(free);
			if (goesOn || tried.length > 0 || closing) continue;
			if (once && underWay.size === 0 && !waits) return;
			// Letters that were put back come back by themselves: nothing ends that would tell.
			await somethingEnds(waits ? Math.min(lookMs, BETWEEN_MS) : lookMs);
		}
	}

	/** @returns whether the next turn may find more to do at once */
	async function takeTurn(free: number): Promise<boolean> {
		const written = tried.splice(0);
		try {
			// A turn that failed may have taken letters, which only the next turn finds.
			if (written.length === 0 && !failing) {
				const { due, pause } = await outbox.look();
				if (!due || pause) return false;
			}
			// What a turn learns of the mail server decides about the next letters.
			const doubt = written.find((letter) => letter.doubt)?.doubt;
			const room = slow.room(underWay);
			const turn = await outbox.turn(written, doubt ? 0 : free, room);
			const { letters, turnedAway, putBack, lost, speeds, probing } = turn;
			slow.putBack(putBack);
			if (failing) log("info", "outbox available again");
			failing = false;
			if (lost > 0) log("error", "letters unknown", { letters: lost });
			for (const change of speeds) logSpeed(log, change);
			if (probing && doubt) sayPaused(doubt);
			for (const letter of letters) void send(letter, probing);
			return letters.length + turnedAway + putBack > 0 || doubt !== undefined;
		} catch (error) {
			// Said again later: it changes nothing if it has been heard.
			tried.unshift(...written);
			if (once) throw error;
			if (!failing) log("error", "outbox unavailable", { error });
			failing = true;
			if (closing) tried.splice(0);
			else await wait(lookMs);
			return false;
		}
	}

	async function send(letter: TakenLetter, probing: boolean): Promise<void> {
		const domain = ownedDomain(letter.key);
		underWay.set(letter, domain);
		let slowNow = false;
		const late = setTimeout(() => {
			slowNow = slow.note(domain);
		}, slowMs);
		const pausesBefore = pauses;
		const outcome = await carry(letter);
		clearTimeout(late);
		onTried?.(letter, outcome);
		// What is cut off as the sender closes says nothing about the mail server.
		const trouble = closing ? undefined : troubleOf(outcome);
		const isUs = (outcome.state === "ours" || outcome.state === "closed") && !outcome.atLetter;
		if (isUs && slowNow) slow.forget(domain);
		if (isUs && trouble) await pause(trouble);
		// A letter that was under way when the pause began does not end it.
		if (outcome.state === "accepted" && pauses === pausesBefore) {
			if (paused) log("info", "letters go out again");
			paused = false;
			door.passed();
		}
		const doubt = trouble && !isUs ? { ...trouble, domain } : undefined;
		const isTry = !isUs && !(closing && outcome.state === "closed");
		const most = doubt && probing ? Number.POSITIVE_INFINITY : MOST_TRIES;
		const ended = { ...triedLetter(letter, outcome, isTry ? most : 0), ...(doubt && { doubt }) };
		if (outcome.state === "deferred") {
			const found = door.putOff(ended, letter.key, outcome);
			const { code, waitMs } = outcome;
			if (found.closed) await pause({ cause: "quota", code, waitMs });
			tried.push(...found.tried);
		} else tried.push(ended);
		underWay.delete(letter);
		wake();
	}

	async function pause(trouble: Trouble): Promise<void> {
		if (await outbox.rest(trouble).catch(() => false)) sayPaused(trouble);
	}

	function sayPaused({ cause, code }: Trouble): void {
		if (!paused) log("error", "letters paused", { code, reason: sentences[cause] });
		paused = true;
		pauses += 1;
	}

	/** @param mostTries after so many the letter is given up; 0 where this was none */
	function triedLetter(
		{ id, attempts }: TakenLetter,
		outcome: SmtpOutcome & { version: string },
		mostTries: number,
	): TriedLetter {
		const { state, code, version } = outcome;
		if (outcome.state === "refused") return { id, ...outcome };
		if (state === "accepted" || state === "unknown") return { id, state, code, version };
		if (mostTries === 0) return { id, state: "waiting", nextAt: now(), code, version };
		if (attempts >= mostTries) return { id, state: "refused", code, version };
		// Jitter: letters that were put off together do not come back together.
		const ms = DEFERRED_MS * 2 ** (attempts - 1) * (0.75 + random() / 2);
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

/** What a try may say of us, and not of its letter. */
function troubleOf({ state, code }: SmtpOutcome): Trouble | undefined {
	if (state === "ours") return { cause: "refused", code };
	return state === "closed" || state === "unknown" ? { cause: "unreachable", code } : undefined;
}
