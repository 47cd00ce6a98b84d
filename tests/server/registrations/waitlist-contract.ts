import { expect, it } from "vitest";
import type { Registration, Waitlist } from "../../../src/server/registrations/registrations.ts";

/** A registration of an address that is its own key. */
export function registrationOf(email: string): Registration {
	return {
		key: email.toLowerCase(),
		email,
		source: "landing-page",
		joinedAt: "2026-11-21T09:30:00.000Z",
		terms: "2026-11-21",
		flag: "",
	};
}

/** A fresh database, seen through the waitlist under test and by a connection of its own. */
export interface OpenedWaitlist {
	waitlist: Waitlist;
	/** Reads the rows over a connection of its own. */
	rows(): Promise<Registration[]>;
	/** Closes the waitlist, if the case has not, and removes the database. */
	remove(): Promise<void>;
}

/** The cases that every kind of database has to pass. */
export function waitlistContract(open: () => Promise<OpenedWaitlist>): void {
	const withWaitlist = (use: (opened: OpenedWaitlist) => Promise<void>) => async () => {
		const opened = await open();
		try {
			await use(opened);
		} finally {
			await opened.remove();
		}
	};

	it(
		"keeps every field of a registration, and text to the letter",
		withWaitlist(async ({ waitlist, rows }) => {
			const odd = registrationOf(`o'h"a\\ra;--🦄\u0301{}[]$1%s@bücher.example`);
			expect(await waitlist.join(odd)).toBe("registered");
			expect(await rows()).toEqual([odd]);
		}),
	);

	it(
		"recognizes a key, and keeps the first row",
		withWaitlist(async ({ waitlist, rows }) => {
			const first = registrationOf("ada@example.com");
			await waitlist.join(first);
			const again = { ...registrationOf("ADA@example.com"), source: "elsewhere" };
			expect(await waitlist.join(again)).toBe("duplicate");
			expect(await rows()).toEqual([first]);
		}),
	);

	it(
		"lets exactly one of a hundred simultaneous joins through",
		withWaitlist(async ({ waitlist, rows }) => {
			// The hundred gather while this one is written, so that they share a transaction.
			void waitlist.join(registrationOf("first@example.com"));
			const hundred = Array.from({ length: 100 }, () =>
				waitlist.join(registrationOf("ada@example.com")),
			);
			const outcomes = await Promise.all(hundred);
			expect(outcomes.filter((outcome) => outcome === "registered")).toHaveLength(1);
			expect(outcomes.filter((outcome) => outcome === "duplicate")).toHaveLength(99);
			expect(await rows()).toHaveLength(2);
		}),
	);

	it(
		"gives each of many joins its own answer",
		withWaitlist(async ({ waitlist, rows }) => {
			await waitlist.join(registrationOf("visitor-7@example.com"));
			const outcomes = await Promise.all(
				Array.from({ length: 3000 }, (_, n) =>
					waitlist.join(registrationOf(`visitor-${n}@example.com`)),
				),
			);
			expect(outcomes.indexOf("duplicate")).toBe(7);
			expect(outcomes.filter((outcome) => outcome === "registered")).toHaveLength(2999);
			expect(await rows()).toHaveLength(3000);
		}),
	);

	it(
		"finishes the joins in its queue before it closes, and takes none afterwards",
		withWaitlist(async ({ waitlist, rows }) => {
			const taken = Array.from({ length: 50 }, (_, n) =>
				waitlist.join(registrationOf(`visitor-${n}@example.com`)),
			);
			await waitlist.close();
			expect(new Set(await Promise.all(taken))).toEqual(new Set(["registered"]));
			expect(await waitlist.join(registrationOf("late@example.com"))).toBe("unavailable");
			expect(await rows()).toHaveLength(50);
		}),
	);
}
