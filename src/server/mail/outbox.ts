import type { SharedDatabase } from "../database/database.ts";
import { hasRow, joinSql, keysSql, raw, sql, type Tx } from "../database/sql.ts";
import type { MailSettings } from "../settings.ts";
import { DAY_MS, isoOf, latestCredibleTime } from "../time.ts";
import { addEvents } from "../webhooks/event.ts";
import { claimEmails, LEASE_MS, refuseEmailsToUnsubscribed } from "./claim-emails.ts";
import type { EmailAttempt, EmailRow } from "./emails/email.ts";
import { recordBounce } from "./feedback/record-feedback.ts";
import {
	EMAIL_QUEUES,
	type EmailStream,
	emailStreamOf,
	isPaused,
	lockOutbox,
	type OutboxState,
	saveOutbox,
	sendableEmailsSql,
} from "./rate/outbox-state.ts";
import {
	LONGEST_PAUSE_MS,
	pauseAfterServerTrouble,
	readPause,
	type ServerTrouble,
} from "./rate/pauses.ts";
import { advanceWarmUp, applyClaim, isThrottled, roomForEmails } from "./rate/sending-rate.ts";
import { adjustThrottles } from "./rate/throttle.ts";

interface OutboxSettings extends Partial<Pick<MailSettings, "rate" | "warmUp">> {
	/** Stores the wording of emails before any outcome refers to it. */
	saveWordings?: () => Promise<void>;
	now?: () => number;
}

export type Outbox = ReturnType<typeof openOutbox>;

export function openOutbox(
	database: SharedDatabase,
	{ rate, warmUp, saveWordings, now = Date.now }: OutboxSettings,
) {
	let isMended = false;

	return {
		/** Returns whether any email is due, and the current pause. */
		async look() {
			const ms = now();
			if (!isMended) await database.transact(endExcessiveWaits, ms);
			isMended = true;
			const due = await isAnyDue(database, isoOf(ms));
			return { due, pause: await readPause(database, new Date(ms)) };
		},
		async turn(
			attempts: readonly EmailAttempt[],
			most: number,
			also: { mostUnconfirmed?: number; suspects?: readonly string[] } = {},
		) {
			const { mostUnconfirmed = most, suspects = [] } = also;
			if (attempts.length > 0) await saveWordings?.();
			const input = { now: now(), rate, warmUp, attempts, most, mostUnconfirmed, suspects };
			return database.transact(recordAndClaim, input);
		},
		/** Starts a pause, or returns false during one. Pauses get longer until an email is accepted. */
		pause: (trouble: ServerTrouble) =>
			database.transact(pauseAfterServerTrouble, { trouble, now: now() }),
	};
}

async function isAnyDue(tx: Tx, now: string): Promise<boolean> {
	const due = EMAIL_QUEUES.map(
		(queue) =>
			sql`EXISTS (SELECT 1 FROM email WHERE ${sendableEmailsSql(queue)} AND next_at <= ${now})`,
	);
	const row = await tx.first(sql<{ due: number }>`SELECT CASE WHEN ${joinSql(due, " OR ")}
		OR EXISTS (SELECT 1 FROM email WHERE state = 'sending' AND lease_until < ${now})
		THEN 1 ELSE 0 END AS due`);
	return row!.due === 1;
}

/** Ends waits that are longer than any we set: a wrong clock wrote them. */
export async function endExcessiveWaits(tx: Tx, now: number): Promise<void> {
	const latest = (longestMs: number) => latestCredibleTime(new Date(now + longestMs));
	const time = isoOf(now);
	const outbox = await lockOutbox(tx);
	const isPausedLong = outbox.cause !== "founder" && outbox.pausedUntil > latest(LONGEST_PAUSE_MS);
	await saveOutbox(tx, {
		...outbox,
		pausedUntil: isPausedLong ? time : outbox.pausedUntil,
		releasedAt: outbox.releasedAt > latest(0) ? time : outbox.releasedAt,
		steppedAt: outbox.steppedAt > latest(0) ? time : outbox.steppedAt,
	});
	await tx.all(sql`UPDATE email SET next_at = ${time}
		WHERE queue = 'requested' AND held = 0 AND state IN ('waiting', 'deferred')
			AND next_at > ${latest(LONGEST_PAUSE_MS)} AND attempts <= 3`);
	await tx.all(sql`UPDATE email SET next_at = ${time}
		WHERE state = 'deferred' AND next_at > ${latest(4 * DAY_MS)}`);
	await tx.all(sql`UPDATE email SET lease_until = ${time}
		WHERE state = 'sending' AND lease_until > ${latest(LEASE_MS)}`);
}

