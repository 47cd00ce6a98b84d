import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "../log.ts";
import { DAY_MS } from "../time.ts";
import type { ClaimedEmail, EmailAttempt } from "./emails/email.ts";
import type { Outbox } from "./outbox.ts";
import { createCircuitBreaker } from "./rate/circuit-breaker.ts";
import { LONGEST_PAUSE_MS, TROUBLE, type Trouble } from "./rate/pauses.ts";
import { MOST_ATTEMPTS, retryMs } from "./rate/retries.ts";
import { logSpeed } from "./rate/throttle.ts";
import type { SmtpOutcome } from "./smtp/smtp-outcome.ts";

/** Sends the emails of an outbox. */
export interface Sender {
	/** Resolves when the sender has come to an end, and what it knows is on disk. */
	ended: Promise<void>;
	/**
	 * Takes no further email, and waits for those that are under way.
	 *
	 * @param graceMs what is under way after this is given up: `cut` is called
	 */
	close(graceMs: number): Promise<void>;
}

/** The parts and settings of a sender. */
export interface SenderSettings {
	outbox: Outbox;
	/** Writes one email and brings it to the mail server. It never throws. */
	carry(letter: ClaimedEmail): Promise<SmtpOutcome & { version: string }>;
	/** Breaks off what {@link carry} is doing, which then tells how far it came. */
	cut(): void;
	/** Emails under way at the same time, and so the most that a killed process leaves unknown. */
	connections: number;
	log: Log;
	/** Told of each try. */
	onTried?: ((letter: ClaimedEmail, outcome: SmtpOutcome) => void) | undefined;
	/** How often to look whether there is something to send. */
	lookMs?: number;
	now?: () => number;
	/** Between 0 and 1. */
	random?: () => number;
}

/**
 * The share of connections that emails to unconfirmed people may use. A relay may wait for the recipient's
 * mail server before it replies, so a slow domain could otherwise hold every connection.
 */
const UNCONFIRMED_SHARE = 3 / 5;

/**
 * For so long after an email was queued, a quota that is used up is no try of it: the window of a quota
 * moves, and may let one email in and not the next, for days.
 */
const NEW_MS = 7 * DAY_MS;

/**
 * Sends the emails of an outbox over a few connections. One loop takes turns with the outbox: each
 * turn writes down what became of emails and takes as many as there are free connections, in one
 * transaction. So an email is on disk as being sent before a connection is used for it, and is never
 * sent twice: when the process dies, its fate is unknown.
 */
