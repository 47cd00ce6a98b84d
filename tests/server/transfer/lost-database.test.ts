/** @module-tag slow */
import { expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import { kill } from "../kills.ts";
import { openMailDesk } from "../waves/mail-desk.ts";

/** A wave, and how fast it goes out: a tenth of the rate at once, and the rest one by one. */
const { size, rate } = { size: 600, rate: "2000/1m" };

const patience = { interval: 20 };

it(`a database that is lost in the middle of a wave to ${size} brings nobody a second letter, on ${kind}`, async () => {
	const desk = await openMailDesk(kind, { rate });
	const { arrived, codes, counts, json, log, redeem, restore, start } = desk;
	await desk.people(size + 10);
	const lost = await start();
	await json(`invite ${size} --wave beta-1 --yes`);
	await expect.poll(arrived, patience).toBeGreaterThan(size / 4);
	await json("backup yesterday.db");
	const before = arrived();
	// Somebody comes in, and the operator invites a few more.
	const [first] = await codes();
	expect(await redeem(lost.url, first!)).toMatchObject({ status: "redeemed" });
	await json(`invite ${size + 2} --wave beta-1 --yes`);
	await expect.poll(arrived, patience).toBeGreaterThan((size * 3) / 5);
	await kill(lost);
	const sent = arrived();
	const notSent = Math.max(0, size - sent);
	await desk.lose();

	// Whatever the backup does not know as sent is unknown, and nothing goes out by itself.
	const { unknown, gap } = await restore("yesterday.db");
	const { accepted = 0, ...others } = await counts("beta-1");
	expect(others).toEqual({ unknown: size - accepted });
	expect(unknown).toBe(size - accepted);
	expect(accepted).toBeLessThanOrEqual(before);
	expect(gap).toMatchObject({ until: expect.stringMatching(/^20/) });
	const server = await start();
	await json("resume");
	const more = await desk.run(`invite ${size + 2} --wave beta-1 --yes`);
	expect(more).toMatchObject({ code: 1, stderr: expect.stringContaining("--despite-gap") });
	// Every email that arrived has a code that redeems: also the one that was redeemed before.
	for (const code of await codes()) {
		expect(await redeem(server.url, code)).toMatchObject({ status: "redeemed" });
		expect(await redeem(server.url, code)).toMatchObject({ status: "used" });
	}
	expect(arrived()).toBe(sent);

	// The provider's log tells the rest, and the wave goes on.
	expect(await json(`sent --file ${await log()} --wave beta-1 --complete`)).toMatchObject({
		marked: sent - accepted,
		notFound: [],
		notSent,
	});
	await json(`invite ${size + 2} --wave beta-1 --yes`);
	await expect.poll(arrived, patience).toBe(size + 2);
	await expect
		.poll(() => counts("beta-1"), patience)
		.toEqual({
			redeemed: sent,
			accepted: size + 2 - sent,
		});
	for (const code of [...(await codes())].slice(sent)) {
		expect(await redeem(server.url, code)).toMatchObject({ status: "redeemed" });
	}
	console.log(`${kind}: ${accepted} known by the backup, ${unknown} unknown, ${sent} sent`);
});
