import { readFile } from "node:fs/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { brand } from "#brand";
import { DEFAULT_SOURCE, JOIN_PATH } from "#shared/join.ts";
import { errors, words } from "#words";
import { escapeHtml } from "../../../src/server/text/html.ts";
import { readRegistrations } from "../../read-rows.ts";
import { expectJsonError, JSON_HEADERS, openApp } from "../open-app.ts";

const SOURCE_ERROR = "The source must be 1 to 64 printable characters.";
const OBJECT_ERROR = "Please send a JSON object with an email address.";

it("a registration gets 201, and is stored with time, source and the version of the terms", async () => {
	vi.setSystemTime("2026-11-21T09:30:00.123Z");
	onTestFinished(() => void vi.useRealTimers());
	const { joinWith, file } = await openApp();
	const response = await joinWith(" Ada@Bücher.example ");
	expect(response.status).toBe(201);
	expect(response.headers.get("cache-control")).toBe("no-store");
	expect(await response.json()).toEqual({ status: "registered" });
	expect(readRegistrations(file)).toEqual([
		{
			key: "ada@xn--bcher-kva.example",
			email: "Ada@Bücher.example",
			source: DEFAULT_SOURCE,
			joinedAt: "2026-11-21T09:30:00.123Z",
			terms: brand.legalEffectiveDate,
			flag: "",
		},
	]);
});

it("a registration is flagged if the hidden field is filled in, or beyond the limit of its IP address", async () => {
	const { post, form, file } = await openApp({ WAITLIST_ADDRESS_LIMIT: "3/10m" });
	const join = (fields: object) => post(JSON.stringify(fields), JSON_HEADERS, "192.0.2.1");
	const website = "https://spam.example";
	const responses = [
		await form({ email: "ada@example.com", website }),
		await form({ email: "bob@example.com", website: "" }),
		await join({ email: "eve@example.com", website }),
		await join({ email: "nil@example.com", website: null, Website: website }),
		await join({ email: "tim@example.com" }),
		await join({ email: "uma@example.com" }),
		await join({ email: "wim@example.com", website }),
	];
	expect(responses.map(({ status }) => status)).toEqual(Array(7).fill(201));
	const flags = readRegistrations(file).map(({ flag }) => flag);
	expect(flags).toEqual(["honeypot", "", "honeypot", "", "", "burst", "honeypot"]);
});

it("a registration requires a source of visible letters, and ignores an invalid one in a link", async () => {
	const { post, file } = await openApp();
	let visitor = 0;
	const join = (fields: object) =>
		post(JSON.stringify({ email: `${visitor++}@example.com`, ...fields }));
	const seen = ["Büro", "e\u0301", "东京", "№ 7", "-", "❤️", "  a  ", "s".repeat(64)];
	const blank = ["", " ", " \u2800 \u2800", "\u3164", "\ufffc", " \u0301\u0323", "\ufe0f", "\n"];
	blank.push("a\ufffd", "\u{1d159}", "\u{13441}", "\u3164\u0301 ", "s".repeat(65));
	for (const source of seen) expect((await join({ source })).status).toBe(201);
	for (const source of [...blank, 7]) {
		await expectJsonError(await join({ source }), 400, SOURCE_ERROR);
	}
	for (const ref of [...seen, ...blank, "\ud800", 7, null, { ref: "x" }]) {
		expect((await join({ source: DEFAULT_SOURCE, ref })).status).toBe(201);
	}
	expect((await join({})).status).toBe(201);
	expect(readRegistrations(file).map(({ source }) => source)).toEqual([
		...[...seen, ...seen],
		...Array(blank.length + 5).fill(DEFAULT_SOURCE),
	]);
});

it("a registration accepts JSON with a charset and a byte order mark", async () => {
	const { post } = await openApp();
	const response = await post('\ufeff{"email":"ada@example.com"}', {
		"content-type": 'Application/JSON; charset="UTF-8"',
	});
	expect(response.status).toBe(201);
});

