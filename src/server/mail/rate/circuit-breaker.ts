import { DAY_MS } from "../../time.ts";
import type { EmailAttempt } from "../emails/email.ts";
import { ownerOf } from "./address-owner.ts";
import { LONGEST_PAUSE_MS } from "./pauses.ts";

/**
 * Refused owners in a row that open the breaker. A relay may pass on what a recipient's own server says, so
 * one refusal proves nothing, not even one that names a quota.
 */
const OWNERS = { quota: 2, other: 5 };

/** Emails in a row that count also where one company owns all addresses. */
const EMAILS = 30;

/**
 * An owner who was refused while others were accepted does not count for as long as an email is retried.
 * Otherwise the last emails of a wave, which nobody accepts, would be retried for ever.
 */
const EXCUSED_MS = 4 * DAY_MS;

const MOST_REMEMBERED = 1000;

/** Tells a mail server that accepts nothing more from us from one that defers single emails. */
export interface CircuitBreaker {
	/**
	 * @param attempt the email as it is recorded if the failure was about it alone
	 * @returns whether the breaker opens, and what to record: then none of the emails in a row was attempted
	 */
	failed(
		attempt: EmailAttempt,
		key: string,
		cause: { quota: boolean },
	): { opens: boolean; attempts: EmailAttempt[] };
	/** The outcome of the email's earlier attempt is recorded as it is. */
	retried(id: string): void;
	/** An email was accepted: the refusals so far were about those addresses alone. */
	passed(): void;
	probeFailed(key: string): void;
	/** Owners whose emails are no probe while others are due. */
	suspects(): string[];
}

/**
 * The pause is in the outbox, which all copies of the server share. The evidence is in memory, so each copy
 * finds out by a few emails, which come back after the longest pause.
 */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
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
		failed(attempt, key, { quota }) {
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
		retried(id) {
			inRow = inRow.filter(({ attempt }) => attempt.id !== id);
		},
		passed() {
			for (const { owner } of inRow) excuse(owner);
			for (const owner of suspects) excuse(owner);
			inRow = [];
			suspects.clear();
		},
		probeFailed(key) {
			if (suspects.size < MOST_REMEMBERED) suspects.add(ownerOf(key));
		},
		suspects: () => [...suspects],
	};
}
