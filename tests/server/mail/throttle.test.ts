import { describe, expect, it } from "vitest";
import { readThrottled } from "../../../src/server/mail/rate/throttle.ts";
import { kind } from "../../given/kind.ts";
import { fractions } from "../chance.ts";
import { openRate, people } from "./rate-desk.ts";

const MINUTE = 60_000;
const RATE = { count: 10_000, periodMs: 60 * MINUTE };

const pick = (emails: string[], share: number) => {
	const chance = fractions(7);
	return new Set(emails.filter(() => chance.next().value < share));
};

async function open(isDead: (key: string) => boolean) {
	const pace = await openRate(kind, { rate: RATE, copies: 2, isDead });
	const slowed = async () =>
		(await readThrottled(pace.server, new Date(pace.clock.ms)))
			.map(({ stream, slowed }) => `${stream} ${slowed}`)
			.join();
	return {
		...pace,
		slowed,
		async minutes(count: number) {
			const speeds: string[] = [];
			for (let n = 0; n < count; n += 1, pace.clock.ms += MINUTE) {
				await pace.send(40);
				speeds.push(await slowed());
			}
			return speeds;
		},
	};
}

describe(`the throttle on ${kind}`, () => {
	it("slows no launch with 2.1 % of dead addresses", async () => {
		const dead = pick(people(300, "p"), 0.021);
		const { join, minutes, sent } = await open((key) => dead.has(key));
		await join(people(300, "p"));
		expect(new Set(await minutes(5))).toEqual(new Set([""]));
		expect(sent).toHaveLength(300);
	});

	it("slows a list with 8 % of dead addresses before much harm is done", async () => {
		const dead = pick(people(2000, "old"), 0.08);
		const { wave, minutes, sent } = await open((key) => dead.has(key));
		await wave(people(2000, "old"), { queue: "unconfirmed" });
		expect((await minutes(12)).at(-1)).toBe("unconfirmed 4");
		expect(sent.filter(({ key }) => dead.has(key)).length).toBeLessThan(70);
	});

	it("slows what strangers type, not waves, for all copies, and speeds up again", async () => {
		const { clock, join, wave, minutes, sent, setRate } = await open((key) => key.startsWith("t"));
		await join(Array.from({ length: 30 }, (_, n) => `typed${n}@gmail.com`));
		expect(await minutes(1)).toEqual(["unconfirmed 4"]);
		await wave(people(40, "invited"));
		await join(people(800, "visitor"));
		const before = clock.ms;
		setRate(RATE);
		await minutes(2);
		const kinds = (kind: string) =>
			sent.filter((letter) => letter.ms >= before && letter.kind === kind);
		const aMinute = RATE.count / 60 / 4;
		expect(kinds("confirm").length).toBeGreaterThan(aMinute);
		expect(kinds("confirm").length).toBeLessThanOrEqual(1 + 2 * aMinute);
		expect(kinds("news")).toHaveLength(40);
		expect(new Set(kinds("news").map(({ ms }) => ms)).size).toBe(1);
		const speeds = await minutes(12);
		expect(speeds[0]).toBe("unconfirmed 4");
		expect(speeds.at(-1)).toBe("");
		expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
	});

	it("minds no six typed addresses, and no owner of a domain or of one mailbox", async () => {
		const { join, minutes } = await open(() => true);
		const dead = (of: (n: number) => string) => Array.from({ length: 50 }, (_, n) => of(n));
		await join(dead((n) => `u${n}@mail-${n}.evil.co.uk`));
		await join(dead((n) => `e.vil+${n}@gmail.com`));
		await join(people(6, "typed"));
		expect(new Set(await minutes(2))).toEqual(new Set([""]));
	});

	it("slows for three complaints of different owners until they are long ago", async () => {
		const { complainAbout, join, minutes, send, sent, slowed } = await open(() => false);
		await join(Array.from({ length: 5 }, (_, n) => `visitor-${n}@example.com`));
		await send();
		await complainAbout(sent);
		expect(await slowed()).toBe("");
		await join(people(5, "p"));
		await send();
		await complainAbout(sent.slice(5, 8));
		expect(await slowed()).toBe("unconfirmed 4");
		await join(people(1000, "good"));
		expect((await minutes(80)).at(-1)).toBe("");
		expect(sent).toHaveLength(1010);
	});
});
