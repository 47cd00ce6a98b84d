import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Tx } from "./database/sql.ts";
import type { FinishedRequest } from "./http/listen.ts";
import { readBacklog } from "./mail/overview.ts";
import { PAUSE_CAUSES } from "./mail/rate/outbox-state.ts";
import { readPause } from "./mail/rate/pauses.ts";
import type { SenderSettings } from "./mail/sender.ts";
import { emailWordsByKind } from "./mail/templates/email-words.ts";
import type { MailSettings } from "./settings.ts";
import { countEvents } from "./webhooks/event.ts";

/** Histogram buckets, from a commit on a fast disk to beyond the commit timeout. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

/** Refuses other host names: they may be DNS rebinding attacks. */
const OWN_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Labels never contain visitor input. */
export function createMetrics(tx: Tx, mail: MailSettings | undefined) {
	const registry = new Registry();
	const registers = [registry];
	collectDefaultMetrics({ register: registry });
	const requests = new Histogram({
		name: "http_request_duration_seconds",
		help: "Duration of requests, by route.",
		buckets: SECONDS,
		labelNames: ["method", "route", "status"] as const,
		registers,
	});
	const emails = new Counter({
		name: "waitlist_emails_total",
		help: "Attempts to send an email, by outcome.",
		labelNames: ["kind", "state"] as const,
		registers,
	});
	const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
		new Gauge({ name, help, labelNames, registers });
	const waiting = gauge("waitlist_emails_waiting", "Queued emails, without held ones.", "kind");
	const oldest = gauge("waitlist_emails_oldest_seconds", "Age of the oldest queued email.", "kind");
	const backlog = gauge(
		"waitlist_emails_backlog_seconds",
		"Seconds until the queue is empty; NaN if unknown.",
	);
	const paused = gauge("waitlist_emails_paused", "1 while all email is paused.", "reason");
	const events = gauge("waitlist_events", "Waiting and failed webhook events.", "state");

	async function update(): Promise<void> {
		const now = new Date();
		const secondsUntil = (time: string) => (Date.parse(time) - now.getTime()) / 1000;
		const { kinds, emails, lastAt } = await readBacklog(tx, mail, now);
		for (const kind of Object.keys(emailWordsByKind)) {
			const row = kinds.find((row) => row.kind === kind);
			waiting.set({ kind }, row?.emails ?? 0);
			oldest.set({ kind }, row ? -secondsUntil(row.oldest) : 0);
		}
		backlog.set(emails === 0 ? 0 : lastAt === null ? Number.NaN : secondsUntil(lastAt));
		const pause = await readPause(tx, now);
		for (const reason of PAUSE_CAUSES) paused.set({ reason }, pause?.cause === reason ? 1 : 0);
		const counts = await countEvents(tx);
		events.set({ state: "waiting" }, counts.waiting);
		events.set({ state: "failed" }, counts.failed);
	}

	return {
		onFinished({ method, route, status, ms }: FinishedRequest): void {
			requests.observe({ method, route, status }, ms / 1000);
		},
		onAttempt: (({ kind }, { state }) =>
			emails.inc({ kind, state })) satisfies SenderSettings["onAttempt"],
		async fetch({ url, headers }: Request): Promise<Response> {
			if (!OWN_NAME.test(headers.get("host") ?? "")) return new Response(null, { status: 421 });
			if (new URL(url).pathname !== "/metrics") return new Response(null, { status: 404 });
			// While the database is unavailable, metrics repeat the last numbers.
			await update().catch(() => {});
			return new Response(await registry.metrics(), {
				headers: { "content-type": registry.contentType },
			});
		},
	};
}
