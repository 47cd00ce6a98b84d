import { describe, expect, it } from "vitest";
import { changeRows, given, removeRows } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { addressesOf, openEmailSetup } from "./email-setup.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

describe(`emails on ${kind}`, () => {
	it("stop when their person unsubscribes, even if the address joins again", async () => {
		const setup = await openEmailSetup(kind);
		await setup.join(ADA);
		const [taken] = await setup.take();
		expect(await setup.unsubscribe(ADA)).toEqual([ADA]);
		await setup.tell({ id: taken!.id, state: "deferred", nextAt: Date.now(), code: "450" });
		expect(await setup.emails()).toEqual(["ada@example.com refused"]);
		expect(await setup.unsubscribe(ADA)).toEqual([]);
		expect(await setup.unsubscribe("nobody@example.com")).toEqual([]);
		expect(await setup.json(`find ${ADA}`)).toMatchObject({
			deletions: [],
			unsubscribes: [{ at: ISO, by: "button" }],
		});
		expect((await setup.run("stats")).stdout).toContain("0 confirmed, 1 unsubscribed, 0 bounced\n");

		const ago = new Date(Date.now() - 16 * 60_000);
		await changeRows(setup, "emails", { queued: ago, ended: ago });
		await setup.join(ADA);
		expect(await setup.take()).toEqual([]);
		await setup.confirm(ADA);
		await setup.unsubscribe(ADA);
		await setup.join(ADA);
		expect(await setup.take()).toEqual([]);
		expect(await setup.left()).toEqual([ADA]);
		await setup.json(`delete ${ADA}`);
		expect(await setup.json("stats")).toMatchObject({ total: 0, deleted: 1 });
	});

	it("are not sent to people unsubscribed before or by an import, even after their record was lost", async () => {
		const setup = await openEmailSetup(kind);
		await setup.join(ADA, BOB, EVE);
		const unsubscribedAt = new Date().toISOString();
		await setup.json("import - --format jsonl", JSON.stringify({ email: EVE, unsubscribedAt }));
		expect(await setup.send()).toEqual([ADA, BOB]);
		await setup.unsubscribe(ADA);
		await removeRows(setup, "emails");
		await removeRows(setup, "people");
		await setup.json("import - --format text", `${ADA}\n${BOB}`);
		expect(await setup.left()).toEqual([ADA]);
		expect(await setup.json("confirm --source import")).toMatchObject({ confirmations: 1 });
		expect(await setup.send()).toEqual([BOB]);
	});

	it("ask the founder's selection to confirm, but never unsubscribed people", {
		tags: "slow",
	}, async () => {
		const setup = await openEmailSetup(kind);
		await given.people(setup, [
			{ email: ADA, source: "fair" },
			{ email: BOB, source: "fair", flag: "honeypot" },
			{ email: EVE, source: "other" },
			{ email: "left@example.com", source: "fair" },
			{ email: "bounced@example.com", source: "fair", bounced: true },
			{ email: "confirmed@example.com", source: "fair", confirmed: true },
		]);
		await setup.unsubscribe("left@example.com");
		expect(await setup.json("confirm --source fair --dry-run")).toMatchObject({ confirmations: 1 });
		expect(await setup.take()).toEqual([]);
		expect(await setup.json("confirm --source fair")).toMatchObject({ confirmations: 1 });
		expect(await setup.send()).toEqual([ADA]);
		expect(await setup.json("confirm --source fair")).toMatchObject({ confirmations: 0 });
		expect(await setup.json(`confirm ${BOB}`)).toMatchObject({ confirmations: 1 });
		expect(await setup.send()).toEqual([BOB]);
		const named = await setup.run(`confirm EVE@example.com left@example.com nobody@example.com`);
		expect(named).toMatchObject({
			code: 3,
			stdout: expect.stringMatching(
				/^Flag removed or confirmation queued: 1\n.*\nNot changed: left@.*\nNot on the waitlist: nobody@.*\n$/,
			),
		});
		expect(addressesOf(await setup.take())).toEqual([EVE]);
	});

	it("wait and are counted while all email is paused, and are sent when it is resumed", async () => {
		const setup = await openEmailSetup(kind);
		expect((await setup.run("import -")).code).toBe(0);
		expect((await setup.run("emails")).stdout).toBe("No emails are waiting.\n");
		await setup.join(ADA, BOB, EVE);
		await setup.json("pause");
		expect(await setup.take()).toEqual([]);
		expect(await setup.json("emails")).toMatchObject({
			emails: [{ kind: "confirm", state: "waiting", count: 3 }],
			waiting: { emails: 3, kinds: [{ kind: "confirm", emails: 3, oldest: ISO }] },
			pause: { until: expect.stringMatching(/^9999/), cause: "founder" },
		});
		expect((await setup.json("stats")).pause).toMatchObject({ cause: "founder" });
		expect((await setup.run("emails")).stdout).toContain(
			"Paused manually. Nothing is sent until you resume.",
		);
		const later = { state: "deferred", nextAttempt: "2099-01-01T00:00:00.000Z" };
		await changeRows(setup, "emails", later, { to: EVE });
		expect(await setup.json("resume")).toMatchObject({ ended: true, waiting: 3 });
		expect(await setup.json("resume")).toMatchObject({ ended: false });
		expect((await setup.run("resume")).stdout).toMatch(
			/^Email is neither paused nor throttled\.\n/,
		);
		expect(await setup.send()).toEqual([ADA, BOB, EVE]);
		expect(await setup.json("emails")).toMatchObject({ pause: null });
	});

	it("are listed with their reason when deferred, failed or unknown", {
		tags: "slow",
	}, async () => {
		const setup = await openEmailSetup(kind);
		await setup.join(ADA, BOB, EVE);
		const taken = await setup.take();
		const idOf = (email: string) => taken.find((letter) => letter.email === email)!.id;
		const nextAt = Date.parse("2026-11-22T10:00:00.000Z");
		await changeRows(setup, "emails", { attempts: 11 }, { to: BOB });
		await setup.tell(
			{ id: idOf(ADA), state: "deferred", nextAt, code: "ECONNECTION" },
			{ id: idOf(BOB), state: "refused", code: "550 5.7.1" },
			{ id: idOf(EVE), state: "unknown", code: "ECONNECTION" },
		);
		const { stdout } = await setup.run("emails");
		expect(stdout).toMatch(
			/^confirmation to bob@.*: 550 5\.7\.1, 11 attempts, given up on 2026-.* UTC$/m,
		);
		expect(stdout).toContain(
			`confirmation to ${ADA}: ECONNECTION, 1 attempt, next attempt on 2026-11-22 10:00 UTC\n`,
		);
		const { emails } = await setup.json("emails --unknown");
		expect(emails).toEqual([{ email: EVE, kind: "confirm", time: ISO }]);
		expect(await setup.json("resend --unknown")).toMatchObject({ resent: 1 });
		const again = (await setup.take()).find(({ email }) => email === EVE);
		expect(again).toMatchObject({ id: idOf(EVE), attempts: 1 });
	});
});
