import { describe, expect, it, onTestFinished, vi } from "vitest";
import { brand } from "#brand";
import { EMAIL_INVALID, EMAIL_MISSING, EMAIL_TOO_LONG } from "#shared/email.ts";
import { DUPLICATE_ERROR, FAILED_MESSAGE, SOURCE } from "#shared/join.ts";
import { refusedPage } from "../../../src/server/join/outcome-pages.ts";
import { readRows } from "../../read-rows.ts";
import { expectRefusal, JSON_TYPE, openApp } from "../open-app.ts";

describe("a registration", () => {
	it("gets 201 and is kept with time, source and the terms shown", async () => {
		vi.setSystemTime("2026-11-21T09:30:00.123Z");
		onTestFinished(() => void vi.useRealTimers());
		const { joinWith, file } = await openApp();
		const response = await joinWith(" Ada@Bücher.example ");
		expect(response.status).toBe(201);
		expect(response.headers.get("cache-control")).toBe("no-store");
		expect(await response.json()).toEqual({ status: "registered" });
		expect(readRows(file)).toEqual([
			{
				key: "ada@xn--bcher-kva.example",
				email: "Ada@Bücher.example",
				source: SOURCE,
				createdAt: "2026-11-21T09:30:00.123Z",
				terms: brand.legalEffectiveDate,
				flags: "",
			},
		]);
	});

	it.each(["website", "Website"])("is marked when the hidden field is filled: %s", async (name) => {
		const { post, form, file } = await openApp();
		const json = JSON.stringify({ email: "ada@example.com", [name]: "https://spam.example" });
		expect((await post(json)).status).toBe(201);
		expect((await form({ email: "bob@example.com", [name]: "x" })).status).toBe(201);
		expect((await form({ email: "eve@example.com", [name]: "" })).status).toBe(201);
		const empty = JSON.stringify({ email: "nil@example.com", [name]: null });
		expect((await post(empty)).status).toBe(201);
		const flag = name === "website" ? "trap" : "";
		expect(readRows(file).map(({ flags }) => flags)).toEqual([flag, flag, "", ""]);
	});

	it("is a duplicate in another case, spelling and spacing", async () => {
		const { joinWith } = await openApp();
		await joinWith("ada@bücher.example");
		for (const email of [
			"ADA@BÜCHER.EXAMPLE",
			"ada@xn--bcher-kva.example.",
			" ada@bücher.example",
		]) {
			await expectRefusal(await joinWith(email), 409, DUPLICATE_ERROR);
		}
	});

	it("may leave its source out", async () => {
		const { post, file } = await openApp();
		expect((await post('{"email":"ada@example.com"}')).status).toBe(201);
		expect(readRows(file)).toMatchObject([{ source: SOURCE }]);
	});

	it("may have a source of 64 characters, and no more", async () => {
		const { post } = await openApp();
		const join = (length: number) =>
			post(JSON.stringify({ email: "ada@example.com", source: "s".repeat(length) }));
		expect((await join(64)).status).toBe(201);
		const error = "The source must be 1 to 64 printable characters.";
		await expectRefusal(await join(65), 400, error);
	});

	it.each(["fair", "Büro", "e\u0301", "东京", "\u0627\u0644", "№ 7", "-", "🎉", "❤️", "  a  "])(
		"may have any source that can be seen: %j",
		async (source) => {
			const { post, file } = await openApp();
			expect((await post(JSON.stringify({ email: "ada@example.com", source }))).status).toBe(201);
			expect(readRows(file)).toMatchObject([{ source }]);
		},
	);

	it.each([
		" ",
		"   ",
		"\u2800",
		" \u2800 \u2800",
		"\u115f",
		"\u1160",
		"\u3164",
		"\uffa0",
		"\ufffc",
		"\u0301",
		" \u0301\u0323",
		"\ufe0f",
		"\u034f",
		"\u{1d159}",
		"\u{13441}",
		"\u3164\u0301 ",
	])("may not have a source that looks blank: %j", async (source) => {
		const { post, file } = await openApp();
		const error = "The source must be 1 to 64 printable characters.";
		const body = JSON.stringify({ email: "ada@example.com", source });
		await expectRefusal(await post(body), 400, error);
		expect(readRows(file)).toEqual([]);
	});

	it.each([
		["newsletter", "newsletter"],
		["  a  ", "  a  "],
		["x".repeat(64), "x".repeat(64)],
		["x".repeat(65), SOURCE],
		["", SOURCE],
		["\u3164", SOURCE],
		["\n", SOURCE],
		["\ud800", SOURCE],
		[7, SOURCE],
		[null, SOURCE],
		[{ ref: "x" }, SOURCE],
	])(
		"comes from where its link says if that can be a label, and is never refused for it: %j",
		async (ref, source) => {
			const { post, file } = await openApp();
			const body = JSON.stringify({ email: "ada@example.com", source: SOURCE, ref });
			expect((await post(body)).status).toBe(201);
			expect(readRows(file)).toMatchObject([{ source }]);
		},
	);

	it("takes JSON with a charset and a byte order mark", async () => {
		const { post } = await openApp();
		const response = await post('\ufeff{"email":"ada@example.com"}', {
			"content-type": 'Application/JSON; charset="UTF-8"',
		});
		expect(response.status).toBe(201);
	});
});

