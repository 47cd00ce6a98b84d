import { expect, it } from "vitest";
import type { Registration, Waitlist } from "../../../src/server/registrations/registrations.ts";

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

interface OpenedWaitlist {
	waitlist: Waitlist;
	rows(): Promise<Registration[]>;
}

export function testWaitlistContract(open: () => Promise<OpenedWaitlist>): void {
	const joinAll = (waitlist: Waitlist, emails: readonly string[]) =>
		Promise.all(emails.map((email) => waitlist.join(registrationOf(email))));
	const visitors = (count: number) =>
		Array.from({ length: count }, (_, n) => `visitor-${n}@example.com`);
	const prove = (fact: string, use: (opened: OpenedWaitlist) => Promise<void>) =>
		it(fact, async () => use(await open()));

	prove("keeps every field, and text to the letter", async ({ waitlist, rows }) => {
		const odd = registrationOf(`o'h"a\\ra;--🦄\u0301{}[]$1%s@bücher.example`);
		expect(await waitlist.join(odd)).toBe("registered");
		expect(await rows()).toEqual([odd]);
	});

	prove("recognizes a key, and keeps the first row", async ({ waitlist, rows }) => {
		const first = registrationOf("ada@example.com");
		await waitlist.join(first);
		const again = { ...registrationOf("ADA@example.com"), source: "elsewhere" };
		expect(await waitlist.join(again)).toBe("duplicate");
		expect(await rows()).toEqual([first]);
	});

	prove("lets exactly one of a hundred simultaneous joins through", async ({ waitlist, rows }) => {
		// The hundred joins below queue behind this one, so they share a transaction.
		void waitlist.join(registrationOf("first@example.com"));
		const outcomes = await joinAll(waitlist, Array(100).fill("ada@example.com"));
		expect(outcomes.filter((outcome) => outcome === "registered")).toHaveLength(1);
		expect(outcomes.filter((outcome) => outcome === "duplicate")).toHaveLength(99);
		expect(await rows()).toHaveLength(2);
	});

	prove("gives each of many joins its own answer", async ({ waitlist, rows }) => {
		await waitlist.join(registrationOf("visitor-7@example.com"));
		const outcomes = await joinAll(waitlist, visitors(3000));
		expect(outcomes.indexOf("duplicate")).toBe(7);
		expect(outcomes.filter((outcome) => outcome === "registered")).toHaveLength(2999);
		expect(await rows()).toHaveLength(3000);
	});
}
