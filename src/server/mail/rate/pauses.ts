import { runEach, type Statement, sql, type Tx } from "../../database/sql.ts";
import { DAY_MS, isoOf, MINUTE_MS } from "../../time.ts";
import type { EmailAttempt } from "../emails/email.ts";
import { isPaused, lockOutbox, type PauseCause, readOutbox, saveOutbox } from "./outbox-row.ts";
import { ownerOf } from "./throttle.ts";

export interface Pause {
	/** ISO 8601; {@link UNTIL_RELEASED} if only the founder ends it. */
	until: string;
	reason: string;
	cause: PauseCause;
}

export const UNTIL_RELEASED = "9999-12-31T23:59:59.999Z";

/** Why the mail server rejects all emails. */
export interface Trouble {
	cause: Exclude<PauseCause, "operator"> | "account";
	code: string;
}

/** Minutes of each pause in a row, until an email is accepted. */
const MINUTES = {
	unreachable: [1, 2, 4, 8, 15],
	refused: [1, 2, 4, 8, 15],
	/** The window of most quotas moves, so some room comes each hour. */
	quota: [1 / 6, 1, 5, 15, 30, 60],
	/** A wrong password, or a sender that may not send: only the founder can mend that. */
	account: [15],
} as const;

/** The last step of a quota. */
export const LONGEST_PAUSE_MS = 60 * MINUTE_MS;

const REFUSED = "The mail server refuses what we send, whoever it is for";
const TROUBLE: Record<Trouble["cause"], string> = {
	refused: REFUSED,
	account: REFUSED,
	unreachable: "The mail server cannot be reached, or is busy",
	quota: "The mail server accepts no more emails for now, whoever they are for",
};

export async function readPause(tx: Tx, now: Date): Promise<Pause | null> {
	const outbox = await readOutbox(tx);
	if (!isPaused(outbox, now.toISOString())) return null;
	return { until: outbox.pausedUntil, reason: outbox.reason, cause: outbox.cause };
}

/** Returns why a pause began; undefined if there was one. */
export async function pauseForTrouble(
	tx: Tx,
	{ trouble: { cause, code }, now }: { trouble: Trouble; now: number },
): Promise<string | undefined> {
	const outbox = await lockOutbox(tx);
	if (isPaused(outbox, isoOf(now))) return undefined;
	const minutes = MINUTES[cause];
	const ms = minutes[Math.min(outbox.pauses, minutes.length - 1)]! * MINUTE_MS;
	await saveOutbox(tx, {
		...outbox,
		pauses: outbox.pauses + 1,
		pausedUntil: isoOf(now + ms),
		cause: cause === "account" ? "refused" : cause,
		reason: `${TROUBLE[cause]} (${code}).`,
	});
	return TROUBLE[cause];
}

export async function pauseEmails(tx: Tx, { also }: { also: readonly Statement[] }): Promise<void> {
	const outbox = await lockOutbox(tx);
	if (outbox.pausedUntil >= UNTIL_RELEASED) return;
	await saveOutbox(tx, { ...outbox, pausedUntil: UNTIL_RELEASED, reason: "", cause: "operator" });
	await runEach(tx, also);
}

/** Also ends every throttle, and retries deferred emails now. Returns whether there was a pause. */
export async function releaseEmails(
	tx: Tx,
	{ now, also }: { now: Date; also: readonly Statement[] },
): Promise<boolean> {
	const time = now.toISOString();
	const outbox = await lockOutbox(tx);
	await saveOutbox(tx, {
		...outbox,
		pausedUntil: "",
		reason: "",
		pauses: 0,
		releasedAt: time,
		confirmedSlowed: 1,
		unconfirmedSlowed: 1,
	});
	await tx.all(sql`UPDATE email SET next_at = ${time}
		WHERE held = 0 AND state IN ('waiting', 'deferred') AND next_at > ${time}
			AND wave NOT IN (SELECT name FROM wave WHERE starts_at > ${time})`);
	await runEach(tx, also);
	return isPaused(outbox, time);
}

/** Refused owners in a row that open the breaker. A relay may pass on what one recipient's own server says. */
const OWNERS = { quota: 2, other: 5 };

/** Emails in a row that count even if one company owns all addresses. */
const EMAILS = 30;

/** How long an owner is excused. Otherwise the last emails of a wave, which nobody accepts, never end. */
const EXCUSED_MS = 4 * DAY_MS;

const MOST_REMEMBERED = 1000;

/**
 * Tells a mail server that accepts nothing more from us from one that defers single emails. The evidence is in
 * memory, so each copy of the server finds out by a few emails, which come back after the longest pause.
 */
export function createCircuitBreaker(now: () => number) {
	let inRow: { attempt: EmailAttempt; owner: string }[] = [];
	const suspects = new Set<string>();
	/** Until when each owner is excused, the latest at the end. */
	const excused = new Map<string, number>();

	function excuse(owner: string): void {
		excused.delete(owner);
		excused.set(owner, now() + EXCUSED_MS);
		if (excused.size > MOST_REMEMBERED) excused.delete(excused.keys().next().value!);
	}

	return {
		/**
		 * @param attempt the email as it is recorded if the failure was about it alone
		 * @returns whether the breaker opens, and what to record: then none of the emails in a row was attempted
		 */
		failed(attempt: EmailAttempt, key: string, { quota }: { quota: boolean }) {
			inRow.push({ attempt, owner: ownerOf(key) });
			const owners = new Set(inRow.map(({ owner }) => owner));
			const counted = [...owners].filter((owner) => (excused.get(owner) ?? 0) <= now());
			const isEnough = quota ? owners.size >= OWNERS.quota : counted.length >= OWNERS.other;
			if (!isEnough && inRow.length < EMAILS) return { opens: false, attempts: [attempt] };
			const nextAt = now() + LONGEST_PAUSE_MS;
			const attempts = inRow.map((one) => ({ ...one.attempt, state: "waiting" as const, nextAt }));
			for (const owner of owners) suspects.add(owner);
			inRow = [];
			return { opens: true, attempts };
		},
		/** The outcome of the email's earlier attempt is recorded as it is. */
		retried(id: string): void {
			inRow = inRow.filter(({ attempt }) => attempt.id !== id);
		},
		/** An email was accepted: the refusals so far were about those addresses alone. */
		passed(): void {
			for (const { owner } of inRow) excuse(owner);
			for (const owner of suspects) excuse(owner);
			inRow = [];
			suspects.clear();
		},
		probeFailed(key: string): void {
			if (suspects.size < MOST_REMEMBERED) suspects.add(ownerOf(key));
		},
		suspects: () => [...suspects],
	};
}
