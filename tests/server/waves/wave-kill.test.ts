/** @module-tag slow */
import { expect, it } from "vitest";
import { changeRows, PAST_TIME, readEmails } from "../../given/given.ts";
import {
	killCommand,
	SENDER_CONNECTIONS,
	SERVERS_PER_DATABASE,
	startServerCopies,
} from "../kills.ts";
import { randomSeed } from "../random-fractions.ts";
import { openMailSetup } from "./mail-setup.ts";

const SIZE = 1_500;
const KILLS = 10;

it.each(SERVERS_PER_DATABASE)(
	`invites ${SIZE} people once through SIGKILLs of command and server, on %s, %i servers (seed ${randomSeed})`,
	async (kind, copies) => {
		const setup = await openMailSetup(kind);
		await setup.people(SIZE + 20);
		const { killOne } = await startServerCopies(setup.start, copies);
		const countEmails = async (where = {}) => (await readEmails(setup, where)).length;
		const invite = ["invite", `${SIZE}`, "--wave", "beta-1", "--yes", "--no-imprint"];
		for (let kill = 0; kill < KILLS; kill++) {
			const before = await countEmails();
			await killCommand(setup, invite, async () => (await countEmails()) > before);
			await killOne();
		}
		await setup.json(`invite ${SIZE} --wave beta-1 --yes`);
		await expect.poll(() => countEmails({ state: "waiting" }), { interval: 200 }).toBe(0);
		await expect
			.poll(() => countEmails({ state: "sending" }), { interval: 100 })
			.toBeLessThanOrEqual(KILLS * SENDER_CONNECTIONS);
		await changeRows(setup, "emails", { leaseUntil: PAST_TIME }, { state: "sending" });
		await expect.poll(() => countEmails({ state: "sending" }), { interval: 100 }).toBe(0);

		const received = setup.arrived();
		const counts = await setup.counts("beta-1");
		const { accepted = 0, unknown = 0 } = counts;
		expect(accepted + unknown).toBe(SIZE);
		expect(unknown).toBeLessThanOrEqual(KILLS * SENDER_CONNECTIONS);
		expect(received).toBeGreaterThanOrEqual(accepted);
		expect(received).toBeLessThanOrEqual(SIZE);
		const invited = await readEmails(setup);
		expect(invited.every(({ to }) => Number(/\d+/.exec(to)![0]) <= SIZE)).toBe(true);

		const codes = await setup.codes();
		expect(new Set(codes.values()).size).toBe(received);
		console.log(`${kind}, ${copies}: ${received} of ${SIZE} arrived, ${unknown} unknown`);
	},
);