describe("a refused registration", () => {
	it.each([
		['{"email":""}', EMAIL_MISSING],
		['{"email":"  "}', EMAIL_MISSING],
		["{}", EMAIL_MISSING],
		['{"email":null}', EMAIL_MISSING],
		['{"email":{"toString":"x"}}', EMAIL_MISSING],
		['{"email":["a@b.c"]}', EMAIL_MISSING],
		['{"__proto__":{"email":"a@b.c"}}', EMAIL_MISSING],
		['{"email":"ada"}', EMAIL_INVALID],
		['{"email":"a\\u0000@b.c"}', EMAIL_INVALID],
		['{"email":"a\\ud800@b.c"}', EMAIL_INVALID],
		[`{"email":"${"a".repeat(251)}@b.c"}`, EMAIL_TOO_LONG],
		['{"email":"a@b.c","source":7}', "The source must be 1 to 64 printable characters."],
		['{"email":"a@b.c","source":""}', "The source must be 1 to 64 printable characters."],
		['{"email":"a@b.c","source":"a\\ufffd"}', "The source must be 1 to 64 printable characters."],
		['{"email":"a@b.c","source":"a\ufffd"}', "The source must be 1 to 64 printable characters."],
		['{"email":"a\ufffd@b.c"}', EMAIL_INVALID],
		['{"email":"a@b.c","source":"\\n"}', "The source must be 1 to 64 printable characters."],
		["", "Please send a JSON object with an email."],
		["null", "Please send a JSON object with an email."],
		["[]", "Please send a JSON object with an email."],
		['"a@b.c"', "Please send a JSON object with an email."],
		['{"email":', "Please send a JSON object with an email."],
		["[".repeat(16_000), "Please send a JSON object with an email."],
	])("says why (%#)", async (body, error) => {
		const { post, file } = await openApp();
		await expectRefusal(await post(body), 400, error);
		expect(readRows(file)).toEqual([]);
	});

	it("is not UTF-8", async () => {
		const { post } = await openApp();
		const body = Buffer.from('{"email":"\xff@b.c"}', "latin1");
		await expectRefusal(await post(body), 400, "Please send the address as UTF-8.");
	});

	it.each([
		["text/plain"],
		["multipart/form-data; boundary=x"],
		["application/json; charset=utf-16"],
		["application/jsonp"],
		[""],
	])("has a body of type %j", async (type) => {
		const { post } = await openApp();
		await expectRefusal(
			await post('{"email":"a@b.c"}', { "content-type": type }),
			415,
			"Please send the address as JSON (application/json).",
		);
	});

	it("is compressed", async () => {
		const { post } = await openApp();
		await expectRefusal(
			await post("x", { ...JSON_TYPE, "content-encoding": "gzip" }),
			415,
			"Please send the address without a content encoding.",
		);
	});

	it("is larger than 16 kB, with a length or without one", async () => {
		const { post } = await openApp();
		const large = `{"email":"a@b.c","more":"${"x".repeat(16 * 1024)}"}`;
		const announced = { ...JSON_TYPE, "content-length": String(large.length) };
		for (const headers of [JSON_TYPE, announced]) {
			await expectRefusal(
				await post(large, headers),
				413,
				"This is more than a registration needs.",
			);
		}
	});

	it("may be exactly 16 kB", async () => {
		const { post } = await openApp();
		const start = `{"email":"a@b.c","more":"`;
		const body = `${start}${"x".repeat(16 * 1024 - start.length - 2)}"}`;
		expect(body).toHaveLength(16 * 1024);
		expect((await post(body)).status).toBe(201);
	});

	it("is told to come back while nothing can be stored, with script and without", async () => {
		const { joinWith, form, waitlist } = await openApp();
		waitlist.join = async () => "unavailable";
		const sentence = "We cannot save your address right now. Please try again in a few seconds.";
		const response = await joinWith("ada@example.com");
		expect(response.headers.get("retry-after")).toBe("5");
		await expectRefusal(response, 503, sentence);
		const page = await form({ email: "ada@example.com" });
		expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
		expect(await page.text()).toContain(sentence);
	});
});

