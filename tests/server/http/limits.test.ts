import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { clientAddress } from "../../../src/server/http/client-address.ts";
import { createLimiter } from "../../../src/server/http/limits.ts";
import type { Limits, Rate } from "../../../src/server/settings.ts";
import { sized } from "../../sized.ts";

const tenMinutes = (count: number): Rate => ({ count, periodMs: 600_000 });

/** Collects garbage at once. */
function garbageCollector(): () => void {
	setFlagsFromString("--expose-gc");
	return runInNewContext("gc");
}

/** A limiter whose clock the test sets. */
function limiterWith(limits: Partial<Limits>) {
	const clock = { ms: 1000 };
	const none = { address: undefined, network: undefined, global: undefined };
	const limiter = createLimiter({ ...none, ...limits }, () => clock.ms);
	/** How many of these tries at once are admitted. */
	const burst = (client: string, tries: number) =>
		Array.from({ length: tries }, () => limiter.admit(client)).filter((limited) => !limited).length;
	return { limiter, clock, burst };
}

describe("a limit", () => {
	it("admits its number at once, and then one in each share of its period", () => {
		const { clock, burst } = limiterWith({ address: tenMinutes(20) });
		expect(burst("192.0.2.1", 100)).toBe(20);
		clock.ms += 60_000;
		expect(burst("192.0.2.1", 100)).toBe(2);
		clock.ms += 600_000;
		expect(burst("192.0.2.1", 100)).toBe(20);
	});

	it.each([1, 7, 20, 1000, 6007])(
		"says exactly when to come back, at %i in ten minutes",
		(count) => {
			const { limiter, clock } = limiterWith({ address: tenMinutes(count) });
			while (!limiter.admit("192.0.2.1"));
			clock.ms += 0.4;
			const { retryAfter } = limiter.admit("192.0.2.1")!;
			clock.ms += (retryAfter - 1) * 1000;
			expect(limiter.admit("192.0.2.1")).toEqual({ scope: "address", retryAfter: 1 });
			clock.ms += 1000;
			expect(limiter.admit("192.0.2.1")).toBeUndefined();
		},
	);

	it("is not prolonged by tries that come too soon", () => {
		const { limiter, clock, burst } = limiterWith({ address: tenMinutes(1) });
		expect(burst("192.0.2.1", 1)).toBe(1);
		for (let n = 0; n < 600; n++) {
			expect(limiter.admit("192.0.2.1")?.retryAfter).toBe(600 - n);
			clock.ms += 1000;
		}
		expect(limiter.admit("192.0.2.1")).toBeUndefined();
	});

	it("of one visitor does not affect another", () => {
		const { burst } = limiterWith({ address: tenMinutes(2) });
		expect(burst("192.0.2.1", 5)).toBe(2);
		expect(burst("192.0.2.2", 5)).toBe(2);
	});

	it("applies to a whole IPv6 /64 in every spelling, and not beyond", () => {
		const { burst } = limiterWith({ address: tenMinutes(2) });
		expect(burst("2001:db8::1", 1)).toBe(1);
		expect(burst("2001:0DB8:0000:0000:ffff:ffff:ffff:ffff", 1)).toBe(1);
		expect(burst("2001:db8:0:0:1::192.0.2.1", 1)).toBe(0);
		expect(burst("2001:db8:0:1::1", 1)).toBe(1);
	});

	it("of a /48 counts its /64s together", () => {
		const { limiter } = limiterWith({ address: tenMinutes(2), network: tenMinutes(5) });
		const admitted = Array.from({ length: 100 }, (_, n) =>
			limiter.admit(`2001:db8:7:${n.toString(16)}::1`),
		).filter((limited) => !limited);
		expect(admitted).toHaveLength(5);
		expect(limiter.admit("2001:db8:7::1")).toEqual({ scope: "network", retryAfter: 120 });
		expect(limiter.admit("2001:db8:8::1")).toBeUndefined();
	});

	it("names the longest wait of several", () => {
		const { limiter } = limiterWith({
			address: { count: 1, periodMs: 60_000 },
			global: { count: 1, periodMs: 600_000 },
		});
		limiter.admit("192.0.2.1");
		expect(limiter.admit("192.0.2.1")).toEqual({ scope: "global", retryAfter: 600 });
	});

	it("names the visitor's own of two equal waits", () => {
		const { limiter } = limiterWith({ address: tenMinutes(1), global: tenMinutes(1) });
		limiter.admit("192.0.2.1");
		expect(limiter.admit("192.0.2.1")).toEqual({ scope: "address", retryAfter: 600 });
	});

	it("on everybody is not used up by a limited visitor", () => {
		const { burst } = limiterWith({ address: tenMinutes(2), global: tenMinutes(4) });
		expect(burst("192.0.2.1", 1000)).toBe(2);
		expect(burst("192.0.2.2", 1000)).toBe(2);
		expect(burst("192.0.2.3", 1000)).toBe(0);
	});

	it.each([1, 7, 20, 1000, 6007])(
		"admits nobody a millisecond too soon, and everybody in time, at %i in ten minutes",
		(count) => {
			const { limiter, clock } = limiterWith({ address: tenMinutes(count) });
			for (let n = 0; n < count; n++) expect(limiter.admit("192.0.2.1")).toBeUndefined();
			for (let n = 1; n <= 3; n++) {
				clock.ms = 1000 + (n * 600_000) / count - 1;
				expect(limiter.admit("192.0.2.1")).toEqual({ scope: "address", retryAfter: 1 });
				clock.ms += 1;
				expect(limiter.admit("192.0.2.1")).toBeUndefined();
			}
		},
	);

	it("that is absent admits everybody", () => {
		const { burst, limiter } = limiterWith({});
		expect(burst("192.0.2.1", 1000)).toBe(1000);
		expect(limiter.size).toBe(0);
	});
});

