import { describe, expect, it } from "vitest";
import { readBacklog } from "../../../../src/server/letters/pace/backlog.ts";
import { pauseLetters, UNTIL_RELEASED } from "../../../../src/server/letters/sending/outbox.ts";
import { given } from "../../../given/given.ts";
import { kind } from "../../../given/kind.ts";
import { usePostgres } from "../../waitlist/databases.ts";
import { DAY, openPace, people } from "./pace-desk.ts";

const cluster = usePostgres();
const HOUR = DAY / 24;
const rate = { count: 100, periodMs: HOUR };

describe(`letters that wait on ${kind}`, () => {
	const iso = (ms: number) => new Date(ms).toISOString();

	it("say since when, and when the last one goes out at today's rate", async () => {
		const ramp = [240];
		const { clock, join, server } = await openPace(kind, cluster(), { rate });
		const start = clock.ms;
		const read = (mail: Parameters<typeof readBacklog>[1] = { rate, ramp: undefined }) =>
			readBacklog(server.query, mail, new Date(clock.ms));
		// A tenth leaves at once, and the others so far apart that no hour has more than the rate says.
		const inMs = (ms: number) => iso(Math.ceil(clock.ms + ms));
		expect(await read()).toMatchObject({ letters: 0, kinds: [], oldest: null, lastAt: null });
		await join(people(50, "early"));
		clock.ms += HOUR;
		await join(people(150, "late"));
		expect(await read()).toMatchObject({
			letters: 200,
			oldest: iso(start),
			lastAt: inMs(190 * 39_670.33),
			kinds: [{ kind: "confirm", letters: 200, oldest: iso(start) }],
		});
		expect((await read({ rate, ramp })).lastAt).toBe(inMs(190 * 398_202.765));
		expect((await read({ rate: undefined, ramp: undefined })).lastAt).toBeNull();
		await given.throttle(server, { slowed: 4, emails: 30, dead: 15 });
		expect((await read()).lastAt).toBe(iso(clock.ms + 8 * HOUR));
		const until = iso(clock.ms + HOUR);
		await pauseLetters(server, { until, reason: "", cause: "quota" });
		expect((await read()).lastAt).toBe(iso(clock.ms + 9 * HOUR));
		await pauseLetters(server, { until: UNTIL_RELEASED, reason: "", cause: "operator" });
		expect((await read()).lastAt).toBeNull();
	});

	it("go out newest first while the oldest that asks to confirm has waited for over a day", async () => {
		const { clock, join, send, sent } = await openPace(kind, cluster(), { rate });
		await join(people(60, "old"));
		clock.ms += DAY / 2;
		await join(people(60, "middle"));
		await send();
		// Within a day the first who joined is asked first.
		expect(sent.map(({ key }) => key.split("-")[0])).toEqual(Array(10).fill("old"));
		clock.ms += DAY / 2 + 1;
		await join(people(5, "new"));
		await send();
		expect(sent.slice(10, 16).map(({ key }) => key.split("-")[0])).toEqual([
			...Array(5).fill("new"),
			"middle",
		]);
		for (let n = 0; n < 40; n += 1, clock.ms += HOUR / 10) await send();
		expect(new Set(sent.map(({ key }) => key)).size).toBe(125);
		expect(sent.at(-1)!.key).toMatch("old");
	});
});
