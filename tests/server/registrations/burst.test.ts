import { describe, expect, it } from "vitest";
import { joinBatch } from "../../../src/server/mail/emails/requests.ts";
import { change, peopleOf } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import type { Source } from "../../given/rows.ts";
import { openWaveDesk } from "../waves/wave-desk.ts";
import { registrationOf } from "./waitlist-contract.ts";

/** A desk on whose list are Ada, who was first, Bob and Eve of a burst, and Tim, whom the honeypot marked. */
async function open() {
	const desk = await openWaveDesk(kind);
	const joining = Object.entries({ ada: "", bob: "burst", eve: "burst", tim: "honeypot" }).map(
		([name, flag], n) => ({
			...registrationOf(`${name}@example.com`),
			joinedAt: `2026-01-0${n + 1}T00:00:00.000Z`,
			flag,
		}),
	);
	await desk.inDatabase((database) =>
		database.transact(joinBatch, { registrations: joining, asks: true, now: Date.now() }),
	);
	return desk;
}

/** Each mark, with the name before the at sign. */
const marksIn = async (source: Source) =>
	(await peopleOf(source)).flatMap(({ key, flag }) => (flag ? `${key.slice(0, 3)} ${flag}` : []));

describe(`a burst on ${kind}`, () => {
	it("is confirmed by its flag, or by name, and people in the honeypot only by name", {
		tags: "slow",
	}, async () => {
		const desk = await open();
		expect(await desk.json("confirm --all --dry-run")).toMatchObject({ confirmations: 0 });
		await desk.json("resume");
		expect(await desk.json("confirm --flag burst --source other")).toMatchObject({
			confirmations: 0,
		});
		expect(await desk.run("confirm --flag trap")).toMatchObject({ code: 2 });
		expect(await marksIn(desk)).toEqual(["bob burst", "eve burst", "tim honeypot"]);
		expect(await desk.json("confirm BOB@example.com")).toMatchObject({ confirmations: 1 });
		expect(await desk.json("confirm tim@example.com")).toMatchObject({ confirmations: 1 });
		expect(await desk.json("confirm --flag burst")).toMatchObject({ confirmations: 1 });
		expect(await marksIn(desk)).toEqual([]);
		const everybody = ["ada", "bob", "eve", "tim"].map((name) => `${name}@example.com`);
		expect(await desk.send()).toEqual(everybody);
	});

	it("is shown by find, export and stats, and gets no letter of a wave before it is released", async () => {
		const desk = await open();
		expect((await desk.run("find eve@example.com")).stdout).toContain(
			"\nFlag: burst: they joined with many others",
		);
		const { stdout } = await desk.run("export --format jsonl --flag burst");
		expect(stdout.match(/(?<="email":")\w+/g)).toEqual(["bob", "eve"]);
		expect(await desk.json("stats")).toMatchObject({
			total: 4,
			flags: [
				{ name: "burst", count: 2 },
				{ name: "honeypot", count: 1 },
			],
		});
		await change(
			desk,
			"people",
			{ confirmed: true },
			{ key: ["ada@example.com", "bob@example.com"] },
		);
		const dryRun = "invite 9 --wave beta-1 --dry-run";
		const bursted = { flagged: 1, burst: 2, unconfirmed: 0, eligible: 1 };
		expect(await desk.json(dryRun)).toMatchObject(bursted);
		expect((await desk.run(dryRun)).stdout).toMatch(/In a burst +2\n/);
		expect(await desk.json("confirm --flag burst")).toMatchObject({ confirmations: 1 });
		const released = { flagged: 1, burst: 0, unconfirmed: 1, eligible: 2 };
		expect(await desk.json(dryRun)).toMatchObject(released);
	});
});
