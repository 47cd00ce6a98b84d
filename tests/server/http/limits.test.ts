import { expect, it, onTestFinished, vi } from "vitest";
import { createClientAddressReader } from "../../../src/server/http/client-address.ts";
import { createJoinLimiter } from "../../../src/server/http/limits.ts";
import type { Rate } from "../../../src/server/settings/values.ts";
import { type JoinLimits, readSettings } from "../../../src/server/settings.ts";
import { collectGarbage } from "../commands/command-setup.ts";

const tenMinutes = (count: number): Rate => ({ count, periodMs: 600_000 });

function limiterWith(limits: Partial<JoinLimits>) {
	const clock = { ms: 1000 };
	const [address, network, burst, allBursts] = Array(4).fill(tenMinutes(1e6));
	const all = { address, network, burst, allBursts, ...limits };
	const limiter = createJoinLimiter(all, () => clock.ms);
	const attempt = (client: string, tries: number) =>
		Array.from({ length: tries }, () => limiter.admit(client)).filter((seconds) => seconds === 0)
			.length;
	const joins = (client: string, count: number) => {
		const counts = { taken: 0, marked: 0, refused: 0 };
		for (let n = 0; n < count; n++) {
			const found = limiter.admitJoin(client);
			counts[!found ? "taken" : found === "burst" ? "marked" : "refused"] += 1;
		}
		return counts;
	};
	return { limiter, clock, attempt, joins };
}

it.each([1, 7, 20, 1000, 6007])(
	"a limit returns the exact time to wait, at %i per ten minutes",
	(count) => {
		const { limiter, clock } = limiterWith({ address: tenMinutes(count) });
		while (limiter.admit("192.0.2.1") === 0);
		clock.ms += 0.4;
		clock.ms += (limiter.admit("192.0.2.1") - 1) * 1000;
		expect(limiter.admit("192.0.2.1")).toBe(1);
		clock.ms += 1000;
		expect(limiter.admit("192.0.2.1")).toBe(0);
	},
);

it("a limit applies to an IPv6 /64 in every spelling, and not beyond", () => {
	const { attempt } = limiterWith({ address: tenMinutes(2) });
	expect(attempt("2001:db8::1", 1)).toBe(1);
	expect(attempt("2001:0DB8:0000:0000:ffff:ffff:ffff:ffff", 1)).toBe(1);
	expect(attempt("2001:db8:0:0:1::192.0.2.1", 1)).toBe(0);
	expect(attempt("2001:db8:0:1::1", 1)).toBe(1);
});

const limits = { address: tenMinutes(20), network: tenMinutes(50), burst: tenMinutes(2000) };

it("a burst starts at the limit of an IP address, and ends at its own limit", () => {
	const { clock, joins } = limiterWith(limits);
	expect(joins("192.0.2.1", 300)).toEqual({ taken: 20, marked: 280, refused: 0 });
	expect(joins("192.0.2.1", 10_000)).toEqual({ taken: 0, marked: 1720, refused: 8280 });
	expect(joins("192.0.2.2", 20)).toEqual({ taken: 20, marked: 0, refused: 0 });
	clock.ms += 60_000;
	expect(joins("192.0.2.1", 1000)).toEqual({ taken: 2, marked: 200, refused: 798 });
	clock.ms += 600_000;
	expect(joins("192.0.2.1", 3000)).toEqual({ taken: 20, marked: 2000, refused: 980 });
});

it("a burst has one limit per /48, whichever /64 its visitors have", () => {
	const { joins } = limiterWith(limits);
	expect(joins("2001:db8:7:1::1", 1000)).toEqual({ taken: 20, marked: 980, refused: 0 });
	expect(joins("2001:db8:7:2::1", 1000)).toEqual({ taken: 20, marked: 980, refused: 0 });
	expect(joins("2001:db8:7:3::1", 100)).toEqual({ taken: 10, marked: 40, refused: 50 });
	expect(joins("2001:db8:8:1::1", 100)).toEqual({ taken: 20, marked: 80, refused: 0 });
});

it("all bursts together have a limit, which refuses nobody else", () => {
	const { joins } = limiterWith({ ...limits, allBursts: tenMinutes(30) });
	expect(joins("192.0.2.1", 40)).toEqual({ taken: 20, marked: 20, refused: 0 });
	expect(joins("198.51.100.1", 40)).toEqual({ taken: 20, marked: 10, refused: 10 });
	expect(joins("203.0.113.1", 40)).toEqual({ taken: 20, marked: 0, refused: 20 });
});

it("an address is forgotten two periods after its last request, even without further requests", () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const { limiter, clock, joins } = limiterWith({
		address: tenMinutes(2),
		network: tenMinutes(5),
		burst: tenMinutes(1),
	});
	const pass = (ms: number) => {
		clock.ms += ms;
		vi.advanceTimersByTime(ms);
	};
	limiter.admit("192.0.2.1");
	limiter.admit("2001:db8::1");
	expect(joins("192.0.2.3", 3)).toMatchObject({ marked: 1 });
	pass(599_000);
	limiter.admit("192.0.2.2");
	expect(limiter.size).toBe(6);
	pass(600_000);
	expect(limiter.size).toBe(6);
	pass(1000);
	expect(limiter.size).toBe(0);
	expect(vi.getTimerCount()).toBe(0);
});

