import { describe, expect, it } from "vitest";
import { clientAddress } from "../../../src/server/http/client-address.ts";
import { readSettings } from "../../../src/server/settings.ts";

function clientOf(trusted: string, peer: string | undefined, forwardedFor: string | null) {
	const { trustedProxies } = readSettings({ TRUSTED_PROXIES: trusted }, "/");
	return clientAddress(trustedProxies)(peer, forwardedFor)?.address;
}

describe("the visitor's address", () => {
	it.each([
		// Nobody is trusted: the header comes from a stranger.
		["", "203.0.113.9", "1.1.1.1", "203.0.113.9"],
		["", undefined, "1.1.1.1", undefined],
		// One proxy of our own.
		["127.0.0.1", "127.0.0.1", "203.0.113.9", "203.0.113.9"],
		["127.0.0.1", "::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"],
		["127.0.0.1", "127.0.0.1", null, "127.0.0.1"],
		["127.0.0.1", "127.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"],
		["127.0.0.1", "203.0.113.9", "6.6.6.6", "203.0.113.9"],
		// Two in a row, and a stranger who claims to be one of them.
		[
			"127.0.0.1,10.0.0.0/8",
			"127.0.0.1",
			"6.6.6.6, 10.9.9.9, 203.0.113.9, 10.1.2.3",
			"203.0.113.9",
		],
		["10.0.0.0/8", "10.1.2.3", "10.4.5.6", "10.4.5.6"],
		// IPv6, ports, zones, spaces.
		["::1, 2001:db8::/32", "::1", "2a00::7, 2001:db8:1::1", "2a00::7"],
		["::1", "::1", "[2a00::7]:443", "2a00::7"],
		["fe80::/10", "fe80::1%eth0", " 203.0.113.9 ", "203.0.113.9"],
		// IPv4 mapped into IPv6, in every spelling, and what only looks like it.
		["", "::FFFF:CB00:7109", null, "203.0.113.9"],
		["", "0:0:0:0:0:ffff:203.0.113.9", null, "203.0.113.9"],
		["", "0::0:FFFF:203.0.113.9", null, "203.0.113.9"],
		["", "0:0:0:0:0:ffff:cb00::", null, "203.0.0.0"],
		["::1", "::1", "[::ffff:cb00:7109]:443", "203.0.113.9"],
		["10.0.0.0/8", "::ffff:a01:203", "2001:db8::9, ::ffff:a04:506", "2001:db8::9"],
		["", "::ffff:0:cb00:7109", null, "::ffff:0:cb00:7109"],
		["", "::cb00:7109", null, "::cb00:7109"],
		// An entry that is no address hides all entries to the left of it.
		["127.0.0.1", "127.0.0.1", "203.0.113.9, unknown", "127.0.0.1"],
		["127.0.0.1", "127.0.0.1", "", "127.0.0.1"],
	])("trusting %j, from %j with %j, is %j", (trusted, peer, forwardedFor, client) => {
		expect(clientOf(trusted, peer, forwardedFor)).toBe(client);
	});

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
	])("is believed from %s, trusting private networks: %j", (peer, believed) => {
		expect(clientOf("private", peer, "198.51.100.7") === "198.51.100.7").toBe(believed);
	});
});
