import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Commits } from "./database/group-commit.ts";
import type { Query } from "./database/statement.ts";
import { type AdmitJoin, isLimited } from "./http/limits.ts";
import type { OnFinished } from "./http/requests.ts";
import { type Backlog, readBacklog } from "./mail/rate/backlog.ts";
import { PAUSE_CAUSES } from "./mail/rate/outbox-row.ts";
import { readPause } from "./mail/rate/pauses.ts";
import { STREAMS } from "./mail/rate/queues.ts";
import { readThrottled, THROTTLED_BY, throttledBy } from "./mail/rate/throttle.ts";
import type { SenderSettings } from "./mail/sender.ts";
import { LETTER_KINDS } from "./mail/templates/render-letter.ts";
import { countWaves, LETTER_ENDS } from "./mail/wave/wave-counts.ts";
import type { Waitlist } from "./registrations/waitlist.ts";
import type { MailSettings } from "./settings.ts";
import type { RedeemSettings } from "./waves/redeem-call.ts";
import { countEvents } from "./webhooks/webhook.ts";

/** Seconds: from a commit on a fast disk to the timeout of a commit. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Milliseconds after which a read of the database counts as slow, because it delays joins: the next
 * one waits for a multiple of its time. On SQLite a million letters of waves take about a second.
 */
const LONG_READ_MS = 100;
const LONG_READ_REST = 100;

/** What is measured while the server runs. Most members wrap the part they measure. */
export interface Metrics {
	onFinished: OnFinished;
	admitJoin(admitJoin: AdmitJoin): AdmitJoin;
	onTried: SenderSettings["onTried"];
	/** Shows how many times slower than the rate each stream of letters is, and why. */
	slowed(query: Query): void;
	/** Shows how many letters wait, since when, and for how long. */
	backlog(query: Query, mail: MailSettings): void;
	/** Shows what became of the letters of each wave. */
	waves(query: Query): void;
	/** Shows how many events wait, and how many were given up. */
	events(query: Query): void;
	/** Shows whether letters are paused, and why. */
	pause(query: Query): void;
	onRedeemed: RedeemSettings["onRedeemed"];
	commits<Row extends { key: string }>(commits: Commits<Row>): Commits<Row>;
	waitlist(waitlist: Waitlist): Waitlist;
	/** Everything so far, in the text format of Prometheus. */
	text(): Promise<string>;
}

