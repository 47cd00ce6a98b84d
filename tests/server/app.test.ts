import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
	DUPLICATE_ERROR,
	FAILED_MESSAGE,
	JOIN_PATH,
	type JoinRequest,
	SOURCE,
} from "#shared/join.ts";
import { createApp } from "../../src/server/app.ts";
import { admission } from "../../src/server/join/admission.ts";
import { registration } from "../../src/server/join/join.ts";
import { refusedPage } from "../../src/server/join/outcome-pages.ts";
import { readSettings } from "../../src/server/settings.ts";
import { openWaitlist } from "../../src/server/waitlist/open-waitlist.ts";
import { connect, readRows } from "../read-rows.ts";
import { temporaryFolder } from "../temporary.ts";

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

/** The app on a database of its own. */
async function openApp(environment: Record<string, string> = {}) {
	const read = readSettings(environment, "/");
	if ("problems" in read) throw new Error(read.problems.join("\n"));
	const file = join(await temporaryFolder(), "waitlist.db");
	const report = vi.fn();
	const waitlist = await openWaitlist({ kind: "sqlite", file }, report);
	onTestFinished(() => waitlist.close());
	const app = createApp({
		register: registration({
			waitlist,
			outcomePages: {
				registered: "<p>Thanks",
				duplicate: "<p>We see you",
				refused: `<p>{{error}}<input value="{{email}}">`,
				headers: { "content-security-policy": "default-src 'none'" },
			},
			now: () => "2026-11-21T09:30:00.123Z",
			admit: admission(read.settings, report),
			report,
		}),
		isReady: () => waitlist.isReady(),
		report,
	});
	const post = (body: BodyInit, headers: Record<string, string> = JSON_TYPE, peer?: string) =>
		app.request(JOIN_PATH, { method: "POST", headers, body }, { peer });
	const register = (email: string) =>
		post(JSON.stringify({ email, source: SOURCE } satisfies JoinRequest));
	const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
		post(new URLSearchParams(fields).toString(), { ...FORM_TYPE, ...headers });
	return { app, waitlist, file, report, post, register, form };
}

async function expectRefusal(response: Response, status: number, error: string) {
	expect(response.headers.get("content-type")).toBe("application/json");
	expect(response.headers.get("cache-control")).toBe("no-store");
	expect(response.headers.get("x-content-type-options")).toBe("nosniff");
	expect({ status: response.status, body: await response.json() }).toEqual({
		status,
		body: { error },
	});
}

