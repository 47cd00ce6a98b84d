import { keysIn, sql, type Tx } from "../database/sql.ts";
import type { MailSettings } from "../settings.ts";
import { isoOf } from "../time.ts";
import { addEvents } from "../webhooks/event.ts";
import { type Claimed, claimEmails } from "./claim-emails.ts";
import { type EmailAttempt, refuseOfLeft } from "./emails/email.ts";
import { recordBounce } from "./feedback/record-feedback.ts";
import {
	isPaused,
	lockOutbox,
	type OutboxRow,
	type Queue,
	type Stream,
	saveOutbox,
	streamOf,
} from "./rate/outbox-row.ts";
import { climb, isThrottled, limitsOf, ratesAt, roomFor, spend } from "./rate/sending-rate.ts";
import { judgeStreams, type SpeedChange } from "./rate/throttle.ts";

/** Outcomes to record, and how many emails to claim. */
export interface TurnInput extends Pick<MailSettings, "rate" | "ramp"> {
	/** Names the turn. A turn of the same name puts back what an interrupted one claimed. */
	claim: string;
	/** In ms since 1970. */
	now: number;
	attempts: readonly EmailAttempt[];
	/** How many emails to claim, and how many of these to unconfirmed people. */
	most: number;
	mostUnconfirmed: number;
	/** Owners of addresses whose emails are no probe while others are due. */
	suspects: readonly string[];
}

/** The claimed emails, on disk as being sent, and what the sender needs to know. */
export interface Turn extends Claimed {
	/** How many emails are unknown, because their sender died. */
	lost: number;
	speeds: SpeedChange[];
	/** Whether a single email finds out if the mail server accepts anything. */
	probing: boolean;
}

/** Records outcomes and claims the next emails. After an error a repeat with the same input is safe. */
export async function takeTurn(tx: Tx, input: TurnInput): Promise<Turn> {
	const { claim, now, attempts, rate, ramp, most, mostUnconfirmed, suspects } = input;
	const iso = isoOf(now);
	const locked = learn(await lockOutbox(tx), attempts, iso, ramp !== undefined);
	await putBack(tx, claim);
	await recordDeliveries(tx, attempts, iso);
	const lost = await loseEmails(tx, iso);
	const toJudge = await streamsToJudge(tx, locked, attempts);
	const { outbox: judged, speeds } = await judgeStreams(tx, locked, toJudge, now);
	const outbox = ramp ? climb(judged, ramp, now) : judged;
	const limits = limitsOf(ratesAt({ rate, ramp }, outbox.step));
	const isSending = outbox.pauses > 0 && (await tx.all(IS_SENDING)).length > 0;
	const room = roomFor(outbox, limits, now, { isSending, most });
	room.unconfirmed = Math.min(room.unconfirmed, mostUnconfirmed);
	const claimed = await claimEmails(tx, { claim, now, room, suspects });
	const countOf = (stream: Stream) =>
		claimed.emails.filter((email) => email.stream === stream).length;
	const spent = {
		confirmed: countOf("confirmed"),
		unconfirmed: countOf("unconfirmed"),
		waves: claimed.emails.filter(({ wave }) => wave !== "").length,
	};
	await saveOutbox(tx, spend(outbox, limits, now, spent));
	return { ...claimed, lost: lost.length, speeds, probing: room.probing };
}

/** No sender has heard of these emails. */
const putBack = (tx: Tx, claim: string) =>
	tx.all(sql`UPDATE email
		SET state = 'waiting', claim = '', lease_until = '', attempts = attempts - 1,
			expires_at = CASE attempts WHEN 1 THEN '' ELSE expires_at END
		WHERE state = 'sending' AND claim = ${claim}`);

/** Emails whose lease has ended: their sender is gone. */
const loseEmails = (tx: Tx, now: string) =>
	tx.all(sql`UPDATE email SET state = 'unknown', lease_until = '', claim = '', ended_at = ${now}
		WHERE state = 'sending' AND lease_until < ${now} RETURNING id`);

const IS_SENDING = sql`SELECT 1 AS one FROM email WHERE state = 'sending' LIMIT 1`;

/** Ends probing once an email is accepted, or, if the server was unreachable, once it replies at all. */
function learn(
	outbox: OutboxRow,
	attempts: readonly EmailAttempt[],
	now: string,
	isWarmingUp: boolean,
): OutboxRow {
	const accepted = attempts.some(({ state }) => state === "accepted");
	const answered = accepted || attempts.some(({ state }) => state === "refused");
	const isBack = outbox.cause === "unreachable" ? answered : accepted;
	const begins = accepted && isWarmingUp && outbox.steppedAt === "";
	return {
		...outbox,
		// An email that was under way when a pause began does not end it.
		pauses: isBack && !isPaused(outbox, now) ? 0 : outbox.pauses,
		steppedAt: begins ? now : outbox.steppedAt,
	};
}

/** Streams with a new bounce, and throttled ones. Healthy streams cost no query. */
async function streamsToJudge(tx: Tx, outbox: OutboxRow, attempts: readonly EmailAttempt[]) {
	const ended = attempts.filter(({ state }) => state === "accepted" || state === "refused");
	if (!isThrottled(outbox) && !ended.some(({ bounced }) => bounced)) return [];
	const rows = await tx.all(sql<{ queue: Queue }>`SELECT DISTINCT queue FROM email
		WHERE id <> '' AND id IN ${keysIn(ended.map(({ id }) => id))}`);
	return [...new Set(rows.map(({ queue }) => streamOf(queue)))];
}

/** Records outcomes. Once an address bounces, its queued emails are refused. */
async function recordDeliveries(
	tx: Tx,
	attempts: readonly EmailAttempt[],
	now: string,
): Promise<void> {
	const invited: string[] = [];
	for (const one of attempts) {
		const recorded = await recordAttempt(tx, one, now);
		if (one.nextAt !== undefined) await tx.all(refuseOfLeft(sql`id = ${one.id} AND id <> ''`, now));
		if (one.bounced) await recordBounce(tx, one.id, one.code, now);
		if (one.state === "accepted" && recorded?.kind === "invitation") invited.push(recorded.key);
	}
	await addEvents(tx, "invited", invited, now);
}

/** An outcome may come after the lease has ended. An attempt that ends in waiting does not count. */
function recordAttempt(tx: Tx, { id, state, nextAt, code, version }: EmailAttempt, now: string) {
	const isOver = nextAt === undefined;
	const isUncounted = state === "waiting" ? 1 : 0;
	return tx.first(sql<{ key: string; kind: string }>`UPDATE email
		SET state = ${state}, next_at = ${isOver ? now : isoOf(nextAt)}, ended_at = ${isOver ? now : ""},
			code = ${code}, reason = '', version = ${version}, lease_until = '', claim = '',
			attempts = attempts - CAST(${isUncounted} AS INT)
		WHERE id = ${id} AND id <> ''
			AND (state IN ('sending', 'unknown') OR (state = 'deferred' AND CAST(${isUncounted} AS INT) = 1))
		RETURNING email_key AS "key", kind`);
}