it("a refused registration gets a reason", async () => {
	const { post, file } = await openApp();
	for (const [body, error] of [
		['{"email":""}', words.messages.emailMissing],
		["{}", words.messages.emailMissing],
		['{"email":{"toString":"x"}}', words.messages.emailMissing],
		['{"__proto__":{"email":"a@b.c"}}', words.messages.emailMissing],
		['{"email":"ada"}', words.messages.emailInvalid],
		['{"email":"a\\u0000@b.c"}', words.messages.emailInvalid],
		[`{"email":"${"a".repeat(251)}@b.c"}`, words.messages.emailTooLong],
		["", OBJECT_ERROR],
		["null", OBJECT_ERROR],
		['{"email":', OBJECT_ERROR],
		["[".repeat(16_000), OBJECT_ERROR],
	] as const) {
		await expectJsonError(await post(body), 400, error);
	}
	expect(readRegistrations(file)).toEqual([]);
});

it("a registration is refused if it is not UTF-8, of another type, compressed, or larger than 16 kB", async () => {
	const { post } = await openApp();
	const latin = Buffer.from('{"email":"\xff@b.c"}', "latin1");
	await expectJsonError(await post(latin), 400, "Please send an email address as UTF-8.");
	const type = "Please send an email address as JSON (application/json).";
	for (const other of ["text/plain", ""]) {
		await expectJsonError(await post('{"email":"a@b.c"}', { "content-type": other }), 415, type);
	}
	const coding = "Please send an email address without Content-Encoding.";
	await expectJsonError(
		await post("x", { ...JSON_HEADERS, "content-encoding": "gzip" }),
		415,
		coding,
	);
	const start = '{"email":"a@b.c","more":"';
	const ofSize = (bytes: number) => `${start}${"x".repeat(bytes - start.length - 2)}"}`;
	const large = "Request body too large.";
	const announced = { ...JSON_HEADERS, "content-length": String(16 * 1024 + 1) };
	for (const headers of [JSON_HEADERS, announced]) {
		await expectJsonError(await post(ofSize(16 * 1024 + 1), headers), 413, large);
	}
	expect((await post(ofSize(16 * 1024))).status).toBe(201);
});

it("a refused registration gets Retry-After while the database is unavailable, with and without JavaScript", async () => {
	const { joinWith, form, waitlist } = await openApp();
	waitlist.join = async () => "unavailable";
	const sentence = errors.unavailable;
	const response = await joinWith("ada@example.com");
	expect(response.headers.get("retry-after")).toBe("5");
	await expectJsonError(response, 503, sentence);
	const page = await form({ email: "ada@example.com" });
	expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
	expect(await page.text()).toContain(escapeHtml(sentence));
});

it("logs a server error, and responds with a sentence", async () => {
	const { post, log, waitlist } = await openApp();
	waitlist.join = () => Promise.reject(new Error("a fault"));
	const response = await post('{"email":"a@b.c"}');
	await expectJsonError(response, 500, words.messages.failed);
	expect(log).toHaveBeenCalledWith("error", "request failed", {
		id: undefined,
		error: new Error("a fault"),
	});
});

it("the API accepts only POST at its path", async () => {
	const { ask } = await openApp();
	for (const method of ["GET", "PUT", "OPTIONS"]) {
		const response = await ask(JOIN_PATH, { method });
		expect(response.headers.get("allow")).toBe("POST");
		await expectJsonError(response, 405, "Method not allowed: use POST.");
	}
	for (const path of ["/api", "/api/waitlist", `${JOIN_PATH}/`, "/api/../api/x"]) {
		await expectJsonError(await ask(path), 404, "Not found.");
	}
});

it("the API reports that the server is alive, and ready until the waitlist is closed", async () => {
	// Fake timers skip the second that passes between two checks of the database.
	vi.useFakeTimers({ toFake: ["performance"] });
	onTestFinished(() => void vi.useRealTimers());
	const { ask, waitlist } = await openApp();
	const alive = await ask("/healthz");
	expect(alive.headers.get("cache-control")).toBe("no-store");
	expect([alive.status, await alive.json()]).toEqual([200, { status: "ok" }]);
	const refused = await ask("/healthz", { method: "POST" });
	expect(refused.headers.get("allow")).toBe("GET, HEAD");
	const ready = await ask("/readyz");
	expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }]);
	await waitlist.close();
	vi.advanceTimersByTime(1000);
	await expectJsonError(await ask("/readyz"), 503, "This server is not ready.");
});

const tenMinutes = (count: number) => ({ count, periodMs: 600_000 });
const limits = { address: tenMinutes(1), network: tenMinutes(2), burst: tenMinutes(1) };
const body = '{"email":"ada@example.com"}';