describe("a registration", () => {
	it("is answered with 201 and kept with time, source and the terms shown", async () => {
		const { register, file } = await openApp();
		const response = await register(" Ada@Bücher.example ");
		expect(response.status).toBe(201);
		expect(response.headers.get("cache-control")).toBe("no-store");
		expect(await response.json()).toEqual({ status: "registered" });
		expect(readRows(file)).toEqual([
			{
				key: "ada@xn--bcher-kva.example",
				email: "Ada@Bücher.example",
				source: SOURCE,
				createdAt: "2026-11-21T09:30:00.123Z",
				terms: "2026-11-21",
				flags: "",
			},
		]);
	});

	it.each(["website", "Website"])(
		"is marked when the field nobody sees is filled: %s",
		async (name) => {
			const { post, form, file } = await openApp();
			const json = JSON.stringify({ email: "ada@example.com", [name]: "https://spam.example" });
			expect((await post(json)).status).toBe(201);
			expect((await form({ email: "bob@example.com", [name]: "x" })).status).toBe(201);
			expect((await form({ email: "eve@example.com", [name]: "" })).status).toBe(201);
			const flag = name === "website" ? "trap" : "";
			expect(readRows(file).map(({ flags }) => flags)).toEqual([flag, flag, ""]);
		},
	);

	it("is a duplicate in another case, spelling and spacing", async () => {
		const { register } = await openApp();
		await register("ada@bücher.example");
		for (const email of [
			"ADA@BÜCHER.EXAMPLE",
			"ada@xn--bcher-kva.example.",
			" ada@bücher.example",
		]) {
			await expectRefusal(await register(email), 409, DUPLICATE_ERROR);
		}
	});

	it("may leave its source out", async () => {
		const { post, file } = await openApp();
		expect((await post('{"email":"ada@example.com"}')).status).toBe(201);
		expect(readRows(file)).toMatchObject([{ source: SOURCE }]);
	});

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
		['{"email":""}', "Please enter your email address"],
		['{"email":"  "}', "Please enter your email address"],
		["{}", "Please enter your email address"],
		['{"email":null}', "Please enter your email address"],
		['{"email":{"toString":"x"}}', "Please enter your email address"],
		['{"email":["a@b.c"]}', "Please enter your email address"],
		['{"__proto__":{"email":"a@b.c"}}', "Please enter your email address"],
		['{"email":"ada"}', "Please enter a valid email address"],
		['{"email":"a\\u0000@b.c"}', "Please enter a valid email address"],
		['{"email":"a\\ud800@b.c"}', "Please enter a valid email address"],
		[`{"email":"${"a".repeat(251)}@b.c"}`, "This email address is too long"],
		['{"email":"a@b.c","source":7}', "The source must be 1 to 64 printable characters."],
		['{"email":"a@b.c","source":""}', "The source must be 1 to 64 printable characters."],
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

	it("is larger than 16 kB, by its own word or without one", async () => {
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

	it("is told to come back while the database is locked", async () => {
		const { register, file } = await openApp();
		const other = connect(file);
		other.exec("BEGIN IMMEDIATE");
		const response = await register("ada@example.com");
		expect(response.headers.get("retry-after")).toBe("5");
		await expectRefusal(
			response,
			503,
			"We cannot save your address right now. Please try again in a few seconds.",
		);
		other.close();
		expect((await register("ada@example.com")).status).toBe(201);
	});
});

describe("too many tries", () => {
	const limits = { WAITLIST_ADDRESS_LIMIT: "2/10m", WAITLIST_NETWORK_LIMIT: "3/10m" };
	const body = '{"email":"ada@example.com"}';

	it("are turned away with the time to wait, and nobody else is", async () => {
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

	it("are told to a form as a page", async () => {
		const { form, post } = await openApp({ WAITLIST_GLOBAL_LIMIT: "1/1s" });
		await post(body);
		const response = await form({ email: "ada@example.com" });
		expect(response.status).toBe(429);
		expect(response.headers.get("retry-after")).toBe("1");
		expect(await response.text()).toContain("Please try again in 1 second.");
	});

	it("are counted for the visitor behind a trusted proxy, not for whom she claims to be", async () => {
		const { post } = await openApp({ ...limits, TRUSTED_PROXIES: "127.0.0.1" });
		const statusFor = async (forwardedFor: string) => {
			const headers = { ...JSON_TYPE, "x-forwarded-for": forwardedFor };
			return (await post(body, headers, "127.0.0.1")).status;
		};
		expect(await statusFor("192.0.2.1")).toBe(201);
		expect(await statusFor("198.51.100.1, 192.0.2.1")).toBe(409);
		expect(await statusFor("198.51.100.2, 192.0.2.1")).toBe(429);
		expect(await statusFor("192.0.2.2")).toBe(409);
	});

	it("are not counted by address behind a proxy that is not trusted, which is reported once", async () => {
		const { post, report } = await openApp(limits);
		const headers = { ...JSON_TYPE, "x-forwarded-for": "192.0.2.1" };
		for (let n = 0; n < 5; n++) {
			expect((await post(body, headers, "127.0.0.1")).status).toBe(n === 0 ? 201 : 409);
		}
		expect(report.mock.calls.map(([, event]) => event)).toEqual(["proxy not trusted"]);
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
			`<p>Please enter a valid email address<input value="{{error}}&quot;&gt;&lt;b&gt;&amp;&#39;">`,
		);
	});

	it("gets the page for an empty field too", async () => {
		const { form } = await openApp();
		expect(await (await form({ email: "" })).text()).toContain("Please enter your email address");
		expect(await (await form({})).text()).toContain("Please enter your email address");
	});

	it("is told when to come back while the database is locked", async () => {
		const { form, file } = await openApp();
		const other = connect(file);
		onTestFinished(() => other.close());
		other.exec("BEGIN IMMEDIATE");
		const response = await form({ email: "ada@example.com" });
		expect({ status: response.status, retryAfter: response.headers.get("retry-after") }).toEqual({
			status: 503,
			retryAfter: "5",
		});
		expect(await response.text()).toContain("Please try again in a few seconds.");
	});

	it("gets words that look like places to fill in as they are", () => {
		const pages = { registered: "", duplicate: "", refused: "{{error}} {{email}}", headers: {} };
		expect(refusedPage(pages, "{{email}}", "{{error}}")).toBe("{{email}} {{error}}");
	});

	it.each([
		{ "sec-fetch-site": "cross-site" },
		{ "sec-fetch-site": "same-site" },
		{ origin: "https://elsewhere.example" },
		{ origin: "null" },
		{ origin: "https://orbit.example:8443", host: "orbit.example" },
		{ origin: "http://localhost", host: "orbit.example" },
	])("is refused from another site: %j", async (headers) => {
		const { form, file } = await openApp();
		const response = await form({ email: "ada@example.com" }, headers);
		expect(response.status).toBe(403);
		expect(await response.text()).toContain("Please join from our own page.");
		expect(readRows(file)).toEqual([]);
	});

	it.each([
		{ "sec-fetch-site": "same-origin", origin: "https://behind.a.proxy.example" },
		{ "sec-fetch-site": "none" },
		{ origin: "http://localhost" },
		{ origin: "https://orbit.example", host: "Orbit.Example" },
	])("is taken from our own page: %j", async (headers) => {
		const { form } = await openApp();
		expect((await form({ email: "ada@example.com" }, headers)).status).toBe(201);
	});
});

describe("the API", () => {
	it.each(["GET", "HEAD"])("leads a browser that reads it to the form: %s", async (method) => {
		const { app } = await openApp();
		const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
		const response = await app.request(JOIN_PATH, { method, headers });
		expect(response.status).toBe(303);
		expect(response.headers.get("location")).toBe("/");
		expect(response.headers.get("cache-control")).toBe("no-store");
	});

	it.each(["GET", "PUT", "DELETE", "OPTIONS", "PATCH"])("does not know %s", async (method) => {
		const { app } = await openApp();
		const response = await app.request(JOIN_PATH, { method });
		expect(response.headers.get("allow")).toBe("POST");
		await expectRefusal(response, 405, "Only POST can be used here.");
	});

	it.each(["/api", "/api/", "/api/waitlist", `${JOIN_PATH}/`, "/api/../api/x"])(
		"has nothing at %s",
		async (path) => {
			const { app } = await openApp();
			await expectRefusal(await app.request(path), 404, "There is nothing at this address.");
		},
	);

	it("says that it is alive", async () => {
		const { app } = await openApp();
		const response = await app.request("/healthz");
		expect(response.headers.get("cache-control")).toBe("no-store");
		expect({ status: response.status, body: await response.json() }).toEqual({
			status: 200,
			body: { status: "ok" },
		});
		const refused = await app.request("/healthz", { method: "POST" });
		expect(refused.headers.get("allow")).toBe("GET, HEAD");
	});

	it("says that it is ready, until the waitlist is closed", async () => {
		const { app, waitlist } = await openApp();
		const response = await app.request("/readyz");
		expect({ status: response.status, body: await response.json() }).toEqual({
			status: 200,
			body: { status: "ready" },
		});
		await waitlist.close();
		await expectRefusal(
			await app.request("/readyz"),
			503,
			"This server takes no visitors right now.",
		);
	});

	it("answers a fault of ours with a sentence, and reports it", async () => {
		const { app, report, waitlist } = await openApp();
		waitlist.register = () => Promise.reject(new Error("a fault"));
		const response = await app.request(JOIN_PATH, {
			method: "POST",
			headers: JSON_TYPE,
			body: '{"email":"a@b.c"}',
		});
		await expectRefusal(response, 500, FAILED_MESSAGE);
		expect(report).toHaveBeenCalledWith("error", "request failed", {
			id: undefined,
			error: new Error("a fault"),
		});
	});
});
