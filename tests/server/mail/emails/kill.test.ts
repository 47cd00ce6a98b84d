import { expect, it } from "vitest";
import { readEmails } from "../../../given/given.ts";
import { SENDER_CONNECTIONS, SERVERS_PER_DATABASE, startServerCopies } from "../../kills.ts";
import { randomSeed } from "../../random-fractions.ts";
import { openMailSetup } from "../../waves/mail-setup.ts";

const KILLS = 12;
const EMAILS = 300;
const OPEN = ["sending", "unknown"];

it.each(SERVERS_PER_DATABASE)(
	`emails nobody twice through ${KILLS} SIGKILLs on %s, %i servers (seed ${randomSeed})`,
	{ tags: "slow" },
	async (kind, copies) => {
		const setup = await openMailSetup(kind);
		const { arrived, join, start } = setup;
		await join(...Array.from({ length: EMAILS }, (_, n) => `visitor-${n}@example.com`));
		const { killOne } = await startServerCopies(start, copies);
		for (let kill = 0; kill < KILLS; kill++) {
			await expect
				.poll(arrived, { interval: 1 })
				.toBeGreaterThan(Math.min(arrived(), EMAILS - SENDER_CONNECTIONS * copies * (kill + 1)));
			await killOne();
		}
		const count = async (...state: string[]) => (await readEmails(setup, { state })).length;
		await expect.poll(() => count("waiting"), { interval: 200 }).toBe(0);
		await expect
			.poll(() => count("sending"), { interval: 100 })
			.toBeLessThanOrEqual(KILLS * SENDER_CONNECTIONS);
		// Reads all states at once, because emails may be accepted between two reads.
		const states = (await readEmails(setup, {})).map(({ state }) => state);
		expect(states.filter((state) => !OPEN.includes(state) && state !== "accepted")).toEqual([]);
		expect(states.length).toBe(EMAILS);
		const open = states.filter((state) => OPEN.includes(state)).length;
		expect(open).toBeLessThanOrEqual(KILLS * SENDER_CONNECTIONS);
		expect(EMAILS - arrived()).toBeLessThanOrEqual(open);
		console.log(`${kind}, ${copies}: ${KILLS} kills, ${arrived()} of ${EMAILS}, ${open} open`);
	},
);