interface TurnInput extends Pick<MailSettings, "rate" | "warmUp"> {
	/** In ms since 1970. */
	now: number;
	attempts: readonly EmailAttempt[];
	most: number;
	mostUnconfirmed: number;
	suspects: readonly string[];
}

/** Records outcomes and claims the next emails. If the sender never gets these, they become unknown after their lease. */
export async function recordAndClaim(tx: Tx, input: TurnInput) {
	const { now, attempts, rate, warmUp, most, mostUnconfirmed, suspects } = input;
	const time = isoOf(now);
	const locked = applyOutcomes(await lockOutbox(tx), attempts, time, warmUp !== undefined);
	await recordDeliveries(tx, attempts, time);
	const lost = await tx.all(sql`UPDATE email
		SET state = 'unknown', lease_until = '', ended_at = ${time}
		WHERE state = 'sending' AND lease_until < ${time} RETURNING id`);
	const toJudge = await streamsToJudge(tx, locked, attempts);
	const { outbox: judged, speeds } = await adjustThrottles(tx, locked, toJudge, now);
	const outbox = warmUp ? advanceWarmUp(judged, warmUp, now) : judged;
	const rates = { rate, warmUp };
	const isSending = outbox.pauses > 0 && (await hasRow(tx, sql`email WHERE state = 'sending'`));
	const room = roomForEmails(outbox, rates, now, { isSending, most });
	room.unconfirmed = Math.min(room.unconfirmed, mostUnconfirmed);
	const claimed = await claimEmails(tx, { now, room, suspects });
	const countOf = (stream: EmailStream) =>
		claimed.emails.filter((email) => email.stream === stream).length;
	const spent = {
		confirmed: countOf("confirmed"),
		unconfirmed: countOf("unconfirmed"),
		waves: claimed.emails.filter(({ wave }) => wave !== "").length,
	};
	await saveOutbox(tx, applyClaim(outbox, rates, now, spent));
	return { ...claimed, lost: lost.length, speeds, probing: room.probing };
}

/** Ends probing once the mail server accepts an email. If it was unreachable, a refusal is enough. */
function applyOutcomes(
	outbox: OutboxState,
	attempts: readonly EmailAttempt[],
	now: string,
	isWarmingUp: boolean,
): OutboxState {
	const accepted = attempts.some(({ state }) => state === "accepted");
	const answered = accepted || attempts.some(({ state }) => state === "refused");
	const isBack = outbox.cause === "unreachable" ? answered : accepted;
	const begins = accepted && isWarmingUp && outbox.steppedAt === "";
	return {
		...outbox,
		// Keeps the count during a pause: an email sent before it may still be accepted.
		pauses: isBack && !isPaused(outbox, now) ? 0 : outbox.pauses,
		steppedAt: begins ? now : outbox.steppedAt,
	};
}

/** Returns the streams whose throttle may change. Without a bounce or a throttle, runs no query. */
async function streamsToJudge(tx: Tx, outbox: OutboxState, attempts: readonly EmailAttempt[]) {
	const ended = attempts.filter(({ state }) => state === "accepted" || state === "refused");
	if (!isThrottled(outbox) && !ended.some(({ bounced }) => bounced)) return [];
	const rows = await tx.all(sql<Pick<EmailRow, "queue">>`SELECT DISTINCT queue FROM email
		WHERE id <> '' AND id IN ${keysSql(ended.map(({ id }) => id))}`);
	return [...new Set(rows.map(({ queue }) => emailStreamOf(queue)))];
}

/** Records outcomes, even late ones. Refuses queued emails to bounced addresses. */
async function recordDeliveries(tx: Tx, attempts: readonly EmailAttempt[], now: string) {
	const invited: string[] = [];
	for (const { id, state, nextAt, code, version, bounced } of attempts) {
		const isOver = nextAt === undefined;
		// An email that goes back to waiting gets its attempt back.
		const returned = raw(state === "waiting" ? 1 : 0);
		const email = await tx.first(sql<Pick<EmailRow, "key" | "kind">>`UPDATE email
			SET state = ${state}, next_at = ${isOver ? now : isoOf(nextAt)}, ended_at = ${isOver ? now : ""},
				code = ${code}, reason = '', version = ${version}, lease_until = '',
				attempts = attempts - ${returned}
			WHERE id = ${id} AND id <> '' AND state IN ('sending', 'unknown')
			RETURNING email_key AS "key", kind`);
		if (!isOver) await tx.all(refuseEmailsToUnsubscribed(sql`id = ${id} AND id <> ''`, now));
		if (bounced) await recordBounce(tx, id, code, now);
		if (state === "accepted" && email?.kind === "invitation") invited.push(email.key);
	}
	await addEvents(tx, "invited", invited, now);
}
