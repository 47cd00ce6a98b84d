import { describe, expect, it } from "vitest";
import { readBacklog } from "../../../src/server/mail/overview.ts";
import { UNTIL_RELEASED } from "../../../src/server/mail/rate/pauses.ts";
import { given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { DAY, openRate, people } from "./rate-desk.ts";

const HOUR = DAY / 24;
const rate = { count: 100, periodMs: HOUR };

describe(`emails that wait on ${kind}`, () => {
	const iso = (ms: number) => new Date(ms).toISOString();

	it("say since when, and when the last one goes out at today's rate", async () => {
		const ramp = [240];
		const { clock, join, server } = await openRate(kind, { rate });
		const start = clock.ms;
		const pause = (pausedUntil: string, cause: string) =>
			given.outbox(server, { pausedUntil, cause });
		const read = (mail: Parameters<typeof readBacklog>[1] = { rate, ramp: undefined }) =>
			readBacklog(server, mail, new Date(clock.ms));
		// A tenth leaves at once, and the others so far apart that no hour has more than the rate says.
		const inMs = (ms: number) => iso(Math.ceil(clock.ms + ms));
		expect(await read()).toMatchObject({ emails: 0, kinds: [], oldest: null, lastAt: null });
		await join(people(50, "early"));
		clock.ms += HOUR;
		await join(people(150, "late"));
		expect(await read()).toMatchObject({
			emails: 200,
			oldest: iso(start),
			lastAt: inMs(190 * 39_670.33),
			kinds: [{ kind: "confirm", emails: 200, oldest: iso(start) }],
		});
		expect((await read({ rate, ramp })).lastAt).toBe(inMs(190 * 398_202.765));
		expect((await read({ rate: undefined, ramp: undefined })).lastAt).toBeNull();
		await given.outbox(server, { unconfirmedSlowed: 4 });
		expect((await read()).lastAt).toBe(iso(clock.ms + 8 * HOUR));
		const until = iso(clock.ms + HOUR);
		await pause(until, "quota");
		expect((await read()).lastAt).toBe(iso(clock.ms + 9 * HOUR));
		await pause(UNTIL_RELEASED, "operator");
		expect((await read()).lastAt).toBeNull();
	});
});
