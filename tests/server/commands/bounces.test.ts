import { describe, expect, it } from "vitest";
import { recordFeedback } from "../../../src/server/mail/feedback/record-feedback.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { openEmailDesk } from "./letter-desk.ts";

const cluster = usePostgres();

const bounced = { state: "refused", code: "550 5.1.1", bounced: true } as const;
const accepted = { state: "accepted", code: "250" } as const;

describe(`bounces on ${kind}`, () => {
	async function open(...emails: string[]) {
		const desk = await openEmailDesk(kind, cluster());
		await desk.join(...emails);
		const taken = await desk.take();
		const idOf = (email: string) => taken.find((letter) => letter.email === email)!.id;
		return {
			...desk,
			/** A mail server refuses emails because their addresses do not exist. */
			refuse: (...refused: string[]) =>
				desk.tell(...refused.map((email) => ({ id: idOf(email), ...bounced }))),
			accept: (...reached: string[]) =>
				desk.tell(...reached.map((email) => ({ id: idOf(email), ...accepted }))),
			/** A message says later that an address does not exist. */
			report: (email: string) =>
				desk.inDatabase((database) =>
					database.transact(recordFeedback, {
						feedback: [{ kind: "bounce", id: idOf(email), code: "later 5.1.1" }],
						now: new Date(),
					}),
				),
		};
	}

	it("slow the stream of their emails, which is said and ends by `resume`", async () => {
		const people = Array.from({ length: 21 }, (_, n) => `visitor@company-${n}.example`);
		const desk = await open(...people);
		await desk.refuse(...people.slice(0, 19));
		await desk.accept(...people.slice(19, 21));
		expect(await desk.report(people[19]!)).toEqual({ found: 1, speeds: [] });
		expect(await desk.report(people[20]!)).toMatchObject({
			found: 1,
			speeds: [{ stream: "unconfirmed", slowed: 4, before: 1, letters: 21, dead: 21 }],
		});
		const says =
			"Emails to people who have not confirmed go out at 1/4 of the rate: of the last 21 addresses 21 do not exist.";
		for (const command of ["emails", "stats"]) {
			expect((await desk.run(command)).stdout).toContain(says);
		}
		await desk.join(...Array.from({ length: 90 }, (_, n) => `next-${n}@example.com`));
		// Without a rate, one in four seconds, and a minute of these at most at once.
		expect((await desk.send()).length).toBeLessThanOrEqual(16);
		await desk.json("resume");
		expect((await desk.send()).length).toBeGreaterThanOrEqual(74);
	});

	it("that were wrong no longer slow anything", async () => {
		const people = Array.from({ length: 21 }, (_, n) => `visitor@company-${n}.example`);
		const desk = await open(...people);
		await desk.refuse(...people);
		expect((await desk.json("emails")).slowed).toHaveLength(1);
		await desk.json(`unblock ${people.slice(0, 10).join(" ")}`);
		expect((await desk.json("emails")).slowed).toEqual([]);
	});
});