describe("too many tries", () => {
	const limits = { WAITLIST_ADDRESS_LIMIT: "2/10m", WAITLIST_NETWORK_LIMIT: "3/10m" };
	const body = '{"email":"ada@example.com"}';

	/** Tries to join through a trusted proxy, which sends this `X-Forwarded-For`. */
	async function openBehindProxy() {
		const { post } = await openApp({ ...limits, TRUSTED_PROXIES: "127.0.0.1" });
		return async (forwardedFor: string) => {
			const headers = { ...JSON_TYPE, "x-forwarded-for": forwardedFor };
			return (await post(body, headers, "127.0.0.1")).status;
		};
	}

	it("get 429 with the time to wait, and nobody else does", async () => {
		const { post } = await openApp(limits);
		expect((await post(body, JSON_TYPE, "192.0.2.1")).status).toBe(201);
		expect((await post(body, JSON_TYPE, "192.0.2.1")).status).toBe(409);
		const response = await post(body, JSON_TYPE, "::ffff:192.0.2.1");
		expect(response.headers.get("retry-after")).toBe("300");
		await expectRefusal(
			response,
			429,
			"Too many tries from your address. Please try again in 5 minutes.",
		);
		expect((await post(body, JSON_TYPE, "192.0.2.2")).status).toBe(409);
	});

	it.each([
		["90s", "90 seconds"],
		["91s", "2 minutes"],
	])("of one in %s are told to come back in %s", async (period, wait) => {
		const { post } = await openApp({ WAITLIST_ADDRESS_LIMIT: `1/${period}` });
		await post(body, JSON_TYPE, "192.0.2.1");
		const error = `Too many tries from your address. Please try again in ${wait}.`;
		await expectRefusal(await post(body, JSON_TYPE, "192.0.2.1"), 429, error);
	});

	it("are counted by IPv4 address, however it is written as IPv6", async () => {
		const statusFor = await openBehindProxy();
		expect(await statusFor("192.0.2.1")).toBe(201);
		expect(await statusFor("::ffff:c000:201")).toBe(409);
		expect(await statusFor("0:0:0:0:0:ffff:192.0.2.1")).toBe(429);
		for (const visitor of ["::ffff:c000:202", "::ffff:c000:203", "::ffff:c000:204"]) {
			for (const status of [409, 409, 429]) expect(await statusFor(visitor)).toBe(status);
		}
	});

	it("are counted by IPv6 network as well", async () => {
		const { post } = await openApp(limits);
		for (const subnet of [1, 2, 3]) {
			const { status } = await post(body, JSON_TYPE, `2001:db8:7:${subnet}::1`);
			expect(status).toBe(subnet === 1 ? 201 : 409);
		}
		const response = await post(body, JSON_TYPE, "2001:db8:7:4::1");
		expect(await response.json()).toEqual({
			error: "Too many tries from your network. Please try again in 4 minutes.",
		});
		expect((await post(body, JSON_TYPE, "2001:db8:8:4::1")).status).toBe(409);
	});

	it("get a page when they come from a form", async () => {
		const { form, post } = await openApp({ WAITLIST_GLOBAL_LIMIT: "1/1s" });
		await post(body);
		const response = await form({ email: "ada@example.com" });
		expect(response.status).toBe(429);
		expect(response.headers.get("retry-after")).toBe("1");
		expect(await response.text()).toContain("Please try again in 1 second.");
	});

	it("are counted for the visitor behind a trusted proxy, not for the address they claim", async () => {
		const statusFor = await openBehindProxy();
		expect(await statusFor("192.0.2.1")).toBe(201);
		expect(await statusFor("198.51.100.1, 192.0.2.1")).toBe(409);
		expect(await statusFor("198.51.100.2, 192.0.2.1")).toBe(429);
		expect(await statusFor("192.0.2.2")).toBe(409);
	});

	it("are not used up by posts of another site's page", async () => {
		const { post } = await openApp(limits);
		const headers = { ...JSON_TYPE, "sec-fetch-site": "cross-site" };
		for (let n = 0; n < 10; n++) {
			expect((await post(body, headers, "192.0.2.1")).status).toBe(403);
		}
		expect((await post(body, JSON_TYPE, "192.0.2.1")).status).toBe(201);
		expect((await post(body, JSON_TYPE, "192.0.2.1")).status).toBe(409);
		expect((await post(body, headers, "192.0.2.1")).status).toBe(403);
		expect((await post(body, JSON_TYPE, "192.0.2.1")).status).toBe(429);
	});

	it("by address do not apply to loopback, which may be an unnamed proxy", async () => {
		const { post, log } = await openApp(limits);
		for (const peer of ["127.0.0.1", "127.0.0.53", "::1", "::ffff:127.0.0.1"]) {
			for (let n = 0; n < 5; n++)
				expect((await post(body, JSON_TYPE, peer)).status).toBeLessThan(429);
		}
		expect(log).not.toHaveBeenCalled();
	});

	it.each([[undefined], [""], ["unknown"], ["<script>"], ["192.0.2.1, unknown"], ["127.0.0.1"]])(
		"are counted as one visitor's behind a trusted proxy that names none but %j, which is logged at the first refusal",
		async (forwardedFor) => {
			const { post, log } = await openApp({ ...limits, TRUSTED_PROXIES: "127.0.0.1" });
			const headers: Record<string, string> =
				forwardedFor === undefined ? JSON_TYPE : { ...JSON_TYPE, "x-forwarded-for": forwardedFor };
			for (const status of [201, 409]) {
				expect((await post(body, headers, "127.0.0.1")).status).toBe(status);
			}
			expect(log).not.toHaveBeenCalled();
			for (const status of [429, 429]) {
				expect((await post(body, headers, "127.0.0.1")).status).toBe(status);
			}
			expect(log.mock.calls).toEqual([
				[
					"error",
					"proxy names no visitor",
					{ message: expect.stringContaining("without the visitor's address") },
				],
			]);
		},
	);

	it.each([
		["a private network", "172.17.0.1", "set TRUSTED_PROXIES=private"],
		["the internet", "203.0.113.77", "set TRUSTED_PROXIES to its addresses or networks"],
	])(
		"behind a proxy on %s that nobody trusts are logged once, and once more at the first refusal",
		async (place, peer, remedy) => {
			const { post, log } = await openApp(limits);
			const headers = { ...JSON_TYPE, "x-forwarded-for": "192.0.2.1" };
			const messages = () => log.mock.calls.map(([, event, { message }]) => [event, message]);
			expect((await post(body, headers, peer)).status).toBe(201);
			expect((await post(body, headers, peer)).status).toBe(409);
			const warning = [
				"proxy not trusted",
				expect.stringMatching(`A join from ${place} has .*${remedy}`),
			];
			expect(messages()).toEqual([warning]);
			for (let n = 0; n < 3; n++) expect((await post(body, headers, peer)).status).toBe(429);
			const refused = [
				"proxy not trusted",
				expect.stringMatching(`was refused \\(429\\).*${remedy}`),
			];
			expect(messages()).toEqual([warning, refused]);
			expect(JSON.stringify(messages())).not.toMatch(/172\.17|203\.0|192\.0/);
		},
	);

	it.each([
		["that nobody trusts", "", "172.17.0.1", { "x-forwarded-for": "192.0.2.1" }, "address"],
		["of an IPv6 network", "", "fd00::1", { "x-forwarded-for": "192.0.2.1" }, "network"],
		["that names no visitor", "127.0.0.1", "127.0.0.1", {}, "address"],
	])(
		"of everybody together are not blamed on a proxy %s, but its own are",
		async (_, trusted, peer, forwarded, scope) => {
			vi.useFakeTimers({ toFake: ["performance"] });
			onTestFinished(() => void vi.useRealTimers());
			const { post, log } = await openApp({
				TRUSTED_PROXIES: trusted,
				WAITLIST_ADDRESS_LIMIT: scope === "address" ? "2/10m" : "0",
				WAITLIST_NETWORK_LIMIT: "2/10m",
				WAITLIST_GLOBAL_LIMIT: "1/1s",
			});
			const join = async () => {
				const response = await post(body, { ...JSON_TYPE, ...forwarded }, peer);
				return ((await response.json()) as { error?: string }).error;
			};
			const blamed = () => log.mock.calls.filter(([, , { message }]) => message.includes("(429)"));
			await join();
			expect(await join()).toMatch(/^More people are joining/);
			expect(blamed()).toEqual([]);
			vi.advanceTimersByTime(1000);
			await join();
			expect(await join()).toContain(`Too many tries from your ${scope}.`);
			expect(blamed()).toHaveLength(1);
		},
	);

	it("log no warning where a stranger's forged header comes through a trusted proxy", async () => {
		const { post, log } = await openApp({ ...limits, TRUSTED_PROXIES: "private" });
		for (const forwardedFor of ["127.0.0.1, 203.0.113.9", "<script>, 203.0.113.9", "203.0.113.9"]) {
			const headers = { ...JSON_TYPE, "x-forwarded-for": forwardedFor };
			await post(body, headers, "172.17.0.1");
			await post(body, headers, "172.17.0.1");
		}
		expect(log).not.toHaveBeenCalled();
	});

	it("are not counted by address behind an untrusted proxy, which is logged once", async () => {
		const { post, log } = await openApp(limits);
		const headers = { ...JSON_TYPE, "x-forwarded-for": "192.0.2.1" };
		for (let n = 0; n < 5; n++) {
			expect((await post(body, headers, "127.0.0.1")).status).toBe(n === 0 ? 201 : 409);
		}
		expect(log.mock.calls.map(([, event]) => event)).toEqual(["proxy not trusted"]);
	});
});

