import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Commits } from "./database/group-commit.ts";
import type { Tx } from "./database/transaction.ts";
import { type AdmitJoin, isLimited } from "./http/limits.ts";
import type { OnFinished } from "./http/requests.ts";
import { readBacklog } from "./mail/rate/backlog.ts";
import { PAUSE_CAUSES } from "./mail/rate/outbox-row.ts";
import { readPause } from "./mail/rate/pauses.ts";
import { STREAMS } from "./mail/rate/queues.ts";
import { readThrottled, THROTTLED_BY, throttledBy } from "./mail/rate/throttle.ts";
import type { SenderSettings } from "./mail/sender.ts";
import { EMAIL_KINDS } from "./mail/templates/render-email.ts";
import { countWaves, EMAIL_ENDS } from "./mail/wave/wave-counts.ts";
import type { Waitlist } from "./registrations/waitlist.ts";
import type { MailSettings } from "./settings.ts";
import type { RedeemSettings } from "./waves/redeem-call.ts";
import { countEvents } from "./webhooks/webhook.ts";

/** Seconds: from a commit on a fast disk to the timeout of a commit. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Milliseconds after which a read of the database counts as slow, because it delays joins: the next
 * one waits for a multiple of its time. On SQLite a million emails of waves take about a second.
 */
const LONG_READ_MS = 100;
const LONG_READ_REST = 100;

/** What is measured while the server runs. Most members wrap the part they measure. */
export interface Metrics {
	onFinished: OnFinished;
	admitJoin(admitJoin: AdmitJoin): AdmitJoin;
	onTried: SenderSettings["onTried"];
	onRedeemed: RedeemSettings["onRedeemed"];
	commits<Row extends { key: string }>(commits: Commits<Row>): Commits<Row>;
	waitlist(waitlist: Waitlist): Waitlist;
	/** Shows what the database knows of emails, waves and events. */
	watch(tx: Tx, mail: MailSettings | undefined): void;
	/** Everything so far, in the text format of Prometheus. */
	text(): Promise<string>;
}

/** Metrics of the process, its requests and the waitlist. No label holds anything a visitor sent. */
export function createMetrics(): Metrics {
	const registry = new Registry();
	const registers = [registry];
	collectDefaultMetrics({ register: registry });
	const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
		new Counter({ name, help, labelNames, registers });
	const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
		new Gauge({ name, help, labelNames, registers });
	const histogram = <Label extends string>(
		name: string,
		help: string,
		buckets: number[],
		...labelNames: Label[]
	) => new Histogram({ name, help, labelNames, buckets, registers });

	const requests = histogram(
		"http_request_duration_seconds",
		"Duration of requests, by the part of the server.",
		SECONDS,
		...(["method", "route", "status"] as const),
	);
	const limited = counter(
		"waitlist_limited_total",
		"Joins refused because they came too soon, by limit.",
		"scope",
	);
	const bursts = counter(
		"waitlist_burst_total",
		"Joins over a limit that were accepted and flagged, by limit.",
		"scope",
	);
	const outcomes = counter("waitlist_registrations_total", "Valid joins, by outcome.", "outcome");
	const commitSeconds = histogram(
		"waitlist_batch_duration_seconds",
		"Time from the start of a commit until it is on disk.",
		SECONDS,
		"end",
	);
	const commitRows = histogram(
		"waitlist_batch_rows",
		"Registrations in one commit.",
		[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
	);
	const emails = counter(
		"waitlist_emails_total",
		"Attempts to send an email, by their end.",
		...(["kind", "state"] as const),
	);
	const redeemed = counter(
		"waitlist_redeem_total",
		"Calls to redeem an invitation, by outcome.",
		"outcome",
	);
	let show = async () => {};

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
			emails.inc({ kind, state });
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
		watch(tx, mail) {
			const waiting = gauge(
				"waitlist_emails_waiting",
				"Emails that wait and are not on hold, by kind.",
				"kind",
			);
			const oldest = gauge(
				"waitlist_emails_oldest_seconds",
				"How long the oldest of these has waited, by kind.",
				"kind",
			);
			const backlog = gauge(
				"waitlist_emails_backlog_seconds",
				"In how long the last of these goes out at today's rate; NaN where nothing says so.",
			);
			const paused = gauge(
				"waitlist_emails_paused",
				"Whether all email is paused, by the reason.",
				"reason",
			);
			const slowed = gauge(
				"waitlist_emails_slowed",
				"How many times slower than the rate emails go out, by stream; 1 is the whole rate.",
				...(["stream", "reason"] as const),
			);
			const ofWaves = gauge(
				"waitlist_wave_emails",
				"Emails of a wave, by their end.",
				...(["wave", "state"] as const),
			);
			const events = gauge(
				"waitlist_events",
				"Events that wait for the webhook, and that were given up.",
				"state",
			);
			const read = seldom(async () => {
				const now = new Date();
				return {
					now: now.getTime(),
					backlog: await readBacklog(tx, mail, now),
					pause: await readPause(tx, now),
					throttled: await readThrottled(tx, now),
					waves: await countWaves(tx, now),
					events: await countEvents(tx),
				};
			});
			show = async () => {
				const found = await read();
				if (!found) return;
				const secondsUntil = (time: string) => (Date.parse(time) - found.now) / 1000;
				for (const kind of EMAIL_KINDS) {
					const row = found.backlog.kinds.find((row) => row.kind === kind);
					waiting.set({ kind }, row?.letters ?? 0);
					oldest.set({ kind }, row ? -secondsUntil(row.oldest) : 0);
				}
				const { letters, lastAt } = found.backlog;
				backlog.set(letters === 0 ? 0 : lastAt === null ? Number.NaN : secondsUntil(lastAt));
				for (const reason of PAUSE_CAUSES) {
					paused.set({ reason }, found.pause?.cause === reason ? 1 : 0);
				}
				for (const stream of STREAMS) {
					for (const reason of THROTTLED_BY) slowed.set({ stream, reason }, 1);
				}
				for (const row of found.throttled) {
					slowed.set({ stream: row.stream, reason: throttledBy(row) }, row.slowed);
				}
				ofWaves.reset();
				for (const [wave, counts] of found.waves) {
					for (const state of EMAIL_ENDS) ofWaves.set({ wave, state }, counts[state]);
				}
				for (const state of ["waiting", "failed"] as const) {
					events.set({ state }, found.events[state]);
				}
			};
		},
		async text() {
			await show();
			return registry.metrics();
		},
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
