import { expect, it } from "vitest";
import { shareCounts } from "../../../src/server/admin/today/shared.ts";

/** Counts a list of so many people, which takes so many ms of a clock that the test turns. */
function open({ people, ms }: { people: number; ms: number }) {
	const clock = { now: 0, counted: 0 };
	const share = shareCounts<{ total: { now: number }; n: number }>(() => clock.now);
	const look = () =>
		share(async () => {
			clock.counted += 1;
			const n = clock.counted;
			await Promise.resolve();
			clock.now += ms;
			return { total: { now: people }, n };
		});
	return { clock, look };
}

it("all who look at a large list share its counts, for 50 times as long as counting took", async () => {
	const { clock, look } = open({ people: 1_000_000, ms: 100 });
	expect((await look()).n).toBe(1);
	clock.now += 4999;
	expect((await look()).n).toBe(1);
	clock.now += 1;
	const [one, other] = await Promise.all([look(), look()]);
	expect([one.n, other.n, clock.counted]).toEqual([2, 2, 2]);
});

it("counts a small list again for each who looks, and any list after 25 s", async () => {
	const small = open({ people: 49_999, ms: 100 });
	await small.look();
	expect((await small.look()).n).toBe(2);
	const slow = open({ people: 1_000_000, ms: 4000 });
	await slow.look();
	slow.clock.now += 25_000;
	expect((await slow.look()).n).toBe(2);
});
