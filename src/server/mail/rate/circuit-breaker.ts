import { DAY_MS } from "../../time.ts";
import type { EmailAttempt } from "../emails/email.ts";
import { ownerOf } from "./address-owner.ts";
import { LONGEST_PAUSE_MS } from "./pauses.ts";

/**
 * How many owners of addresses have to be refused in a row until we believe that the mail server means us:
 * two where its code names a quota. It may pass on what a recipient's own server says, so one answer proves
 * nothing.
 */
const OWNERS = { quota: 2, other: 5 };

/** Emails in a row that count also where one company owns all addresses. */
const EMAILS = 30;

/**
 * For how long an owner says nothing who was refused while others passed: as long as an email is tried. Else
 * the last emails of a wave, which nobody takes, would be tried for ever.
 */
const EXCUSED_MS = 4 * DAY_MS;

/** How many owners are remembered: the latest. */
const MOST_REMEMBERED = 1000;

/** Tells a mail server that takes nothing more from us from one that puts off single emails. */
export interface CircuitBreaker {
	/**
	 * Notes an email that was not taken, for a reason that may be ours.
	 *
	 * @param tried the email as it is recorded if this was about it alone
	 * @param key its person's canonical address
	 * @returns whether the breaker opens, and what to record: then none of the emails in a row was tried
	 */
	failed(
		tried: EmailAttempt,
		key: string,
		cause: { quota: boolean },
	): { opens: boolean; tried: EmailAttempt[] };
	/** Notes that an email is tried again: what became of it before is recorded as it is. */
	retried(id: string): void;
	/** Notes an email that was accepted: the refusals so far were about those addresses alone. */
	passed(): void;
	/** Notes that a probe failed. */
	probeFailed(key: string): void;
	/** Owners whose emails are no probe while others are due. */
	suspects(): string[];
}

/**
 * Opens after five owners in a row. The pause is in the outbox, which all copies of the server share; what
 * shows it is in memory only, so that each copy finds out by a few emails. They come back after the longest
 * pause, untried.
 */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
	let inRow: { tried: EmailAttempt; owner: string }[] = [];
	const suspects = new Set<string>();
	/** Owners who were refused while others passed, and until when that counts. */
	const excused = new Map<string, number>();

	function excuse(owner: string): void {
		// The latest are at the end.
		excused.delete(owner);
		excused.set(owner, now() + EXCUSED_MS);
		if (excused.size > MOST_REMEMBERED) excused.delete(excused.keys().next().value!);
	}

	const untried = (tried: EmailAttempt): EmailAttempt => ({
		...tried,
		state: "waiting",
		nextAt: now() + LONGEST_PAUSE_MS,
	});

	return {
		failed(tried, key, { quota }) {
			inRow.push({ tried, owner: ownerOf(key) });
			const owners = new Set(inRow.map(({ owner }) => owner));
			const counted = [...owners].filter((owner) => (excused.get(owner) ?? 0) <= now());
			const isEnough = quota ? owners.size >= OWNERS.quota : counted.length >= OWNERS.other;
			if (!isEnough && inRow.length < EMAILS) return { opens: false, tried: [tried] };
			const recorded = inRow.map((one) => untried(one.tried));
			for (const owner of owners) suspects.add(owner);
			inRow = [];
			return { opens: true, tried: recorded };
		},
		retried(id) {
			inRow = inRow.filter(({ tried }) => tried.id !== id);
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
