import { expect, it } from "vitest";
import { DEFAULT_SOURCE } from "#shared/join.ts";
import { errors, words } from "#words";
import { readRegistrations } from "../../read-rows.ts";
import { openApp } from "../open-app.ts";

it("a form without JavaScript gets the form again with the error and the escaped input", async () => {
	const { form } = await openApp();
	const response = await form({ email: `{{error}}"><b>&'` });
	expect(response.status).toBe(400);
	expect(await response.text()).toBe(
		`<p>${words.messages.emailInvalid}<input value="{{error}}&quot;&gt;&lt;b&gt;&amp;&#39;"><input value="">`,
	);
	for (const fields of [{ email: "" }, {}] as Record<string, string>[]) {
		expect(await (await form(fields)).text()).toContain(words.messages.emailMissing);
	}
});

it("a form without JavaScript is accepted from our own page, and refused from another site", async () => {
	const { form, file } = await openApp();
	const rows: [status: number, headers: Record<string, string>][] = [
		[403, { "sec-fetch-site": "cross-site" }],
		[403, { origin: "https://elsewhere.example" }],
		[403, { origin: "null" }],
		[403, { origin: "https://orbit.example:8443", host: "orbit.example" }],
		[403, { origin: "https://orbit.example", host: "orbit.example:80" }],
		[403, { origin: "http://orbit.example", host: "orbit.example:443" }],
		[403, { origin: "https://orbit.example", host: "orbit.example:8443" }],
		[201, { "sec-fetch-site": "same-origin", origin: "https://behind.a.proxy.example" }],
		[201, { "sec-fetch-site": "none" }],
		[201, { origin: "https://orbit.example", host: "orbit.example:443" }],
		[201, { origin: "http://orbit.example", host: "Orbit.Example:80" }],
		[201, { origin: "https://orbit.example:8443", host: "orbit.example:8443" }],
	];
	for (const [n, [status, headers]] of rows.entries()) {
		const response = await form({ email: `${n}@example.com` }, headers);
		expect([headers, response.status]).toEqual([headers, status]);
		if (status === 403) expect(await response.text()).toContain(errors.crossSite);
	}
	expect(readRegistrations(file)).toHaveLength(5);
});

const page = "https://orbit.example/";

it("a form without JavaScript takes the source from its page's URL, unless it names one", async () => {
	const { form, file } = await openApp();
	const proxied = { host: "10.0.0.7:3000", "sec-fetch-site": "same-origin" };
	const rows: [referer: string, source: string, headers?: object, fields?: object][] = [
		[`${page}?ref=newsletter`, "newsletter"],
		[`${page}?utm_source=Hacker+News&utm_medium=social`, "Hacker News"],
		[`${page}?utm_source=x&ref=newsletter`, "newsletter"],
		[`${page}?ref=&utm_source=x`, "x"],
		["https://ORBIT.example:443/?ref=%E6%9D%B1", "東"],
		[`${page}?ref=${"x".repeat(9000)}`, DEFAULT_SOURCE],
		[page, DEFAULT_SOURCE],
		["https://elsewhere.example/?ref=x", DEFAULT_SOURCE],
		[`${page}?ref=fair`, "fair", proxied],
		[`${page}?ref=x`, "fair", {}, { source: "fair" }],
	];
	for (const [n, [referer, , headers, fields]] of rows.entries()) {
		const sent = { host: "orbit.example", ...headers, referer };
		const response = await form({ email: `${n}@example.com`, ...fields }, sent);
		expect(response.status).toBe(201);
	}
	expect(readRegistrations(file).map(({ source }) => source)).toEqual(
		rows.map(([, source]) => source),
	);
});

it("a form without JavaScript keeps the source after an error, even a rate limit", async () => {
	const one = { count: 1, periodMs: 3_600_000 };
	const { form } = await openApp({}, { address: one, burst: one });
	const peer = "192.0.2.1";
	const headers = { host: "orbit.example", referer: `${page}?ref=%22%3E` };
	const hidden = '<input value="&quot;&gt;">';
	const typed = await form({ email: "ada" }, headers, peer);
	expect(await typed.text()).toContain(hidden);
	const again = await form({ email: "ada", ref: '">' }, { host: "orbit.example" }, peer);
	expect(await again.text()).toContain(hidden);
	const limited = await form({ email: "ada" }, headers, peer);
	expect(limited.status).toBe(429);
	expect(limited.headers.get("retry-after")).toBe("3600");
	expect(await limited.text()).toContain(hidden);
	const foreign = await form({ email: "ada" }, { ...headers, origin: "https://x.example" });
	expect(await foreign.text()).toContain('<input value="">');
});
