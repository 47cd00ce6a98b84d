import { randomUUID } from "node:crypto";
import type { SharedDatabase } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { WebhookSettings } from "../settings/telling.ts";
import { HOUR_MS, MINUTE_MS } from "../time.ts";
import { readWebhook } from "./event.ts";
import {
	BEFORE_TRY_MS,
	dropFailed,
	erasuresToTell,
	eventMender,
	isEventDue,
	type TakenEvent,
	type Tried,
	turn,
	type Untaken,
} from "./outgoing.ts";
import { isTaken, type Posted, post } from "./post.ts";
import { sign } from "./sign.ts";

/** What sending events takes. */
export interface SendingSettings {
	database: SharedDatabase;
	webhook: WebhookSettings;
	/** What events call a person: see person.ts. */
	nameOf(key: string): string;
	/** Notes in the database that there is an address for events. */
	open(): Promise<void>;
	log: Log;
	lookMs?: number | undefined;
}

/** Something that tells another system. */
export interface EventSender {
	/** Takes nothing more, and cuts off what is under way: it is sent again after the next start. */
	close(): Promise<void>;
}

/** Messages under way at the same time, of a receiver that takes them. */
export const TOGETHER = 20;

/** A receiver that takes nothing gets one message after such a rest, which doubles each time. */
const REST_MS = { first: 5000, most: MINUTE_MS };

/** An event that was given up is kept for so long. */
const FAILED_MS = 30 * 24 * HOUR_MS;

const NOTHING: Tried = { taken: [], untaken: [], ended: false };

/** Another copy of the server, without an address for events, may have closed this one. */
const UNKNOWN = { failures: 0, endedAt: "", restUntil: "" };

const isoOf = (ms: number) => new Date(ms).toISOString();

/**
 * Sends events, at least once each and those of a person in their order. A loop takes a few in one
 * transaction, which also writes down what became of those before: whatever a killed process had taken is
 * taken again when its lease has ended, under the same id.
 */
