import { runEach, type Statement, sql, type Tx } from "../../database/sql.ts";
import { isoOf, MINUTE_MS, shownTime } from "../../time.ts";
import type { ClaimedEmail } from "../emails/email.ts";
import { isPaused, lockOutbox, type PauseCause, readOutbox, saveOutbox } from "./outbox-state.ts";
import { addressOwnerOf } from "./throttle.ts";

export interface Pause {
	/** ISO 8601; {@link UNTIL_RESUMED} if only the founder can end the pause. */
	until: string;
	cause: PauseCause;
	code: string;
}

export const UNTIL_RESUMED = "9999-12-31T23:59:59.999Z";

export interface ServerTrouble {
	cause: Exclude<PauseCause, "founder">;
	code: string;
}

/** Lengths of successive pauses, until an email is accepted. */
const MINUTES = [1, 2, 4, 8, 15];

/** Short at first: most quotas have a sliding window, so they free up gradually. */
const QUOTA_MINUTES = [1 / 6, 1, 5, 15, 30, 60];

export const LONGEST_PAUSE_MS = 60 * MINUTE_MS;

const CAUSES: Record<PauseCause, string> = {
	unreachable: "The mail server cannot be reached, or is busy",
	refused: "The mail server is rejecting all our emails",
	quota: "The mail server’s sending limit is reached",
	founder: "Paused manually",
};

export function pauseAsText({ until, cause, code }: Pause): string {
	const why = CAUSES[cause] + (code && ` (${code})`);
	if (until === UNTIL_RESUMED) return `${why}. Nothing is sent until you resume.`;
	return `${why}. Nothing is sent until ${shownTime(until)}. Resume to try again now.`;
}

export async function readPause(tx: Tx, now: Date): Promise<Pause | null> {
	const outbox = await readOutbox(tx);
	if (!isPaused(outbox, now.toISOString())) return null;
	return { until: outbox.pausedUntil, cause: outbox.cause, code: outbox.code };
}

export async function pauseAfterServerTrouble(
	tx: Tx,
	{ trouble: { cause, code }, now }: { trouble: ServerTrouble; now: number },
): Promise<boolean> {
	const outbox = await lockOutbox(tx);
	if (isPaused(outbox, isoOf(now))) return false;
	const minutes = cause === "quota" ? QUOTA_MINUTES : MINUTES;
	const ms = minutes[Math.min(outbox.pauses, minutes.length - 1)]! * MINUTE_MS;
	const pausedUntil = isoOf(now + ms);
	await saveOutbox(tx, { ...outbox, pauses: outbox.pauses + 1, pausedUntil, cause, code });
	return true;
}

export async function pauseEmails(tx: Tx, { also }: { also: readonly Statement[] }): Promise<void> {
	const outbox = await lockOutbox(tx);
	if (outbox.pausedUntil >= UNTIL_RESUMED) return;
	await saveOutbox(tx, { ...outbox, pausedUntil: UNTIL_RESUMED, cause: "founder", code: "" });
	await runEach(tx, also);
}

/** Ends the pause and all throttling, and retries deferred emails now. Returns whether there was a pause. */
export async function resumeEmails(
	tx: Tx,
	{ now, also }: { now: Date; also: readonly Statement[] },
): Promise<boolean> {
	const time = now.toISOString();
	const outbox = await lockOutbox(tx);
	await saveOutbox(tx, {
		...outbox,
		pausedUntil: "",
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

/** The breaker opens when this many address owners in a row refuse. If fewer do, the cause may be theirs. */
const OWNERS = { quota: 2, other: 5 };

/** The breaker also opens when this many emails in a row fail, even if all have the same owner. */
const EMAILS = 30;

const MOST_EXCUSED = 1000;

type Attempted = Pick<ClaimedEmail, "id" | "key" | "attempts">;

/** Opens when the mail server rejects all our email, but not when it rejects single emails. */
export function createCircuitBreaker() {
	/** Failed emails and their address owners, since an email was accepted or the breaker opened. */
	const emails = new Set<string>();
	const owners = new Set<string>();
	/** Address owners of emails that failed since one was accepted. Probe emails avoid them. */
	const suspects = new Set<string>();
	/** Address owners that refused while others accepted: a few dead addresses must not reopen the breaker. */
	const excused = new Set<string>();
	return {
		failed({ id, key, attempts }: Attempted, { quota }: { quota: boolean }): boolean {
			// Ignores retries: this recipient may never accept email from us.
			if (attempts > 1) return false;
			emails.add(id);
			owners.add(addressOwnerOf(key));
			suspects.add(addressOwnerOf(key));
			const counted = [...owners].filter((owner) => !excused.has(owner));
			const isEnough = quota ? owners.size >= OWNERS.quota : counted.length >= OWNERS.other;
			const opens = isEnough || emails.size >= EMAILS;
			if (opens) for (const set of [emails, owners]) set.clear();
			return opens;
		},
		/** An accepted email proves that earlier refusals concerned single addresses. */
		passed(): void {
			for (const set of [emails, owners]) set.clear();
			if (excused.size > MOST_EXCUSED) excused.clear();
			for (const owner of suspects) excused.add(owner);
			suspects.clear();
		},
		probeFailed: (key: string) => void suspects.add(addressOwnerOf(key)),
		suspects: () => [...suspects],
	};
}
