import { countRows, type Statement, sql, type Tx } from "../database/sql.ts";
import type { MailSettings } from "../settings.ts";
import { formatCount, formatNumber } from "../text/format-number.ts";
import { DAY_MS, isoOf, shownTime } from "../time.ts";
import { type EmailRow, MOST_ATTEMPTS } from "./emails/email.ts";
import {
	type EmailQueue,
	type EmailStream,
	emailStreamOf,
	type OutboxState,
	readOutbox,
} from "./rate/outbox-state.ts";
import { pauseAsText, readPause, UNTIL_RESUMED } from "./rate/pauses.ts";
import {
	isThrottled,
	lastEmailLeavesAt,
	type RateSettings,
	type SendingLimits,
	strictestLimits,
} from "./rate/sending-rate.ts";
import { readThrottledStreams, throttleChangeAsText } from "./rate/throttle.ts";
import { type CountedWave, readCountedWaves, STATE_NAMES } from "./waves.ts";

export type OutgoingSummary = Awaited<ReturnType<typeof readOutgoingSummary>>;

export async function readOutgoingSummary(
	tx: Tx,
	{
		rates,
		waves,
		now,
	}: { rates: RateSettings | undefined; waves: readonly CountedWave[]; now: Date },
) {
	return {
		emails: await countEmailsByState(tx),
		waiting: await readBacklog(tx, rates, now),
		paused: waves
			.filter(({ state, emails }) => state === "paused" && emails.waiting > 0)
			.map(({ name, emails }) => ({ wave: name, waiting: emails.waiting })),
		pause: await readPause(tx, now),
		slowed: await readThrottledStreams(tx, now),
		hasMail: rates !== undefined,
	};
}

export const NO_MAIL = "No mail server is set up, so no email is sent.";

/** `76 emails are waiting (76 in the paused wave beta-1). …` */
export function waitingAsText(summary: OutgoingSummary): string {
	const { waiting, paused } = summary;
	const total = waiting.emails + paused.reduce((sum, wave) => sum + wave.waiting, 0);
	if (total === 0) return "No emails are waiting.";
	const parts = paused.map(
		(wave) => `${formatNumber(wave.waiting)} in the paused wave ${wave.wave}`,
	);
	const of = parts.length > 0 ? ` (${parts.join(", ")})` : "";
	return `${formatCount(total, "email is", "emails are")} waiting${of}.${sendingTimesAsText(summary)}`;
}

function sendingTimesAsText({ waiting, pause, hasMail }: OutgoingSummary): string {
	if (waiting.lastAt) {
		return ` The oldest was requested on ${shownTime(waiting.oldest!)}. At today’s rate the last one goes out by ${shownTime(waiting.lastAt)}.`;
	}
	if (!hasMail) return ` ${NO_MAIL}`;
	return waiting.emails > 0 && !pause ? " The sending rate is unlimited." : "";
}

export const sendingDelaysAsText = ({
	pause,
	slowed,
}: Pick<OutgoingSummary, "pause" | "slowed">): string[] => [
	...(pause ? [pauseAsText(pause)] : []),
	...slowed.map(throttleChangeAsText),
];

interface Waiting {
	kind: string;
	queue: EmailQueue;
	emails: number;
	oldest: string;
	latest: string;
}

/** Sums up waiting emails, except those of paused waves. Times are ISO 8601. */
export async function readBacklog(tx: Tx, mail: RateSettings | undefined, now: Date) {
	const waiting = await tx.all(sql<Waiting>`SELECT kind, queue, CAST(count(*) AS INTEGER) AS emails,
			min(asked_at) AS oldest, max(next_at) AS latest
		FROM email WHERE held = 0 AND state IN ('waiting', 'deferred')
		GROUP BY kind, queue ORDER BY kind, queue`);
	const outbox = await readOutbox(tx);
	const limits = mail && strictestLimits(mail, outbox);
	const kinds = [...new Set(waiting.map(({ kind }) => kind))].map((kind) => {
		const rows = waiting.filter((row) => row.kind === kind);
		return { kind, emails: count(rows), oldest: oldestOf(rows)! };
	});
	return {
		emails: count(waiting),
		kinds,
		oldest: oldestOf(waiting) ?? null,
		/** When the last email leaves. Null without emails, without a limit, or until the founder resumes email. */
		lastAt: limits ? lastAt(outbox, waiting, limits, now.getTime()) : null,
		/** Interval between emails after a burst; 0 without a limit. */
		spreadMs: limits?.spreadMs ?? 0,
	};
}

const count = (rows: readonly Waiting[]) => rows.reduce((sum, { emails }) => sum + emails, 0);

const oldestOf = (rows: readonly Waiting[]) => rows.map(({ oldest }) => oldest).sort()[0];

function lastAt(
	outbox: OutboxState,
	waiting: readonly Waiting[],
	limits: SendingLimits,
	now: number,
): string | null {
	const from = Math.max(now, Date.parse(outbox.pausedUntil) || 0);
	if (waiting.length === 0 || outbox.pausedUntil === UNTIL_RESUMED) return null;
	const countOf = (stream: EmailStream) =>
		count(waiting.filter(({ queue }) => emailStreamOf(queue) === stream));
	const emails = { confirmed: countOf("confirmed"), unconfirmed: countOf("unconfirmed") };
	const last = lastEmailLeavesAt(outbox, limits, emails, from);
	return isoOf(Math.max(last, ...waiting.map(({ latest }) => Date.parse(latest))));
}