it("too many attempts get 429 with the time to wait, without affecting others", async () => {
	const { post } = await openApp({}, limits);
	expect((await post(body, JSON_HEADERS, "192.0.2.1")).status).toBe(201);
	expect((await post(body, JSON_HEADERS, "192.0.2.1")).status).toBe(409);
	const response = await post(body, JSON_HEADERS, "::ffff:192.0.2.1");
	expect(response.headers.get("retry-after")).toBe("600");
	await expectJsonError(response, 429, "Too many attempts. Please try again in 10 minutes.");
	expect((await post(body, JSON_HEADERS, "192.0.2.2")).status).toBe(409);
});

it("requests from another site's page do not count as attempts", async () => {
	const { post } = await openApp({}, limits);
	const headers = { ...JSON_HEADERS, "sec-fetch-site": "cross-site" };
	for (let n = 0; n < 10; n++) {
		expect((await post(body, headers, "192.0.2.1")).status).toBe(403);
	}
	for (const status of [201, 409]) {
		expect((await post(body, JSON_HEADERS, "192.0.2.1")).status).toBe(status);
	}
	expect((await post(body, headers, "192.0.2.1")).status).toBe(403);
	expect((await post(body, JSON_HEADERS, "192.0.2.1")).status).toBe(429);
});

it("attempts from loopback, which may be an unlisted proxy, are not limited by IP address", async () => {
	const { post, log } = await openApp({}, limits);
	for (const peer of ["127.0.0.1", "127.0.0.53", "::1", "::ffff:127.0.0.1"]) {
		for (let n = 0; n < 5; n++) {
			expect((await post(body, JSON_HEADERS, peer)).status).toBeLessThan(429);
		}
	}
	expect(log).not.toHaveBeenCalled();
});

it("attempts count as one visitor's behind a trusted proxy that names no visitor", async () => {
	const { post, log } = await openApp({ TRUSTED_PROXIES: "127.0.0.1" }, limits);
	const headers = { ...JSON_HEADERS, "x-forwarded-for": "192.0.2.1, unknown" };
	for (const status of [201, 409, 429, 429]) {
		expect((await post(body, headers, "127.0.0.1")).status).toBe(status);
	}
	const message = expect.stringMatching(/`waitlist confirm --flag burst`.*add the visitor's/);
	expect(log.mock.calls).toEqual([["info", "burst", { message }]]);
});

it("too many attempts behind an untrusted proxy are logged once", async () => {
	const { post, log } = await openApp({}, limits);
	const headers = { ...JSON_HEADERS, "x-forwarded-for": "192.0.2.1" };
	for (const status of [201, 409, 429, 429]) {
		expect((await post(body, headers, "172.17.0.1")).status).toBe(status);
	}
	expect(log.mock.calls.filter(([, event]) => event !== "burst")).toEqual([
		["error", "proxy not trusted", { message: expect.stringContaining("set TRUSTED_PROXIES") }],
	]);
	expect(JSON.stringify(log.mock.calls)).not.toMatch(/172\.17|192\.0/);
});

const section = /^## The API\n([\s\S]+?)^## /m.exec(await readFile("README.md", "utf8"))![1]!;

const sent = (type: string) => new RegExp(`${type} +(\\S+)`).exec(section)![1]!;

const answered = (status: number) =>
	new RegExp(`^${status} +(\\{.+?)(?:…|  |$)`, "m").exec(section)![1]!;

it("the README's examples get the documented responses", async () => {
	const { post } = await openApp(
		{ WAITLIST_ADDRESS_LIMIT: "3/1h" },
		{ burst: { count: 1, periodMs: 3_600_000 } },
	);
	const json = sent("application/json");
	const ask = async (body: string, headers: Record<string, string> = {}) => {
		const type = { "content-type": "application/json" };
		const response = await post(body, { ...type, ...headers }, "198.51.100.1");
		return { status: response.status, text: await response.text() };
	};
	const foreign = { origin: "https://elsewhere.example" };
	for (const [status, response] of [
		[201, await ask(json)],
		[409, await ask(json)],
		[400, await ask('{"email":"ada"}')],
		[403, await ask(json, foreign)],
	] as const) {
		expect(response.status).toBe(status);
		expect(response.text).toBe(answered(status).trim());
	}
	const form = { "content-type": "application/x-www-form-urlencoded" };
	const page = await ask(sent(form["content-type"]), form);
	expect(page.status).toBe(409);
	expect(page.text).toContain("We see you");
	const limited = await ask(json);
	expect(limited.status).toBe(429);
	expect(limited.text).toContain(answered(429).trim());
});