/** Metrics of the process, its requests and the waitlist. No label holds anything a visitor sent. */
export function createMetrics(): Metrics {
	const registry = new Registry();
	const registers = [registry];
	collectDefaultMetrics({ register: registry });
	const requests = new Histogram({
		name: "http_request_duration_seconds",
		help: "Duration of requests, by the part of the server.",
		labelNames: ["method", "route", "status"],
		buckets: SECONDS,
		registers,
	});
	const limited = new Counter({
		name: "waitlist_limited_total",
		help: "Joins refused because they came too soon, by limit.",
		labelNames: ["scope"],
		registers,
	});
	const bursts = new Counter({
		name: "waitlist_burst_total",
		help: "Joins over a limit that were not refused but counted as of a burst, by limit.",
		labelNames: ["scope"],
		registers,
	});
	const outcomes = new Counter({
		name: "waitlist_registrations_total",
		help: "Valid joins, by outcome.",
		labelNames: ["outcome"],
		registers,
	});
	const commitSeconds = new Histogram({
		name: "waitlist_batch_duration_seconds",
		help: "Time from the start of a commit until it is on disk.",
		labelNames: ["end"],
		buckets: SECONDS,
		registers,
	});
	const commitRows = new Histogram({
		name: "waitlist_batch_rows",
		help: "Registrations in one commit.",
		buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
		registers,
	});

	const letters = new Counter({
		name: "waitlist_letters_total",
		help: "Tries to send a letter, by their end.",
		labelNames: ["kind", "state"],
		registers,
	});

	const redeemed = new Counter({
		name: "waitlist_redeem_total",
		help: "Calls to redeem an invitation, by outcome.",
		labelNames: ["outcome"],
		registers,
	});

	return {
		onFinished({ method, route, status, ms }) {
			requests.observe({ method, route, status }, ms / 1000);
		},
		admitJoin: (admitJoin) => (call) => {
			const found = admitJoin(call);
			if (found) (isLimited(found) ? limited : bursts).inc({ scope: found.scope });
			return found;
		},
		onTried({ kind }, { state }) {
			letters.inc({ kind, state });
		},
		onRedeemed(outcome) {
			redeemed.inc({ outcome });
		},
		commits: (commits) => ({
			...commits,
			async add(rows) {
				commitRows.observe(rows.length);
				const stop = commitSeconds.startTimer();
				try {
					const added = await commits.add(rows);
					stop({ end: "committed" });
					return added;
				} catch (error) {
					stop({ end: "failed" });
					throw error;
				}
			},
		}),
		waitlist(waitlist) {
			new Gauge({
				name: "waitlist_waiting_rows",
				help: "Registrations in the queue.",
				registers,
				collect() {
					this.set(waitlist.waiting);
				},
			});
			return {
				...waitlist,
				get waiting() {
					return waitlist.waiting;
				},
				async join(registration) {
					const outcome = await waitlist.join(registration);
					outcomes.inc({ outcome });
					return outcome;
				},
			};
		},
		slowed(query) {
			new Gauge({
				name: "waitlist_letters_slowed",
				help: "How many times slower than the rate letters go out, by stream; 1 is the whole rate.",
				labelNames: ["stream", "reason"],
				registers,
				async collect() {
					// While the database does not answer, the numbers are those of before.
					const slowed = await readThrottled(query, new Date()).catch(() => undefined);
					if (!slowed) return;
					for (const stream of STREAMS) {
						for (const reason of THROTTLED_BY) this.set({ stream, reason }, 1);
					}
					for (const row of slowed) {
						this.set({ stream: row.stream, reason: throttledBy(row) }, row.slowed);
					}
				},
			});
		},
		backlog(query, mail) {
			const read = seldom(async () => {
				const now = new Date();
				return { now: now.getTime(), ...(await readBacklog(query, mail, now)) };
			});
			// All three are of one moment: the first gauge reads, and the others wait for it.
			let reading: ReturnType<typeof read>;
			const gauge = (
				name: string,
				help: string,
				show: (gauge: Gauge, found: Backlog & { now: number }) => void,
				labelNames: string[] = [],
			) =>
				new Gauge({
					name,
					help,
					labelNames,
					registers,
					async collect() {
						if (name === "waitlist_letters_waiting") reading = read();
						const found = await reading;
						if (found) show(this, found);
					},
				});
			const ofKind = ({ kinds }: Backlog, kind: string) => kinds.find((row) => row.kind === kind);
			gauge(
				"waitlist_letters_waiting",
				"Letters that wait and that nobody holds, by kind.",
				(gauge, found) => {
					for (const kind of LETTER_KINDS) gauge.set({ kind }, ofKind(found, kind)?.letters ?? 0);
				},
				["kind"],
			);
			gauge(
				"waitlist_letters_oldest_seconds",
				"How long the oldest of these has waited, by kind.",
				(gauge, found) => {
					for (const kind of LETTER_KINDS) {
						const oldest = ofKind(found, kind)?.oldest;
						gauge.set({ kind }, oldest ? (found.now - Date.parse(oldest)) / 1000 : 0);
					}
				},
				["kind"],
			);
			gauge(
				"waitlist_letters_backlog_seconds",
				"In how long the last of these goes out at today's rate; NaN where nothing says so.",
				(gauge, { letters, lastAt, now }) => {
					const known = lastAt === null ? Number.NaN : (Date.parse(lastAt) - now) / 1000;
					gauge.set(letters === 0 ? 0 : known);
				},
			);
		},
		waves(query) {
			const read = seldom(() => countWaves(query, new Date()));
			new Gauge({
				name: "waitlist_wave_letters",
				help: "Letters of a wave, by what became of them.",
				labelNames: ["wave", "state"],
				registers,
				async collect() {
					const waves = await read();
					if (!waves) return;
					this.reset();
					for (const [wave, letters] of waves) {
						for (const state of LETTER_ENDS) this.set({ wave, state }, letters[state]);
					}
				},
			});
		},
		events(query) {
			const read = seldom(() => countEvents(query));
			new Gauge({
				name: "waitlist_events",
				help: "Events that wait for their receiver, and that were given up.",
				labelNames: ["state"],
				registers,
				async collect() {
					const events = await read();
					if (!events) return;
					for (const state of ["waiting", "failed"] as const) this.set({ state }, events[state]);
				},
			});
		},
		pause(query) {
			new Gauge({
				name: "waitlist_letters_paused",
				help: "Whether no letter is sent, over all copies of the server, by the reason.",
				labelNames: ["reason"],
				registers,
				async collect() {
					// While the database does not answer, the numbers are those of before.
					const pause = await readPause(query, new Date()).catch(() => undefined);
					if (pause === undefined) return;
					for (const reason of PAUSE_CAUSES) this.set({ reason }, pause?.cause === reason ? 1 : 0);
				},
			});
		},
		text: () => registry.metrics(),
	};
}

/**
 * Reads the database, a slow read less often.
 *
 * @returns undefined where it is too early, and while the database does not answer: the numbers are
 *   those of before
 */
function seldom<Found>(read: () => Promise<Found>): () => Promise<Found | undefined> {
	let last = { began: 0, tookMs: 0 };
	return async () => {
		const began = performance.now();
		const isLong = last.tookMs > LONG_READ_MS;
		if (isLong && began - last.began < LONG_READ_REST * last.tookMs) return undefined;
		const found = await read().catch(() => undefined);
		last = { began, tookMs: performance.now() - began };
		return found;
	};
}