export async function readWarmUp(tx: Tx, mail: Pick<RateSettings, "warmUp"> | undefined) {
	const warmUp = mail?.warmUp;
	if (!warmUp) return null;
	const outbox = await readOutbox(tx);
	const step = Math.min(outbox.step + 1, warmUp.length);
	const isWaiting = outbox.steppedAt === "" || step === warmUp.length || isThrottled(outbox);
	return {
		step,
		steps: warmUp.length,
		emails: warmUp[step - 1]!,
		/** When the next step begins. Null before this step's first email, at the last step, and if throttled. */
		nextAt: isWaiting ? null : isoOf(Date.parse(outbox.steppedAt) + DAY_MS),
	};
}

type WarmUp = NonNullable<Awaited<ReturnType<typeof readWarmUp>>>;

export const warmUpAsText = ({ step, steps, emails, nextAt }: WarmUp) =>
	`Warm-up step ${step} of ${steps}: ${formatCount(emails, "email")} a day${nextAt === null ? "" : ` until ${shownTime(nextAt)}`}.`;

export type EmailOverview = Awaited<ReturnType<typeof readEmailOverview>>;

/** Runs one query at a time: visitors need the other database connections. */
export async function readEmailOverview(tx: Tx, mail: MailSettings | undefined, now: Date) {
	const waves = await readCountedWaves(tx, now);
	return {
		/** Emails deferred, or refused after the last attempt; latest first. */
		troubled: await readTroubled(tx),
		warmUp: await readWarmUp(tx, mail),
		...(await readOutgoingSummary(tx, { rates: mail, waves, now })),
	};
}

/** Counts by kind and state. Each SELECT uses its own index; a single one would scan all rows. */
export const countEmailsByState = (tx: Tx) =>
	tx.all(sql<{
		kind: string;
		state: string;
		count: number;
	}>`SELECT kind, state, CAST(sum(emails) AS INTEGER) AS count FROM (
			SELECT kind, 'accepted' AS state, count(*) AS emails FROM email
			WHERE state = 'accepted' GROUP BY wave, kind
			UNION ALL
			SELECT kind, 'unknown', count(*) FROM email WHERE state = 'unknown' GROUP BY kind
			UNION ALL
			SELECT kind, 'sending', count(*) FROM email WHERE state = 'sending' GROUP BY kind
			UNION ALL
			SELECT kind, CASE
					WHEN reason = 'canceled' AND redeemed_at = '' THEN 'canceled'
					WHEN reason = 'bounced' THEN reason
					ELSE 'refused'
				END, count(*)
			FROM email WHERE state = 'refused' GROUP BY 1, 2
			UNION ALL
			SELECT kind, state, count(*) FROM email
			WHERE held = 0 AND state IN ('waiting', 'deferred') GROUP BY kind, state
			UNION ALL
			SELECT kind, state, count(*) FROM email
			WHERE held <> 0 AND state IN ('waiting', 'deferred') GROUP BY kind, state
		) AS parts GROUP BY kind, state ORDER BY kind, state`);

const KINDS: Readonly<Record<string, string>> = {
	confirm: "Confirmation emails",
	invitation: "Invitations",
	news: "News",
	unsubscribe: "Unsubscribe links",
};

/** `Invitations: 549 sent, 20 bounced, 11 delivery unknown` */
export function emailCountsAsText({ emails }: Pick<OutgoingSummary, "emails">): string[] {
	const kinds = [...new Set(emails.map(({ kind }) => kind))];
	return kinds.map((kind) => {
		const counts = emails
			.filter((row) => row.kind === kind)
			.map(({ state, count }) => `${formatNumber(count)} ${STATE_NAMES[state] ?? state}`);
		return `${KINDS[kind]}: ${counts.join(", ")}`;
	});
}

export const countUnknownEmails = ({ emails }: Pick<OutgoingSummary, "emails">) =>
	emails.reduce((sum, { state, count }) => sum + (state === "unknown" ? count : 0), 0);

const MOST_TROUBLED = 20;

function readTroubled(tx: Tx) {
	const last = (which: Statement) => sql`SELECT * FROM (
			SELECT email_key, kind, state, CASE reason WHEN '' THEN code ELSE reason END AS code, attempts, next_at
			FROM email WHERE ${which} ORDER BY next_at DESC, email_key LIMIT ${MOST_TROUBLED}
		) AS last`;
	type Troubled = Pick<EmailRow, "kind" | "state" | "attempts"> & {
		email: string;
		/** Codes of the last reply, an error name, or a `Reason`. */
		code: string;
		/** Time of the next attempt, or of the last one if refused. */
		time: string;
	};
	return tx.all(sql<Troubled>`SELECT registration.email, kind, state, code, attempts, next_at AS time FROM (
			${last(sql`state = 'deferred'`)}
			UNION ALL ${last(sql`state = 'refused' AND attempts >= ${MOST_ATTEMPTS}`)}
		) AS troubled JOIN registration ON registration.email_key = troubled.email_key
		ORDER BY next_at DESC, email LIMIT ${MOST_TROUBLED}`);
}

export const countWaveEmails = (tx: Tx, wave: string) =>
	countRows(tx, sql`email WHERE wave = ${wave} AND wave <> ''`);