export function startSender(settings: SenderSettings): Sender {
	const { outbox, carry, cut, connections, log } = settings;
	const { onTried, lookMs = 1000 } = settings;
	const { now = Date.now, random = Math.random } = settings;
	const breaker = createCircuitBreaker(now);
	const tried: EmailAttempt[] = [];
	const underWay = new Set<ClaimedEmail>();
	/** Whether emails to people who have confirmed were due in the last turn. */
	let confirmedDue = false;
	let closing = false;
	let wake = () => {};
	/** Whether the pause has been logged. */
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
			const goesOn = await takeTurn(free);
			if (goesOn || tried.length > 0 || closing) continue;
			await somethingEnds(lookMs);
		}
	}

	/** @returns whether the next turn may find more to do at once */
	async function takeTurn(free: number): Promise<boolean> {
		const written = tried.splice(0);
		try {
			// A turn that failed may have taken emails, which only the next turn finds.
			if (written.length === 0 && !failing) {
				const { due, pause } = await outbox.look();
				if (!due || pause) return false;
			}
			const unconfirmed = [...underWay].filter(({ stream }) => stream === "unconfirmed").length;
			const pausesBefore = pauses;
			const turn = await outbox.turn(written, free, {
				mostUnconfirmed: Math.max(0, Math.ceil(connections * UNCONFIRMED_SHARE) - unconfirmed),
				suspects: breaker.suspects(),
			});
			const { letters, turnedAway, lost, speeds, probing } = turn;
			confirmedDue = turn.confirmedDue;
			if (failing) log("info", "outbox available again");
			failing = false;
			if (lost > 0) log("error", "letters unknown", { letters: lost });
			for (const change of speeds) logSpeed(log, change);
			for (const letter of letters) void send(letter, { probing, pausesBefore });
			return letters.length + turnedAway > 0;
		} catch (error) {
			// Said again later: it changes nothing if it has been heard.
			tried.unshift(...written);
			if (!failing) log("error", "outbox unavailable", { error });
			failing = true;
			if (closing) tried.splice(0);
			else await wait(lookMs);
			return false;
		}
	}

	async function send(
		letter: ClaimedEmail,
		{ probing, pausesBefore }: { probing: boolean; pausesBefore: number },
	): Promise<void> {
		underWay.add(letter);
		breaker.retried(letter.id);
		const outcome = await carry(letter);
		onTried?.(letter, outcome);
		// An email that was under way when the pause began does not end it.
		if (outcome.state === "accepted" && pauses === pausesBefore) {
			if (paused) log("info", "letters go out again");
			paused = false;
			breaker.passed();
		}
		// A connection that we cut while closing says nothing about the mail server.
		const trouble = closing ? undefined : troubleOf(outcome);
		// Emails in flight when a pause began hit the same problem.
		const refusesUs = isAboutUs(outcome);
		const isUs = trouble !== undefined && (probing || pauses !== pausesBefore || refusesUs);
		const quota = outcome.state === "deferred" && outcome.quota === true;
		const isNew = now() - Date.parse(letter.queuedAt) < NEW_MS;
		const isTry = !isUs && !refusesUs && !(closing && outcome.state === "closed");
		const ended = attemptOf(letter, outcome, isTry && !(quota && isNew) ? MOST_ATTEMPTS : 0);
		if (quota && !isUs && ended.nextAt) ended.nextAt = now() + LONGEST_PAUSE_MS;
		if (isUs) {
			if (probing) breaker.probeFailed(letter.key);
			await pause(trouble);
			tried.push(ended);
		} else if (trouble && !(letter.stream === "unconfirmed" && isConfirmedNext())) {
			const found = breaker.failed(ended, letter.key, { quota });
			if (found.opens) await pause(trouble);
			tried.push(...found.attempts);
		} else tried.push(ended);
		underWay.delete(letter);
		wake();
	}

	async function pause(trouble: Trouble): Promise<void> {
		pauses += 1;
		if (await outbox.rest(trouble).catch(() => false)) sayPaused(trouble);
	}

	function sayPaused({ cause, code }: Trouble): void {
		if (!paused) log("error", "letters paused", { code, reason: TROUBLE[cause] });
		paused = true;
	}

	/** @param mostTries after so many the email is given up; 0 where this was none */
	function attemptOf(
		{ id, attempts }: ClaimedEmail,
		outcome: SmtpOutcome & { version: string },
		mostTries: number,
	): EmailAttempt {
		const { state, code, version } = outcome;
		if (outcome.state === "refused") return { id, ...outcome };
		if (state === "accepted" || state === "unknown") return { id, state, code, version };
		if (mostTries === 0) return { id, state: "waiting", nextAt: now(), code, version };
		if (attempts >= mostTries) return { id, state: "refused", code, version };
		return { id, state: "deferred", nextAt: now() + retryMs(attempts, random()), code, version };
	}

	/** Whether emails to people who have confirmed say more about the mail server than a stranger's. */
	const isConfirmedNext = () =>
		confirmedDue || [...underWay].some(({ stream }) => stream === "confirmed");

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

/** The problem with the mail server that an outcome may point to. */
function troubleOf(outcome: SmtpOutcome): Trouble | undefined {
	const { state, code } = outcome;
	switch (state) {
		case "deferred":
			return { cause: "quota", code, waitMs: outcome.waitMs };
		case "ours":
			return { cause: outcome.atEmail ? "refused" : "account", code };
		case "closed":
		case "unknown":
			return { cause: "unreachable", code };
		default:
			return undefined;
	}
}

/** Whether the mail server did not let us in, whatever the email. */
const isAboutUs = (outcome: SmtpOutcome) =>
	(outcome.state === "ours" || outcome.state === "closed") && !outcome.atEmail;
