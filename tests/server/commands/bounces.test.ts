import { describe, expect, it } from "vitest";
import { recordFeedback } from "../../../src/server/mail/feedback/record-feedback.ts";
import { openLinkedPeople } from "../../../src/server/mail/links/linked-people.ts";
import { change, emailsOf, given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { openWaveDesk } from "../waves/wave-desk.ts";
import { openLetterDesk } from "./letter-desk.ts";

const cluster = usePostgres();

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";
const ISO = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

const bounced = { state: "refused", code: "550 5.1.1", bounced: true } as const;
const accepted = { state: "accepted", code: "250" } as const;

describe(`bounces on ${kind}`, () => {
	async function open(...emails: string[]) {
		const desk = await openLetterDesk(kind, cluster());
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

	it("are taken back by address, and only `retry` sends again what was refused", async () => {
		const desk = await open(ADA, BOB, EVE);
		await desk.refuse(ADA, BOB);
		await desk.accept(EVE);
		await desk.leave(BOB);
		const { code, stdout } = await desk.run(`unbounce Ada@example.com ${BOB} ${EVE} x@example.com`);
		expect(code).toBe(3);
		expect(stdout.trim().split("\n")).toEqual([
			"Gets letters again: ada@example.com. Refused letters, which `waitlist retry ada@example.com` sends again: 1.",
			"Has left, and gets no letter: bob@example.com.",
			"Nothing done for eve@example.com: this address has not bounced; every letter was accepted.",
			"Not on the waitlist: x@example.com",
		]);
		expect(await desk.take()).toEqual([]);
		expect(await desk.json("stats")).toMatchObject({ people: { bounced: 0, left: 1 } });
		const retried = await desk.json(`retry ${ADA} ${BOB}`);
		expect(retried).toMatchObject({ retried: 1, unchanged: [{ email: BOB }] });
		expect(await desk.send()).toEqual([ADA]);
		expect(await desk.send()).toEqual([]);
	});

	it("and everything else that `retry` and `hold` cannot change are named with the cure", async () => {
		const refusals = {
			limited: "had its letters of that day: `waitlist retry a0@example.com` sends it a day later.",
			left: "left by another spelling of the mailbox, and only they can come back.",
			cancelled: "was cancelled: another wave can bring one.",
			invited: "another wave has invited them.",
			flagged: "they are flagged: `waitlist flag --remove a4@example.com` if that is wrong.",
		};
		const refused = Object.keys(refusals).map((_, n) => `a${n}@example.com`);
		const held = "held@example.com";
		const sending = "new@example.com";
		const desk = await open(ADA, BOB, EVE, sending, held, ...refused);
		for (const [n, reason] of Object.keys(refusals).entries()) {
			await change(desk, "emails", { state: "refused", reason }, { to: refused[n]! });
		}
		await desk.refuse(ADA);
		await desk.accept(BOB, EVE);
		await desk.confirm(EVE);
		await desk.leave(BOB);
		await change(desk, "emails", { state: "waiting", held: true }, { to: held });
		const reasons: Record<string, string> = {
			...Object.fromEntries(refused.map((email, n) => [email, Object.values(refusals)[n]!])),
			[ADA]: "bounced on … (550 5.1.1): `waitlist unbounce ada@example.com` if that was wrong.",
			[BOB]: "left on …, and only they can come back.",
			[EVE]: "confirmed on …, and every letter was accepted.",
			[sending]: "a letter is being sent.",
			[held]: "a letter is held: `waitlist release held@example.com` lets it go.",
		};
		const people = Object.keys(reasons);
		const { unchanged } = await desk.json(`hold ${people.join(" ")}`);
		expect(unchanged).toHaveLength(people.length);
		for (const { email, reason } of unchanged) {
			expect(reason.replace(ISO, "…"), email).toContain(reasons[email]);
		}
		const { stdout } = await desk.run(`retry ${ADA}`);
		expect(stdout).toContain(`Nothing done for ${ADA}: bounced on `);
	});

	it("slow the stream of their emails, which is said and ends by `release`", async () => {
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
		for (const command of ["letters", "stats"]) {
			expect((await desk.run(command)).stdout).toContain(says);
		}
		await desk.join(...Array.from({ length: 90 }, (_, n) => `next-${n}@example.com`));
		// Without a rate, one in four seconds, and a minute of these at most at once.
		expect((await desk.send()).length).toBeLessThanOrEqual(16);
		expect((await desk.run("release")).stdout).toContain(
			"Emails to people who have not confirmed go out at the whole rate again.",
		);
		expect((await desk.send()).length).toBeGreaterThanOrEqual(74);
	});

	it("that were wrong no longer slow anything", async () => {
		const people = Array.from({ length: 21 }, (_, n) => `visitor@company-${n}.example`);
		const desk = await open(...people);
		await desk.refuse(...people);
		expect((await desk.json("letters")).slowed).toHaveLength(1);
		await desk.json(`unbounce ${people.slice(0, 10).join(" ")}`);
		expect((await desk.json("letters")).slowed).toEqual([]);
	});

	it("of people who never confirmed slow a wave for these people only", async () => {
		const desk = await openWaveDesk(kind, cluster());
		const old = Array.from({ length: 24 }, (_, n) => `old@company-${n}.example`);
		await desk.add(BOB, EVE, ...old);
		await given.person(desk, { email: ADA, confirmed: true });
		await desk.json("invite 26 --wave beta-1 --unconfirmed --yes");
		const unconfirmed = async () => {
			const emails = await emailsOf(desk, { kind: "invitation" });
			return emails.filter((email) => email.unconfirmed).length;
		};
		expect(await unconfirmed()).toBe(25);
		const taken = await desk.take();
		await desk.tell(
			...taken.map(({ id, email }) => ({ id, ...(email === ADA ? accepted : bounced) })),
		);
		expect((await desk.json("stats")).slowed).toMatchObject([{ stream: "unconfirmed" }]);
		// A person who confirms while their email waits goes with the confirmed.
		await desk.json("invite 27 --wave beta-1 --unconfirmed --yes");
		expect(await unconfirmed()).toBe(26);
		const [last] = await emailsOf(desk, { state: "waiting", unconfirmed: 1 });
		await given.person(desk, { key: last!.to, id: "00" });
		await desk.inDatabase((database) =>
			openLinkedPeople(database).confirm({ id: "00", key: last!.to, confirmedAt: "", leftAt: "" }),
		);
		expect(await unconfirmed()).toBe(25);
	});
});
