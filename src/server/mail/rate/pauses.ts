import { runEach, type Statement, sql, type Tx } from "../../database/sql.ts";
import { DAY_MS, isoOf, MINUTE_MS } from "../../time.ts";
import type { EmailAttempt } from "../emails/email.ts";
import { isPaused, lockOutbox, type PauseCause, readOutbox, saveOutbox } from "./outbox-row.ts";
import { ownerOf } from "./throttle.ts";

export interface Pause {
	/** ISO 8601; {@link UNTIL_RELEASED} if only the founder can end it. */
	until: string;
	reason: string;
	cause: PauseCause;
}

export const UNTIL_RELEASED = "9999-12-31T23:59:59.999Z";

/** Why the mail server rejects all emails. */
export interface Trouble {
	cause: Exclude<PauseCause, "founder"> | "account";
	code: string;
}

/** Minutes of successive pauses, until an email is accepted. */
const MINUTES = {
	unreachable: [1, 2, 4, 8, 15],
	refused: [1, 2, 4, 8, 15],
	/** Most quotas use a sliding window, so some become available each hour. */
	quota: [1 / 6, 1, 5, 15, 30, 60],
	/** A wrong password or a blocked sender: only the founder can fix that. */
	account: [15],
} as const;

/** Longest quota pause. */
export const LONGEST_PAUSE_MS = 60 * MINUTE_MS;

const REFUSED = "The mail server refuses our emails to all recipients";
const TROUBLE: Record<Trouble["cause"], string> = {
	refused: REFUSED,
	account: REFUSED,
	unreachable: "The mail server cannot be reached, or is busy",
	quota: "The mail server's sending limit is reached",
};

export async function readPause(tx: Tx, now: Date): Promise<Pause | null> {
	const outbox = await readOutbox(tx);
	if (!isPaused(outbox, now.toISOString())) return null;
	return { until: outbox.pausedUntil, reason: outbox.reason, cause: outbox.cause };
}

/** Returns the reason if a pause began; undefined if already paused. */
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
	await saveOutbox(tx, { ...outbox, pausedUntil: UNTIL_RELEASED, reason: "", cause: "founder" });
	await runEach(tx, also);
}

/** Ends the pause and throttles, and retries deferred emails now. Returns whether there was a pause. */
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

/** Consecutive refused owners that open the breaker. One is not enough: a relay may forward a recipient server's reply. */
const OWNERS = { quota: 2, other: 5 };

/** Consecutive emails that open the breaker even if one company owns all addresses. */
const EMAILS = 30;

/** How long an owner is ignored. Otherwise a wave's last, undeliverable emails would reopen the breaker forever. */
const EXCUSED_MS = 4 * DAY_MS;

const MOST_REMEMBERED = 1000;

/**
 * Opens when the mail server stops accepting all our email, but not when it defers single emails. Its state is in
 * memory, so each server learns this with a few emails, which are retried after the longest pause.
 */
export function createCircuitBreaker(now: () => number) {
	let inRow: { attempt: EmailAttempt; owner: string }[] = [];
	const suspects = new Set<string>();
	/** End of each owner's excuse, latest last. */
	const excused = new Map<string, number>();

	function excuse(owner: string): void {
		excused.delete(owner);
		excused.set(owner, now() + EXCUSED_MS);
		if (excused.size > MOST_REMEMBERED) excused.delete(excused.keys().next().value!);
	}

	return {
		/**
		 * @param attempt the outcome to record if only this email is affected
		 * @returns whether the breaker opens, and the outcomes to record; if it opens, none counts as an attempt
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
		/** Forgets the email's earlier attempt, which is already recorded. */
		retried(id: string): void {
			inRow = inRow.filter(({ attempt }) => attempt.id !== id);
		},
		/** Resets after an accepted email: earlier refusals concerned only their addresses. */
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