describe("a form without JavaScript", () => {
	it("gets a page with the message and the status", async () => {
		const { form } = await openApp();
		for (const [status, html] of [
			[201, "<p>Thanks"],
			[409, "<p>We see you"],
		] as const) {
			const response = await form({ email: "ada@example.com", source: SOURCE });
			expect(response.status).toBe(status);
			expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
			expect(response.headers.get("cache-control")).toBe("no-store");
			expect(response.headers.get("content-security-policy")).toBe("default-src 'none'");
			expect(await response.text()).toBe(html);
		}
	});

	it("gets the form again with the error and what was typed, as text", async () => {
		const { form } = await openApp();
		const response = await form({ email: `{{error}}"><b>&'` });
		expect(response.status).toBe(400);
		expect(await response.text()).toBe(
			`<p>${EMAIL_INVALID}<input value="{{error}}&quot;&gt;&lt;b&gt;&amp;&#39;"><input value="">`,
		);
	});

	it("gets the error page for an empty field too", async () => {
		const { form } = await openApp();
		expect(await (await form({ email: "" })).text()).toContain(EMAIL_MISSING);
		expect(await (await form({})).text()).toContain(EMAIL_MISSING);
	});

	it("gets a placeholder that was typed back as text", () => {
		const pages = {
			registered: "",
			duplicate: "",
			refused: "{{error}} {{email}} {{ref}}",
			headers: {},
		};
		expect(refusedPage(pages, "{{email}}", { email: "{{ref}}", ref: "{{error}}" })).toBe(
			"{{email}} {{ref}} {{error}}",
		);
	});

	it.each([
		{ "sec-fetch-site": "cross-site" },
		{ "sec-fetch-site": "same-site" },
		{ origin: "https://elsewhere.example" },
		{ origin: "null" },
		{ origin: "https://orbit.example:8443", host: "orbit.example" },
		{ origin: "http://localhost", host: "orbit.example" },
		{ origin: "https://orbit.example", host: "orbit.example:80" },
		{ origin: "http://orbit.example", host: "orbit.example:443" },
		{ origin: "https://orbit.example", host: "orbit.example:8443" },
		{ origin: "ftp://orbit.example", host: "orbit.example:443" },
		{ origin: "https://orbit.example", host: "orbit.example:443:443" },
		{ origin: "https://elsewhere.example", host: "orbit.example:443" },
	])("is refused from another site: %j", async (headers) => {
		const { form, file } = await openApp();
		const response = await form({ email: "ada@example.com" }, headers);
		expect(response.status).toBe(403);
		expect(await response.text()).toContain("Please join from our own page.");
		expect(readRows(file)).toEqual([]);
	});

	const page = "https://orbit.example/";
	it.each([
		[`${page}?ref=newsletter`, "newsletter"],
		[`${page}?utm_source=Hacker+News&utm_medium=social`, "Hacker News"],
		[`${page}?utm_source=x&ref=newsletter`, "newsletter"],
		[`${page}?ref=&utm_source=x`, "x"],
		["https://ORBIT.example:443/?ref=%E6%9D%B1", "東"],
		[`${page}?ref=${"x".repeat(9000)}`, SOURCE],
		[`${page}?ref=%00`, SOURCE],
		[page, SOURCE],
		["https://elsewhere.example/?ref=x", SOURCE],
		["not an address?ref=x", SOURCE],
	])("comes from where the address of its page says: %s", async (referer, source) => {
		const { form, file } = await openApp();
		const headers = { host: "orbit.example", referer };
		expect((await form({ email: "ada@example.com" }, headers)).status).toBe(201);
		expect(readRows(file)).toMatchObject([{ source }]);
	});

	it("comes from where its page says behind a proxy that changes the host", async () => {
		const { form, file } = await openApp();
		const headers = { host: "10.0.0.7:3000", "sec-fetch-site": "same-origin" };
		await form({ email: "ada@example.com" }, { ...headers, referer: `${page}?ref=fair` });
		expect(readRows(file)).toMatchObject([{ source: "fair" }]);
	});

	it("keeps the source that it names itself, wherever its page came from", async () => {
		const { form, file } = await openApp();
		const headers = { host: "orbit.example", referer: `${page}?ref=x` };
		await form({ email: "ada@example.com", source: "fair" }, headers);
		expect(readRows(file)).toMatchObject([{ source: "fair" }]);
	});

	it("remembers after an error where the visitor came from, also when limited", async () => {
		const { form } = await openApp({ WAITLIST_GLOBAL_LIMIT: "2/1h" });
		const headers = { host: "orbit.example", referer: `${page}?ref=%22%3E` };
		const hidden = '<input value="&quot;&gt;">';
		const typed = await form({ email: "ada" }, headers);
		expect(await typed.text()).toContain(hidden);
		const again = await form({ email: "ada", ref: '">' }, { host: "orbit.example" });
		expect(await again.text()).toContain(hidden);
		const limited = await form({ email: "ada" }, headers);
		expect(limited.status).toBe(429);
		expect(await limited.text()).toContain(hidden);
		const foreign = await form({ email: "ada" }, { ...headers, origin: "https://x.example" });
		expect(await foreign.text()).toContain('<input value="">');
	});

	it.each([
		{ "sec-fetch-site": "same-origin", origin: "https://behind.a.proxy.example" },
		{ "sec-fetch-site": "none" },
		{ origin: "http://localhost" },
		{ origin: "https://orbit.example", host: "Orbit.Example" },
		{ origin: "https://orbit.example", host: "orbit.example:443" },
		{ origin: "http://orbit.example", host: "Orbit.Example:80" },
		{ origin: "http://[::1]", host: "[::1]:80" },
		{ origin: "https://orbit.example:8443", host: "orbit.example:8443" },
	])("is accepted from our own page: %j", async (headers) => {
		const { form } = await openApp();
		expect((await form({ email: "ada@example.com" }, headers)).status).toBe(201);
	});
});

it("the response to a fault of ours is a sentence, and the fault is logged", async () => {
	const { post, log, waitlist } = await openApp();
	waitlist.join = () => Promise.reject(new Error("a fault"));
	const response = await post('{"email":"a@b.c"}');
	await expectRefusal(response, 500, FAILED_MESSAGE);
	expect(log).toHaveBeenCalledWith("error", "request failed", {
		id: undefined,
		error: new Error("a fault"),
	});
});
