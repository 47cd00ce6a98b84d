import { describe, expect, it, onTestFinished } from "vitest";
import type { ClaimedEmail, EmailAttempt } from "../../../src/server/mail/emails/email.ts";
import { recordFeedback } from "../../../src/server/mail/feedback/record-feedback.ts";
import { openOutbox } from "../../../src/server/mail/outbox.ts";
import { readBacklog, readWarmUp, warmUpAsText } from "../../../src/server/mail/overview.ts";
import type { PauseCause } from "../../../src/server/mail/rate/outbox-state.ts";
import { createCircuitBreaker, UNTIL_RESUMED } from "../../../src/server/mail/rate/pauses.ts";
import {
	readThrottledStreams,
	throttleChangeAsText,
} from "../../../src/server/mail/rate/throttle.ts";
import type { Rate } from "../../../src/server/settings/values.ts";
import { given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { randomFractions } from "../random-fractions.ts";
import { openDatabaseWithClock } from "../registrations/databases.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One domain per address, because the throttle counts each domain separately. */
const people = (count: number, name: string) =>
	Array.from({ length: count }, (_, n) => `${name}-${n}@${name}-${n}.example`);

type Sent = Pick<ClaimedEmail, "id" | "kind" | "key"> & { ms: number };

interface RateOptions {
	rate: Rate | undefined;
	warmUp?: readonly number[];
	copies?: number;
	isDead?: (key: string) => boolean;
}

async function openRate({ copies = 1, isDead = () => false, ...mail }: RateOptions) {
	const { clock, now, server, join } = await openDatabaseWithClock(kind);
	onTestFinished(() => server.close());
	const open = () => Array.from({ length: copies }, () => openOutbox(server, { ...mail, now }));
	let outboxes = open();
	const sent: Sent[] = [];
	const endOf = ({ id, key }: Sent): EmailAttempt =>
		isDead(key)
			? { id, state: "refused", code: "550 5.1.1", version: "v1", bounced: true }
			: { id, state: "accepted", code: "250", version: "v1" };
	return {
		clock,
		server,
		sent,
		join,
		async wave(emails: string[], { queue = "confirmed" } = {}) {
			await given.people(server, emails, { confirmed: true });
			const now = new Date(clock.ms);
			const email = { kind: "news", wave: "w", queued: now, nextAttempt: now, queue };
			await given.emails(server, emails, email);
		},
		async send(most = 5) {
			for (const outbox of outboxes) {
				for (;;) {
					const { emails } = await outbox.turn([], most);
					const taken = emails.map(({ id, kind, key }) => ({ id, kind, key, ms: clock.ms }));
					sent.push(...taken);
					if (taken.length === 0) break;
					await outbox.turn(taken.map(endOf), 0);
				}
			}
		},
		setRate(rate: Rate) {
			mail.rate = rate;
			outboxes = open();
		},
		complainAbout: (emails: readonly Sent[]) =>
			server.transact(recordFeedback, {
				feedback: emails.map(({ id }) => ({
					...{ kind: "complaint" as const, emailId: id, address: "", status: "5.1.1" },
					at: clock.ms,
				})),
				now: new Date(clock.ms),
			}),
	};
}

const rate = { count: 100, periodMs: HOUR };

const iso = (ms: number) => new Date(ms).toISOString();

it(`emails that wait on ${kind} show since when, and when the last one will be sent at today's rate`, async () => {
	const warmUp = [240];
	const { clock, join, server } = await openRate({ rate });
	const start = clock.ms;
	const pause = (pausedUntil: string, cause: PauseCause) =>
		given.outbox(server, { pausedUntil, cause });
	const read = (mail: Parameters<typeof readBacklog>[1] = { rate, warmUp: undefined }) =>
		readBacklog(server, mail, new Date(clock.ms));
	// A tenth of the hourly rate is sent at once. The rest is spread so that no hour exceeds it.
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
	expect((await read({ rate, warmUp })).lastAt).toBe(inMs(190 * 398_202.765));
	expect((await read({ rate: undefined, warmUp: undefined })).lastAt).toBeNull();
	await given.outbox(server, { unconfirmedSlowed: 4 });
	expect((await read()).lastAt).toBe(iso(clock.ms + 8 * HOUR));
	const until = iso(clock.ms + HOUR);
	await pause(until, "quota");
	expect((await read()).lastAt).toBe(iso(clock.ms + 9 * HOUR));
	await pause(UNTIL_RESUMED, "founder");
	expect((await read()).lastAt).toBeNull();
});

describe(`a warm-up on ${kind}`, () => {
	const warmUp = [10, 20, 40];

	async function open(more: Partial<RateOptions> = {}) {
		const pace = await openRate({ rate: undefined, warmUp, ...more });
		return {
			...pace,
			said: async () => warmUpAsText((await readWarmUp(pace.server, { warmUp }))!),
			async days(count: number) {
				const counts: number[] = [];
				for (let day = 0; day < count; day += 1) {
					const before = pace.sent.length;
					for (let n = 0; n < 48; n += 1, pace.clock.ms += DAY / 48) await pace.send();
					counts.push(pace.sent.length - before);
				}
				return counts;
			},
			most: () =>
				Math.max(
					...pace.sent.map(
						({ ms: from }) => pace.sent.filter(({ ms }) => ms >= from && ms < from + DAY).length,
					),
				),
		};
	}

	it("climbs one step per day with emails, across two servers", async () => {
		const { days, join, most, said, sent } = await open({ copies: 2 });
		await join(people(10, "early"));
		expect(await days(1)).toEqual([10]);
		expect(await said()).toMatch(/^Warm-up step 1 .* until 2026-11-23 10:00 UTC\.$/);
		expect(await days(3)).toEqual([0, 0, 0]);
		expect(await said()).toMatch(/^Warm-up step 2 .* 20 emails a day/);
		await join(people(200, "late"));
		const [first, second, third] = await days(3);
		expect(first).toBeGreaterThanOrEqual(15);
		expect(first).toBeLessThanOrEqual(20);
		expect(second).toBeGreaterThanOrEqual(30);
		expect(third).toBeGreaterThanOrEqual(36);
		expect(most()).toBeLessThanOrEqual(40);
		expect(await said()).toMatch(/^Warm-up step 3 of 3: .* emails a day\.$/);
		expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
	});

	it("never exceeds the rate", async () => {
		const { days, join, most } = await open({ rate: { count: 12, periodMs: DAY } });
		await join(people(100, "p"));
		await days(4);
		expect(most()).toBe(12);
	});

	it("stays at its step while a stream is throttled", async () => {
		const { days, join, said, server } = await open();
		await join(people(500, "p"));
		await days(1);
		await given.outbox(server, { confirmedSlowed: 4 });
		await days(2);
		expect(await said()).toMatch(/^Warm-up step 1 .* 10 emails a day\.$/);
		await given.outbox(server, { confirmedSlowed: 1 });
		await days(1);
		expect(await said()).toMatch(/^Warm-up step 2 /);
	});
});

const RATE = { count: 10_000, periodMs: 60 * MINUTE };

const pick = (emails: string[], share: number) => {
	const chance = randomFractions(7);
	return new Set(emails.filter(() => chance.next().value < share));
};

async function openThrottle(isDead: (key: string) => boolean) {
	const pace = await openRate({ rate: RATE, copies: 2, isDead });
	const slowed = async () =>
		(await readThrottledStreams(pace.server, new Date(pace.clock.ms)))
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

it("the circuit breaker counts emails to one domain, not their retries", () => {
	const breaker = createCircuitBreaker();
	const opens = (n: number) =>
		breaker.failed({ id: `email-${n}`, key: `${n}@dead.example`, attempts: 1 }, { quota: false });
	const retries = Array.from({ length: 100 }, (_, n) => opens(n % 6));
	expect(retries).not.toContain(true);
	expect(Array.from({ length: 24 }, (_, n) => opens(6 + n)).indexOf(true)).toBe(23);
});

describe(`the throttle on ${kind}`, () => {
	it("does not slow a launch with 2.1 % dead addresses", async () => {
		const dead = pick(people(300, "p"), 0.021);
		const { join, minutes, sent } = await openThrottle((key) => dead.has(key));
		await join(people(300, "p"));
		expect(new Set(await minutes(5))).toEqual(new Set([""]));
		expect(sent).toHaveLength(300);
	});

	it("slows a list with 8 % dead addresses early", async () => {
		const dead = pick(people(2000, "old"), 0.08);
		const { wave, minutes, sent } = await openThrottle((key) => dead.has(key));
		await wave(people(2000, "old"), { queue: "unconfirmed" });
		expect((await minutes(12)).at(-1)).toBe("unconfirmed 4");
		expect(sent.filter(({ key }) => dead.has(key)).length).toBeLessThan(70);
	});

	it("slows emails to strangers' addresses, not waves, on all servers, and recovers", async () => {
		const { clock, join, wave, minutes, sent, setRate } = await openThrottle((key) =>
			key.startsWith("t"),
		);
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

	it("ignores six bad addresses, and single owners of a domain or mailbox", async () => {
		const { join, minutes } = await openThrottle(() => true);
		const dead = (of: (n: number) => string) => Array.from({ length: 50 }, (_, n) => of(n));
		await join(dead((n) => `u${n}@mail-${n}.evil.co.uk`));
		await join(dead((n) => `e.vil+${n}@gmail.com`));
		await join(people(6, "typed"));
		expect(new Set(await minutes(2))).toEqual(new Set([""]));
	});

	it("slows after three complaints by different owners, until they are old", async () => {
		const { clock, complainAbout, join, minutes, send, sent, server, slowed } = await openThrottle(
			() => false,
		);
		await join(Array.from({ length: 5 }, (_, n) => `visitor-${n}@example.com`));
		await send();
		await complainAbout(sent);
		expect(await slowed()).toBe("");
		await join(people(5, "p"));
		await send();
		await complainAbout(sent.slice(5, 8));
		expect(await slowed()).toBe("unconfirmed 4");
		const [change] = await readThrottledStreams(server, new Date(clock.ms));
		expect(throttleChangeAsText(change!)).toMatch(/: 4 of the last 10 emails were marked as spam/);
		await join(people(1000, "good"));
		expect((await minutes(80)).at(-1)).toBe("");
		expect(sent).toHaveLength(1010);
	});
});
