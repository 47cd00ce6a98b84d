import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { JSON_HEADERS, openApp } from "../open-app.ts";

const page = await readFile("src/server/deploying/platforms.md", "utf8");

function settingsOf(platform: string): Record<string, string> {
	const section = page.split(/^## /m).find((section) => section.startsWith(`${platform}\n`))!;
	const [, block] = /```sh\n([\s\S]+?)```/.exec(section)!;
	return Object.fromEntries(
		block!
			.trim()
			.split("\n")
			.map((line) => line.split("=") as [string, string]),
	);
}

/** Headers that each platform's proxy sends for a visitor who forges an IP address. */
const proxies: Record<string, { peer: string; send: (visitor: string, n: number) => object }> = {
	Fly: {
		peer: "172.19.0.1",
		send: (visitor, n) => ({
			"fly-client-ip": visitor,
			"x-forwarded-for": `203.0.113.${n}, ${visitor}, 2a09:8280:1::af:1aa1:0`,
		}),
	},
	Render: {
		peer: "10.21.157.68",
		send: (visitor, n) => ({
			"cf-connecting-ip": visitor,
			"x-forwarded-for": `203.0.113.${n}, ${visitor}, 104.22.17.${n}`,
		}),
	},
	Railway: {
		peer: "100.64.0.3",
		send: (visitor, n) => ({
			"x-real-ip": visitor,
			"x-forwarded-for": `${visitor}, 152.233.33.${n}`,
		}),
	},
};

it.each(Object.entries(proxies))(
	"%s: with the documented settings each visitor has a separate limit, whatever address they forge",
	async (platform, { peer, send }) => {
		const one = { count: 1, periodMs: 600_000 };
		const { post, log } = await openApp(settingsOf(platform), { address: one, burst: one });
		const statuses: number[] = [];
		for (const visitor of ["198.51.100.1", "198.51.100.2"]) {
			for (let n = 1; n <= 3; n++) {
				const body = JSON.stringify({ email: `visitor-${n}@${visitor}.example` });
				const headers = { ...JSON_HEADERS, "x-forwarded-proto": "https", ...send(visitor, n) };
				statuses.push((await post(body, headers, peer)).status);
			}
		}
		expect(statuses).toEqual([201, 201, 429, 201, 201, 429]);
		expect(log.mock.calls.map(([, event]) => event)).toEqual(["burst"]);
	},
);