// In V8 a substring keeps its whole string in memory: these keys would hold 240 MB of headers.
it("very many addresses take at most 15 MB, even if each is at the end of a long header", () => {
	const { limiter, attempt } = limiterWith({ address: tenMinutes(20) });
	const clientOf = createClientAddressReader([
		{ address: "127.0.0.1", prefix: 32, family: "ipv4" },
	]);
	const madeUp = "203.0.113.201, ".repeat(1000);
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	for (let n = 0; n < 16_000; n++) {
		const header = `${madeUp}198.51.${100 + (n >> 7)}.${100 + (n & 127)}`;
		expect(attempt(clientOf("127.0.0.1", header)!.address, 1)).toBe(1);
	}
	collectGarbage();
	expect(limiter.size).toBe(16_000);
	expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(15);
});

it("very many addresses do not reset the limit of a visitor who keeps trying", () => {
	const { limiter, clock, attempt } = limiterWith({ address: tenMinutes(2) });
	expect(attempt("192.0.2.1", 2)).toBe(2);
	let admitted = 0;
	for (let n = 0; n <= 310_000; n++) {
		clock.ms += 1;
		limiter.admit(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
		if (n % 10_000 === 0 && limiter.admit("192.0.2.1") === 0) admitted += 1;
	}
	expect(admitted).toBe(1);
	// limits.ts keeps two generations of at most 32,000 addresses each.
	expect(limiter.size).toBeLessThanOrEqual(64_000);
});

function clientOf(trusted: string, peer: string | undefined, forwardedFor: string | null) {
	const { trustedProxies } = readSettings({ TRUSTED_PROXIES: trusted }, "/");
	return createClientAddressReader(trustedProxies)(peer, forwardedFor)?.address;
}

it.each([
	// Without trusted proxies, X-Forwarded-For is ignored.
	["", "203.0.113.9", "1.1.1.1", "203.0.113.9"],
	["", undefined, "1.1.1.1", undefined],
	["127.0.0.1", "127.0.0.1", "203.0.113.9", "203.0.113.9"],
	["127.0.0.1", "::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"],
	["127.0.0.1", "127.0.0.1", null, "127.0.0.1"],
	["127.0.0.1", "127.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"],
	["127.0.0.1", "203.0.113.9", "6.6.6.6", "203.0.113.9"],
	// Two proxies in a row; the visitor forges a proxy's address.
	["127.0.0.1,10.0.0.0/8", "127.0.0.1", "6.6.6.6, 10.9.9.9, 203.0.113.9, 10.1.2.3", "203.0.113.9"],
	["10.0.0.0/8", "10.1.2.3", "10.4.5.6", "10.4.5.6"],
	["::1, 2001:db8::/32", "::1", "2a00::7, 2001:db8:1::1", "2a00::7"],
	["::1", "::1", "[2a00::7]:443", "2a00::7"],
	["fe80::/10", "fe80::1%eth0", " 203.0.113.9 ", "203.0.113.9"],
	// IPv4-mapped IPv6 in all spellings, and addresses that only look like it.
	["", "::FFFF:CB00:7109", null, "203.0.113.9"],
	["", "0:0:0:0:0:ffff:203.0.113.9", null, "203.0.113.9"],
	["", "0::0:FFFF:203.0.113.9", null, "203.0.113.9"],
	["", "0:0:0:0:0:ffff:cb00::", null, "203.0.0.0"],
	["::1", "::1", "[::ffff:cb00:7109]:443", "203.0.113.9"],
	["10.0.0.0/8", "::ffff:a01:203", "2001:db8::9, ::ffff:a04:506", "2001:db8::9"],
	["", "::ffff:0:cb00:7109", null, "::ffff:0:cb00:7109"],
	["", "::cb00:7109", null, "::cb00:7109"],
	// The server ignores everything to the left of an invalid entry.
	["127.0.0.1", "127.0.0.1", "203.0.113.9, unknown", "127.0.0.1"],
	["127.0.0.1", "127.0.0.1", "", "127.0.0.1"],
])(
	"the visitor's address trusting %j, from %j with %j, is %j",
	(trusted, peer, forwardedFor, client) => {
		expect(clientOf(trusted, peer, forwardedFor)).toBe(client);
	},
);

it.each([
	["127.3.2.1", true],
	["10.255.0.1", true],
	["172.31.255.255", true],
	["172.32.0.1", false],
	["100.127.255.255", true],
	["100.128.0.1", false],
	["169.254.1.1", true],
	["fe80::1%eth0", true],
	["fdaa:0:1::3", true],
	["fe00::1", false],
	["::ffff:172.17.0.1", true],
	["203.0.113.9", false],
])("the visitor's address is believed from %s, trusting private networks: %j", (peer, believed) => {
	expect(clientOf("private", peer, "198.51.100.7") === "198.51.100.7").toBe(believed);
});
