import { describe, expect, it } from "vitest";
import { changeRows, readPeople } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { readRows } from "../../given/rows.ts";
import { openEmailSetup } from "./email-setup.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";

describe(`commands about people on ${kind}`, () => {
	it("list unchanged people, and exit with 3 for an address not on the list", async () => {
		const setup = await openEmailSetup(kind);
		const { json, unsubscribe, run } = setup;
		await setup.join("Ada@Example.com", BOB);
		await unsubscribe(BOB);
		expect(await json(`unsubscribe ADA@example.com ${BOB}`)).toEqual({
			unsubscribed: 1,
			unchanged: [BOB],
			notFound: [],
		});
		// A command adds one audit entry for all its people.
		expect(await readRows(setup, "audit", { action: "person unsubscribed" })).toMatchObject([
			{ details: "2 people" },
		]);
		const { code, stdout } = await run(`unsubscribe ${BOB} nobody@example.com`);
		expect({ code, lines: stdout.trim().split("\n") }).toEqual({
			code: 3,
			lines: [
				"Unsubscribed: 0",
				`Not changed: ${BOB}. \`waitlist find ${BOB}\` shows why.`,
				"Not on the waitlist: nobody@example.com",
			],
		});
		expect((await json(`find ${ADA}`)).unsubscribes).toMatchObject([{ by: "request" }]);
		expect((await run(`find ${ADA}`)).stdout).toContain("Unsubscribed: on request, by us, 20");
	});

	it("unblock all who bounced with a given reply, or on a given day, and keep their flags", async () => {
		const setup = await openEmailSetup(kind);
		await setup.join(ADA, BOB, EVE);
		const bounce = (key: string, reply: string, bounced: Date, flag = "") =>
			changeRows(setup, "people", { bounced, bounceReason: reply, flag }, { key });
		await bounce(ADA, "550 5.1.1", new Date("2026-01-02T23:59:59Z"), "founder");
		await bounce(BOB, "later 5.1.1", new Date("2026-01-03T00:00:00Z"));
		await bounce(EVE, "550 5.2.1", new Date("2026-01-03T12:00:00Z"));
		expect(await setup.json("unblock --bounced 5.1.1")).toMatchObject({ unblocked: 2 });
		const people = async () =>
			(await readPeople(setup)).map(({ bounced, flag }) => [bounced !== "", flag]);
		expect(await people()).toEqual([
			[false, "founder"],
			[false, ""],
			[true, ""],
		]);
		expect(await setup.json("unblock --bounced 2026-01-02")).toMatchObject({ unblocked: 0 });
		expect(await setup.json("unblock --bounced 2026-01-03")).toMatchObject({ unblocked: 1 });
		expect(await setup.run("unblock --bounced 4.2.0")).toMatchObject({ code: 2 });
	});

	it("block people who have no other flag, and unblock people with any flag", async () => {
		const setup = await openEmailSetup(kind);
		await setup.join(ADA, BOB);
		await changeRows(setup, "people", { flag: "honeypot", bounced: true }, { key: BOB });
		const flags = async () => (await readPeople(setup)).map(({ flag }) => flag);
		expect(await setup.json(`block ${ADA} ${BOB}`)).toMatchObject({ blocked: 1, unchanged: [BOB] });
		expect(await flags()).toEqual(["founder", "honeypot"]);
		expect(await setup.json(`unblock ${ADA} ${BOB}`)).toMatchObject({ unblocked: 2 });
		expect(await flags()).toEqual(["", ""]);
		expect(await readRows(setup, "audit", { action: "person unblocked" })).toHaveLength(1);
	});

	it("ask blocked people to confirm only after `unblock` and `confirm`, even after `resume`", async () => {
		const { join, json, run, send } = await openEmailSetup(kind);
		await join(ADA, BOB, EVE);
		await run(`block ${ADA} ${BOB}`);
		await json("pause");
		await json("resume");
		expect(await send()).toEqual([EVE]);
		await run(`unblock ${ADA}`);
		expect(await send()).toEqual([]);
		expect(await json(`confirm ${ADA}`)).toMatchObject({ confirmations: 1 });
		expect(await send()).toEqual([ADA]);
	});

	it("unblock a bounced address, so that `resend` sends its refused email again", async () => {
		const setup = await openEmailSetup(kind);
		await setup.join(ADA, BOB, EVE);
		for (const { id, email } of await setup.take()) {
			await setup.tell(
				email === EVE
					? { id, state: "accepted", code: "250" }
					: { id, state: "refused", code: "550 5.1.1", bounced: true },
			);
		}
		await setup.unsubscribe(BOB);
		expect(await setup.json(`resend ${ADA}`)).toMatchObject({ resent: 0 });
		expect(await setup.json(`unblock ${ADA} ${BOB} ${EVE}`)).toMatchObject({
			unblocked: 2,
			unchanged: [EVE],
		});
		expect(await setup.take()).toEqual([]);
		expect(await setup.json("stats")).toMatchObject({ people: { bounced: 0, unsubscribed: 1 } });
		expect(await setup.json(`resend ${ADA} ${BOB}`)).toMatchObject({ resent: 1, unchanged: [BOB] });
		expect(await setup.send()).toEqual([ADA]);
	});
});