export function startEventSender(settings: SendingSettings): EventSender {
	const { database, webhook, nameOf, open, log, lookMs = 1000 } = settings;
	const closing = new AbortController();
	const { signal } = closing;
	const copy = randomUUID();
	const mendWaits = eventMender(database);
	let [turns, opened, sweptAt] = [0, false, Number.NEGATIVE_INFINITY];
	/** Whether the log says that the receiver takes nothing, or the database does not answer. */
	let [refused, failing] = [false, false];
	let wake = () => {};

	async function work(): Promise<void> {
		let tried = NOTHING;
		while (!signal.aborted || tried !== NOTHING) {
			try {
				tried = await takeTurn(tried);
				if (failing) log("info", "events available again");
				failing = false;
			} catch (error) {
				if (!failing) log("error", "events unavailable", { error });
				failing = true;
				if (signal.aborted) return;
			}
			if (tried === NOTHING || failing) await pause();
		}
	}

	async function takeTurn(tried: Tried): Promise<Tried> {
		if (!opened) await open();
		opened = true;
		const ms = Date.now();
		await mendWaits(ms);
		if (ms - sweptAt > HOUR_MS) {
			await dropFailed(database, isoOf(ms - FAILED_MS));
			sweptAt = ms;
		}
		const { failures, endedAt, restUntil } = (await readWebhook(database.query)) ?? UNKNOWN;
		const takes = endedAt === "" && restUntil <= isoOf(ms);
		if (tried === NOTHING && !(takes && (await isEventDue(database, ms)))) return NOTHING;
		turns += 1;
		const most = signal.aborted ? 0 : failures > 0 ? 1 : TOGETHER;
		const events = await turn(database, tried, { claim: `${copy} ${turns}`, most, ms });
		return events.length === 0 ? NOTHING : sendAll(events, failures);
	}

	async function sendAll(events: readonly TakenEvent[], failures: number): Promise<Tried> {
		// Somebody may have come back while the receiver is still to be told of their erasure.
		const names = new Map(events.map((event) => [event, nameOfEvent(event)]));
		const erased = await erasuresToTell(database, [...names.values()]);
		const posts = await Promise.all(
			events.map(async (event) => {
				const name = names.get(event)!;
				if (isAddress(event.who) && erased.has(name)) return { event };
				return { event, posted: await send(event, name) };
			}),
		);
		return judge(posts, failures);
	}

	const nameOfEvent = ({ who }: TakenEvent) => (isAddress(who) ? nameOf(who) : who);

	function send({ id, kind, at, email }: TakenEvent, person: string): Promise<Posted> {
		const data = webhook.body === "full" ? { id: person, email } : { id: person };
		const body = JSON.stringify({ type: `registration.${kind}`, timestamp: at, data });
		const headers = sign(webhook.secrets, { id, body, ms: Date.now() });
		const message = { headers: { "content-type": "application/json", ...headers }, body };
		return post(webhook.url, message, signal);
	}

	/** What a batch of tries says of each event, and of the receiver. */
	function judge(
		posts: readonly { event: TakenEvent; posted?: Posted }[],
		failures: number,
	): Tried {
		const ms = Date.now();
		const sent = posts.flatMap(({ event, posted }) => (posted ? [{ event, posted }] : []));
		const isOf = (test: (posted: Posted) => boolean) => sent.filter(({ posted }) => test(posted));
		const taken = isOf(isTaken).map(({ event }) => event);
		const waitMs = Math.max(0, ...sent.map(({ posted }) => posted.waitMs));
		const untaken = posts.flatMap(({ event, posted }) =>
			posted && isTaken(posted) ? [] : [untakenOf(event, posted, ms)],
		);
		const ended = isOf(({ status }) => status === 410).length > 0;
		const givenUp = untaken.filter(({ nextAt }) => nextAt === undefined).length;
		if (ended) log("error", "webhook ended", { message: ENDED });
		else if (givenUp > 0) log("error", "events given up", { events: givenUp });
		const doubt = isOf((posted) => saysOfReceiver(posted))[0];
		// What is cut off as the server stops says nothing.
		if (signal.aborted || (taken.length === 0 && !doubt)) return { taken, untaken, ended };
		if (doubt && (taken.length === 0 || waitMs > 0)) {
			if (!refused) log("error", "events not taken", { code: doubt.posted.code });
			refused = true;
			const restMs = Math.min(REST_MS.first * 2 ** Math.min(failures, 10), REST_MS.most);
			const restUntil = isoOf(ms + Math.max(restMs, waitMs));
			return { taken, untaken, ended, receiver: { failures: failures + 1, restUntil } };
		}
		if (refused) log("info", "events taken again");
		refused = false;
		return { taken, untaken, ended, receiver: { failures: 0, restUntil: "" } };
	}

	function untakenOf(
		{ seq, attempts }: TakenEvent,
		posted: Posted | undefined,
		ms: number,
	): Untaken {
		const again = (afterMs: number) => isoOf(ms + afterMs);
		if (!posted) return { seq, nextAt: again(BEFORE_TRY_MS[1]!), isTry: false, code: "" };
		const { status, code, waitMs } = posted;
		if (signal.aborted && status === 0) return { seq, nextAt: again(0), isTry: false, code };
		const beforeMs = status === 410 ? undefined : BEFORE_TRY_MS[attempts];
		if (beforeMs === undefined) return { seq, nextAt: undefined, isTry: true, code };
		return { seq, nextAt: again(Math.max(beforeMs, waitMs)), isTry: true, code };
	}

	function pause(): Promise<void> {
		if (signal.aborted) return Promise.resolve();
		return new Promise((resolve) => {
			const looking = setTimeout(resolve, lookMs);
			wake = () => {
				clearTimeout(looking);
				resolve();
			};
		});
	}

	const ended = work();
	return {
		async close() {
			closing.abort();
			wake();
			await ended;
		},
	};
}

const ENDED =
	"The receiver of events answered 410: it wants no more, and gets none. `waitlist webhook --failed` " +
	"lists what it did not take; `waitlist webhook --replay` begins anew.";

const isAddress = (who: string) => who.includes("@");

/** Whether a failure is about the receiver, and not about the one message: it rests then. */
function saysOfReceiver({ status }: Pick<Posted, "status">): boolean {
	return status < 400
		? status < 200 || status >= 300
		: status >= 500 || [408, 429].includes(status);
}
