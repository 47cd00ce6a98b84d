import { describe, expect, it } from "vitest";
import { noteReports } from "../../../src/server/letters/bounces/note-reports.ts";
import { openLinkedPeople } from "../../../src/server/letters/links/linked-people.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { openWaveDesk } from "../waves/wave-desk.ts";
import { openLetterDesk } from "./letter-desk.ts";

const cluster = usePostgres();

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";
const ISO = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

describe(`bounces on ${kind}`, () => {
	async function open(...emails: string[]) {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(...emails);
		const taken = await desk.take();
		const idOf = (email: string) => taken.find((letter) => letter.email === email)!.id;
		return {
			...desk,
			taken,
			/** A mail server refuses letters because their addresses do not exist. */
			refuse: (...refused: string[]) =>
				desk.tell(
					...refused.map((email) => {
						const bounced = { state: "refused", code: "550 5.1.1", bounced: true } as const;
						return { id: idOf(email), ...bounced };
					}),
				),
			accept: (...accepted: string[]) =>
				desk.tell(
					...accepted.map(
						(email) => ({ id: idOf(email), state: "accepted", code: "250" }) as const,
					),
				),
			/** A message says later that an address does not exist. */
			report: (email: string) =>
				desk.inDatabase((database) =>
					noteReports(
						database,
						[{ kind: "bounce", id: idOf(email), code: "later 5.1.1" }],
						new Date(),
					),
				),
		};
	}

	it("are taken back by address, and only `retry` sends again what was refused", async () => {
		const desk = await open(ADA, BOB, EVE);
		await desk.refuse(ADA, BOB);
		await desk.accept(EVE);
		await desk.leave(BOB);
		const { code, stdout } = await desk.run(`unbounce Ada@example.com ${BOB} ${EVE}`);
		expect(code).toBe(0);
		expect(stdout.trim().split("\n")).toEqual([
			"Gets letters again: ada@example.com. Refused letters, which `waitlist retry ada@example.com` sends again: 1.",
			"Has left, and gets no letter: bob@example.com.",
			"Nothing done for eve@example.com: this address has not bounced; every letter was accepted.",
		]);
		expect(await desk.take()).toEqual([]);
		expect(await desk.json("stats")).toMatchObject({ people: { bounced: 0, left: 1 } });
		const retried = await desk.json(`retry ${ADA} ${BOB}`);
		expect(retried).toMatchObject({ retried: 1, unchanged: [{ email: BOB }] });
		expect(await desk.send()).toEqual([ADA]);
		expect(await desk.send()).toEqual([]);
	});

	it("are none where Apple's relay does not know the sender, and `letters` says what helps", async () => {
		const relayed = "x9@privaterelay.appleid.com";
		const desk = await open(relayed, ADA);
		await desk.accept(ADA);
		await desk.tell({
			id: desk.taken.find(({ key }) => key === relayed)!.id,
			state: "deferred",
			nextAt: Date.now(),
			code: "550 5.1.1",
		});
		expect(await desk.report(relayed)).toEqual({ found: 0, speeds: [] });
		expect(await desk.json("stats")).toMatchObject({ people: { bounced: 0 } });
		const { stdout } = await desk.run("letters");
		expect(stdout).toMatch(`confirm to ${relayed}: 550 5.1.1, 1 try, tried again on`);
		expect(stdout).toMatch("only from senders that are registered with Apple");
		expect(await desk.send()).toEqual([relayed]);
		expect((await desk.run("letters")).stdout).not.toMatch("Apple");
	});

	it("are taken back for people on the list only", async () => {
		const desk = await open(ADA);
		await desk.refuse(ADA);
		const { code, stdout } = await desk.run(`unbounce ${ADA} nobody@example.com`);
		expect({ code, stdout }).toEqual({
			code: 3,
			stdout: expect.stringContaining("Not on the waitlist: nobody@example.com"),
		});
		expect(await desk.run("unbounce nonsense")).toMatchObject({ code: 1 });
	});

	it("are not the same as other reasons, and only some letters can be sent again", async () => {
		const reasons = {
			limited: "had its letters of that day: `waitlist retry a0@example.com` sends it a day later.",
			left: "left by another spelling of the mailbox, and only they can come back.",
			cancelled: "was cancelled: another wave can bring one.",
			invited: "another wave has invited them.",
			flagged: "they are flagged: `waitlist flag --remove a4@example.com` if that is wrong.",
			"550 5.7.1": "(550 5.7.1): `waitlist retry a5@example.com` sends it again.",
		};
		const people = Object.keys(reasons).map((_, n) => `a${n}@example.com`);
		const desk = await open(...people);
		for (const [n, why] of Object.keys(reasons).entries()) {
			const column = /^\d/.test(why) ? "code" : "reason";
			const sql = `UPDATE letter SET state = 'refused', ${column} = $1 WHERE email_key = $2`;
			await desk.read(sql, why, people[n]!);
		}
		const { unchanged } = await desk.json(`hold ${people.join(" ")}`);
		expect(unchanged).toEqual(
			Object.values(reasons).map((reason, n) => ({
				email: people[n],
				reason: expect.stringContaining(reason),
			})),
		);
	});

	it("are the reason why `release`, `retry` and `hold` do nothing", async () => {
		const held = "held@example.com";
		const desk = await open(ADA, BOB, EVE, "new@example.com");
		await desk.refuse(ADA);
		await desk.accept(BOB, EVE);
		await desk.confirm(EVE);
		await desk.leave(BOB);
		await desk.join(held);
		await desk.json(`hold ${held}`);
		const people = [ADA, BOB, EVE, "new@example.com", held];
		const bounced =
			"bounced on … (550 5.1.1): `waitlist unbounce ada@example.com` if that was wrong.";
		const reasons = [
			...[bounced, "left on …, and only they can come back."],
			...["confirmed on …, and every letter was accepted.", "a letter is being sent."],
			"a letter is held: `waitlist release held@example.com` lets it go.",
		];
		for (const command of ["retry", "hold"]) {
			const { unchanged } = await desk.json(`${command} ${people.join(" ")}`);
			const said = new Map<string, string>(
				unchanged.map((row: { email: string; reason: string }) => [row.email, row.reason]),
			);
			expect(people.map((email) => said.get(email)?.replace(ISO, "…"))).toEqual(reasons);
		}
		const { stdout } = await desk.run(`release ${ADA}`);
		expect(stdout).toContain(`Nothing done for ${ADA}: bounced on `);
		expect((await desk.run("release")).stdout.trim().split("\n")).toEqual([
			"There was no pause, and nothing was slowed.",
			"Held until `waitlist release --held`: 1 letters.",
			"To be sent as the rate allows: 0 letters.",
		]);
		expect((await desk.run("release --flagged")).stdout).toContain("nobody is still to be asked");
		expect((await desk.run("retry --unknown")).stdout).toContain("No letter is unknown.");
	});

	it("slow the stream of their letters, which is said and ends by `release`", async () => {
		const people = Array.from({ length: 13 }, (_, n) => `visitor@company-${n}.example`);
		const desk = await open(...people);
		await desk.refuse(...people.slice(0, 11));
		await desk.accept(...people.slice(11, 13));
		expect((await desk.json("letters")).slowed).toEqual([]);
		expect(await desk.report(people[11]!)).toEqual({ found: 1, speeds: [] });
		expect(await desk.report(people[12]!)).toMatchObject({
			found: 1,
			speeds: [{ stream: "confirmations", slowed: 2, before: 1, letters: 13, dead: 13 }],
		});
		const says =
			"Letters that ask to confirm go out at 1/2 of the rate: of the last 13 addresses 13 do not exist.";
		for (const command of ["letters", "stats"]) {
			expect((await desk.run(command)).stdout).toContain(says);
		}
		expect((await desk.json("letters")).pause).toBe(null);
		await desk.join(...Array.from({ length: 90 }, (_, n) => `next-${n}@example.com`));
		// Without a rate, one in two seconds, and a minute of these at most at once.
		expect((await desk.send()).length).toBeLessThanOrEqual(31);
		expect((await desk.run("release")).stdout).toContain(
			"Letters that ask to confirm go out at the whole rate again.",
		);
		expect((await desk.send()).length).toBeGreaterThanOrEqual(59);
	});

	it("of one owner slow nothing, whether their server refuses or reports", async () => {
		const own = Array.from({ length: 40 }, (_, n) => `user-${n}@mail-${n}.own.example`);
		const desk = await open(...own);
		await desk.refuse(...own.slice(0, 20));
		await desk.accept(...own.slice(20));
		for (const email of own.slice(20)) {
			expect(await desk.report(email)).toEqual({ found: 1, speeds: [] });
		}
		expect((await desk.json("letters")).slowed).toEqual([]);
		expect(await desk.json("stats")).toMatchObject({ people: { bounced: 40 } });
	});

	it("of people who never confirmed slow a wave for these people only", async () => {
		const desk = await openWaveDesk(kind, cluster());
		const old = Array.from({ length: 14 }, (_, n) => `old@company-${n}.example`);
		await desk.add(ADA, BOB, EVE, ...old);
		await desk.json(`release ${ADA}`);
		await desk.send();
		await desk.confirm(ADA);
		await desk.json("invite 16 --wave beta-1 --unconfirmed --yes");
		const streams = () =>
			desk.read<{ unconfirmed: number; letters: number }>(
				`SELECT unconfirmed, CAST(count(*) AS INTEGER) AS letters FROM letter WHERE wave <> ''
				GROUP BY unconfirmed ORDER BY unconfirmed`,
			);
		expect(await streams()).toEqual([
			{ unconfirmed: 0, letters: 1 },
			{ unconfirmed: 1, letters: 15 },
		]);
		const taken = await desk.take();
		// Whoever has confirmed goes first.
		await desk.tell(
			...taken.map(({ id, email }) =>
				email === ADA
					? ({ id, state: "accepted", code: "250" } as const)
					: ({ id, state: "refused", code: "550 5.1.1", bounced: true } as const),
			),
		);
		expect((await desk.json("stats")).slowed).toMatchObject([{ stream: "unconfirmed" }]);
		// One who confirms while their letter waits goes with the confirmed.
		await desk.json("invite 17 --wave beta-1 --unconfirmed --yes");
		const [last] = await desk.read<{ id: string; key: string }>(
			`SELECT email_key AS "key", '00' AS id FROM letter WHERE unconfirmed = 1 AND state = 'waiting'`,
		);
		await desk.read("INSERT INTO recipient (email_key, id) VALUES ($1, $2)", last!.key, last!.id);
		await desk.inDatabase((database) =>
			openLinkedPeople(database).confirm({ id: last!.id, confirmedAt: "", leftAt: "" }),
		);
		expect((await streams())[0]).toEqual({ unconfirmed: 0, letters: 2 });
	});

	it("that were wrong no longer slow anything", async () => {
		const people = Array.from({ length: 13 }, (_, n) => `visitor@company-${n}.example`);
		const desk = await open(...people);
		await desk.refuse(...people);
		expect((await desk.json("letters")).slowed).toHaveLength(1);
		await desk.json(`unbounce ${people[0]}`);
		expect((await desk.json("letters")).slowed).toEqual([]);
	});
});