describe("an address", () => {
	it("is forgotten two periods after its last request, though nobody comes any more", () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const { limiter, clock } = limiterWith({ address: tenMinutes(2), network: tenMinutes(5) });
		const pass = (ms: number) => {
			clock.ms += ms;
			vi.advanceTimersByTime(ms);
		};
		limiter.admit("192.0.2.1");
		limiter.admit("2001:db8::1");
		pass(599_000);
		limiter.admit("192.0.2.2");
		expect(limiter.size).toBe(4);
		pass(600_000);
		expect(limiter.size).toBe(4);
		pass(1000);
		expect(limiter.size).toBe(0);
		expect(vi.getTimerCount()).toBe(0);
	});

	it("is not forgotten before its allowance is whole", () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const { limiter, clock, burst } = limiterWith({ address: tenMinutes(600) });
		burst("192.0.2.2", 1);
		let admitted = 0;
		for (let second = 0; second < 6000; second++) {
			clock.ms += 1000;
			vi.advanceTimersByTime(1000);
			admitted += burst("192.0.2.1", 3);
		}
		expect(admitted).toBe(600 + 5999);
		// One address, in both generations.
		expect(limiter.size).toBe(2);
	});
});

describe("very many addresses", () => {
	const families: [name: string, addresses: number, addressOf: (n: number) => string][] = [
		["IPv4", 1_000_000, (n) => `${10 + (n >> 16)}.7.${(n >> 8) & 255}.${n & 255}`],
		["IPv6", 300_000, (n) => `2001:${(n >> 8).toString(16)}:${n & 255}:${n & 15}::${n & 255}`],
	];

	it.each(sized(families.slice(1), families))(
		"of %s take at most 15 MB",
		(_, addresses, addressOf) => {
			const collect = garbageCollector();
			const { limiter, clock } = limiterWith({
				address: tenMinutes(20),
				network: tenMinutes(200),
				global: tenMinutes(1_000_000_000),
			});
			collect();
			const before = process.memoryUsage().heapUsed;
			let turnedAway = 0;
			for (let n = 0; n < addresses; n++) {
				clock.ms += 0.1;
				if (limiter.admit(addressOf(n))) turnedAway += 1;
			}
			collect();
			expect(turnedAway).toBe(0);
			expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(15);
			expect(limiter.size).toBeGreaterThan(32_000);
		},
		60_000,
	);

	// While a key was a view of its header, these took 240 MB.
	it("take no more when each comes at the end of a long header", () => {
		const collect = garbageCollector();
		const { limiter, burst } = limiterWith({ address: tenMinutes(20) });
		const clientOf = clientAddress([{ address: "127.0.0.1", prefix: 32, family: "ipv4" }]);
		const madeUp = "203.0.113.201, ".repeat(1000);
		collect();
		const before = process.memoryUsage().heapUsed;
		for (let n = 0; n < 16_000; n++) {
			const header = `${madeUp}198.51.${100 + (n >> 7)}.${100 + (n & 127)}`;
			expect(burst(clientOf("127.0.0.1", header)!.address, 1)).toBe(1);
		}
		collect();
		expect(limiter.size).toBe(16_000);
		expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(15);
	});

	it("are not forgotten sooner because one of the latest comes again", () => {
		const { limiter, burst } = limiterWith({ address: tenMinutes(2) });
		expect(burst("192.0.2.1", 2)).toBe(2);
		const addressOf = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
		// Two full generations.
		for (let n = 1; n < 64_000; n++) limiter.admit(addressOf(n));
		limiter.admit(addressOf(63_999));
		expect(limiter.size).toBe(64_000);
		expect(burst("192.0.2.1", 1)).toBe(0);
	});

	it("do not push out the limit of a visitor who keeps trying", () => {
		const { limiter, clock, burst } = limiterWith({ address: tenMinutes(2) });
		expect(burst("192.0.2.1", 2)).toBe(2);
		let admitted = 0;
		for (let n = 0; n <= 310_000; n++) {
			clock.ms += 1;
			limiter.admit(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
			if (n % 10_000 === 0 && !limiter.admit("192.0.2.1")) admitted += 1;
		}
		expect(admitted).toBe(1);
	});
});
