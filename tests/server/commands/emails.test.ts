import { describe, expect, it } from "vitest";
import { changeRows, given, removeRows } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { addressesOf, openEmailDesk } from "./email-desk.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

describe(`emails on ${kind}`, () => {
	it("stop when their person unsubscribes, even if the address joins again", async () => {
		const desk = await openEmailDesk(kind);
		await desk.join(ADA);
		const [taken] = await desk.take();
		expect(await desk.unsubscribe(ADA)).toEqual([ADA]);
		await desk.tell({ id: taken!.id, state: "deferred", nextAt: Date.now(), code: "450" });
		expect(await desk.emails()).toEqual(["ada@example.com refused"]);
		expect(await desk.unsubscribe(ADA)).toEqual([]);
		expect(await desk.unsubscribe("nobody@example.com")).toEqual([]);
		expect(await desk.json(`find ${ADA}`)).toMatchObject({
			deletions: [],
			unsubscribes: [{ at: ISO, by: "button" }],
		});
		expect((await desk.run("stats")).stdout).toContain("0 confirmed, 1 unsubscribed, 0 bounced\n");

		const ago = new Date(Date.now() - 16 * 60_000);
		await changeRows(desk, "emails", { queued: ago, ended: ago });
		await desk.join(ADA);
		expect(await desk.take()).toEqual([]);
		await desk.confirm(ADA);
		await desk.unsubscribe(ADA);
		await desk.join(ADA);
		expect(await desk.take()).toEqual([]);
		expect(await desk.left()).toEqual([ADA]);
		await desk.json(`delete ${ADA}`);
		expect(await desk.json("stats")).toMatchObject({ total: 0, deleted: 1 });
	});

	it("are not sent to people unsubscribed before or by an import, even after their record was lost", async () => {
		const desk = await openEmailDesk(kind);
		await desk.join(ADA, BOB, EVE);
		const unsubscribedAt = new Date().toISOString();
		await desk.json("import - --format jsonl", JSON.stringify({ email: EVE, unsubscribedAt }));
		expect(await desk.send()).toEqual([ADA, BOB]);
		await desk.unsubscribe(ADA);
		await removeRows(desk, "emails");
		await removeRows(desk, "people");
		await desk.json("import - --format text", `${ADA}\n${BOB}`);
		expect(await desk.left()).toEqual([ADA]);
		expect(await desk.json("confirm --source import")).toMatchObject({ confirmations: 1 });
		expect(await desk.send()).toEqual([BOB]);
	});

	it("are released for the founder's selection, but never for unsubscribed people", {
		tags: "slow",
	}, async () => {
		const desk = await openEmailDesk(kind);
		await given.people(desk, [
			{ email: ADA, source: "fair" },
			{ email: BOB, source: "fair", flag: "honeypot" },
			{ email: EVE, source: "other" },
			{ email: "left@example.com", source: "fair" },
			{ email: "bounced@example.com", source: "fair", bounced: true },
			{ email: "confirmed@example.com", source: "fair", confirmed: true },
		]);
		await desk.unsubscribe("left@example.com");
		expect(await desk.json("confirm --source fair --dry-run")).toMatchObject({ confirmations: 1 });
		expect(await desk.take()).toEqual([]);
		expect(await desk.json("confirm --source fair")).toMatchObject({ confirmations: 1 });
		expect(await desk.send()).toEqual([ADA]);
		expect(await desk.json("confirm --source fair")).toMatchObject({ confirmations: 0 });
		expect(await desk.json(`confirm ${BOB}`)).toMatchObject({ confirmations: 1 });
		expect(await desk.send()).toEqual([BOB]);
		const named = await desk.run(`confirm EVE@example.com left@example.com nobody@example.com`);
		expect(named).toMatchObject({
			code: 3,
			stdout: expect.stringMatching(
				/^Unflagged or asked to confirm: 1\n.*\nNot changed: left@.*\nNot on the waitlist: nobody@.*\n$/,
			),
		});
		expect(addressesOf(await desk.take())).toEqual([EVE]);
	});

	it("wait and are counted while all email is paused, and are sent when it is resumed", async () => {
		const desk = await openEmailDesk(kind);
		expect((await desk.run("import -")).code).toBe(0);
		expect((await desk.run("emails")).stdout).toBe("No emails are waiting.\n");
		await desk.join(ADA, BOB, EVE);
		await desk.json("pause");
		expect(await desk.take()).toEqual([]);
		expect(await desk.json("emails")).toMatchObject({
			emails: [{ kind: "confirm", state: "waiting", count: 3 }],
			waiting: { emails: 3, kinds: [{ kind: "confirm", emails: 3, oldest: ISO }] },
			pause: { until: expect.stringMatching(/^9999/), cause: "founder" },
		});
		expect((await desk.json("stats")).pause).toMatchObject({ cause: "founder" });
		expect((await desk.run("emails")).stdout).toContain(
			"Paused by you. Nothing is sent until you resume.",
		);
		const later = { state: "deferred", nextAttempt: "2099-01-01T00:00:00.000Z" };
		await changeRows(desk, "emails", later, { to: EVE });
		expect(await desk.json("resume")).toMatchObject({ ended: true, waiting: 3 });
		expect(await desk.json("resume")).toMatchObject({ ended: false });
		expect(await desk.send()).toEqual([ADA, BOB, EVE]);
		expect(await desk.json("emails")).toMatchObject({ pause: null });
	});

	it("are listed with their reason when deferred, failed or unknown", {
		tags: "slow",
	}, async () => {
		const desk = await openEmailDesk(kind);
		await desk.join(ADA, BOB, EVE);
		const taken = await desk.take();
		const idOf = (email: string) => taken.find((letter) => letter.email === email)!.id;
		const nextAt = Date.parse("2026-11-22T10:00:00.000Z");
		await changeRows(desk, "emails", { attempts: 11 }, { to: BOB });
		await desk.tell(
			{ id: idOf(ADA), state: "deferred", nextAt, code: "ECONNECTION" },
			{ id: idOf(BOB), state: "refused", code: "550 5.7.1" },
			{ id: idOf(EVE), state: "unknown", code: "ECONNECTION" },
		);
		const { stdout } = await desk.run("emails");
		expect(stdout).toMatch(
			/^confirm to bob@.*: 550 5\.7\.1, 11 attempts, given up on 2026-.* UTC$/m,
		);
		expect(stdout).toContain(
			`confirm to ${ADA}: ECONNECTION, 1 attempt, next attempt on 2026-11-22 10:00 UTC\n`,
		);
		const { emails } = await desk.json("emails --unknown");
		expect(emails).toEqual([{ email: EVE, kind: "confirm", time: ISO }]);
		expect(await desk.json("resend --unknown")).toMatchObject({ resent: 1 });
		const again = (await desk.take()).find(({ email }) => email === EVE);
		expect(again).toMatchObject({ id: idOf(EVE), attempts: 1 });
	});
});
