import { keysIn, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import type { MailSettings } from "../settings.ts";
import { isoOf } from "../time.ts";
import { type Claimed, claimEmails } from "./claim-emails.ts";
import type { ClaimedEmail, EmailAttempt } from "./emails/email.ts";
import { isPaused, lockOutbox, type OutboxRow, saveOutbox } from "./rate/outbox-row.ts";
import { type Queue, type Stream, streamOf } from "./rate/queues.ts";
import { limitsOf, roomFor, spend } from "./rate/sending-rate.ts";
import { judgeStreams, type SpeedChange } from "./rate/throttle.ts";
import { climb, ratesAt } from "./rate/warm-up.ts";
import { recordDeliveries } from "./record-deliveries.ts";

/** Outcomes to record, and how many emails to claim. */
export interface TurnInput extends Pick<MailSettings, "rate" | "ramp"> {
	/** Names the turn. The next one has the name of an interrupted one, and puts back what that one claimed. */
	claim: string;
	/** In ms since 1970. */
	now: number;
	tried: readonly EmailAttempt[];
	/** How many emails to claim, and how many of these to people who have not confirmed. */
	most: number;
	mostUnconfirmed: number;
	/** Owners of addresses whose emails are no probe while others are due. */
	suspects: readonly string[];
}

/** The result of a turn. */
export interface Turn extends Pick<Claimed, "confirmedDue"> {
	/** Claimed by this sender, and on disk as being sent. */
	letters: ClaimedEmail[];
	/** How many due emails will not be sent, because their person may no longer get them. */
	turnedAway: number;
	/** How many emails have an unknown outcome, because their sender died. */
	lost: number;
	/** The streams that are slower or faster from now on. */
	speeds: SpeedChange[];
	/** Whether the mail server takes nothing from us, as far as we know: an email finds out. */
	probing: boolean;
}

/**
 * Records what became of emails and claims the next ones, as rate and pause allow, in one transaction.
 * After an error a repeat with the same values is safe.
 */
export async function takeTurn(tx: Tx, input: TurnInput): Promise<Turn> {
	const { claim, now, tried, rate, ramp } = input;
	const iso = isoOf(now);
	let outbox = learn(await lockOutbox(tx), tried, iso, { isWarmingUp: ramp !== undefined });
	await putBack(tx, claim);
	await recordDeliveries(tx, tried, iso);
	const lost = await loseEmails(tx, iso);
	const judged = await judgeStreams(tx, outbox, await streamsToJudge(tx, outbox, tried), now);
	outbox = judged.outbox;
	if (ramp) outbox = climb(outbox, ramp, now);
	const limits = limitsOf(ratesAt({ rate, ramp }, outbox.step));
	const isSending = outbox.pauses > 0 && (await tx.all(IS_SENDING)).length > 0;
	const room = roomFor(outbox, limits, now, { isSending, most: input.most });
	const claimed = await claimEmails(tx, {
		claim,
		now,
		room: { ...room, unconfirmed: Math.min(room.unconfirmed, input.mostUnconfirmed) },
		suspects: input.suspects,
	});
	const { emails } = claimed;
	const countOf = (stream: Stream) => emails.filter((email) => email.stream === stream).length;
	await saveOutbox(
		tx,
		spend(outbox, limits, now, {
			confirmed: countOf("confirmed"),
			unconfirmed: countOf("unconfirmed"),
			waves: emails.filter(({ wave }) => wave !== "").length,
		}),
	);
	return {
		letters: emails,
		turnedAway: claimed.refused,
		confirmedDue: claimed.confirmedDue,
		lost: lost.length,
		speeds: judged.speeds,
		probing: room.probing,
	};
}

/** Puts back what an interrupted turn claimed: no sender has heard of these emails. */
const putBack = (tx: Tx, claim: string) =>
	tx.all(sql`UPDATE email
		SET state = 'waiting', claim = '', lease_until = '', attempts = attempts - 1,
			expires_at = CASE attempts WHEN 1 THEN '' ELSE expires_at END
		WHERE state = 'sending' AND claim = ${claim}`);

/** Marks emails as unknown whose lease has ended: their sender is gone. */
const loseEmails = (tx: Tx, now: string) =>
	tx.all(sql`UPDATE email SET state = 'unknown', lease_until = '', claim = '', ended_at = ${now}
		WHERE state = 'sending' AND lease_until < ${now} RETURNING id`);

const IS_SENDING = sql`SELECT 1 AS one FROM email WHERE state = 'sending' LIMIT 1`;

/** Ends probing once an email is accepted, or, if the server was unreachable, once it replies at all. */
function learn(
	outbox: OutboxRow,
	tried: readonly EmailAttempt[],
	now: string,
	{ isWarmingUp }: { isWarmingUp: boolean },
): OutboxRow {
	const accepted = tried.some(({ state }) => state === "accepted");
	const answered = accepted || tried.some(({ state }) => state === "refused");
	const isBack = outbox.cause === "unreachable" ? answered : accepted;
	// An email that was under way when a pause began does not end it.
	const isOver = !isPaused(outbox, now);
	const begins = accepted && isWarmingUp && outbox.steppedAt === "";
	return {
		...outbox,
		pauses: isBack && isOver ? 0 : outbox.pauses,
		steppedAt: begins ? now : outbox.steppedAt,
	};
}

/** Streams with a new bounce, and throttled ones. Healthy streams cost no query. */
async function streamsToJudge(tx: Tx, outbox: OutboxRow, tried: readonly EmailAttempt[]) {
	const ended = tried.filter(({ state }) => state === "accepted" || state === "refused");
	const isThrottled = outbox.confirmedSlowed > 1 || outbox.unconfirmedSlowed > 1;
	if (!isThrottled && !ended.some(({ bounced }) => bounced)) return [];
	const rows = await tx.all(sql<{ queue: Queue }>`SELECT DISTINCT queue FROM email
		WHERE id <> '' AND id IN ${keysIn(ended.map(({ id }) => id))}`);
	return [...new Set(rows.map(({ queue }) => streamOf(queue)))];
}
