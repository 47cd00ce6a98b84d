import { describe, expect, it } from "vitest";
import { adminRoutes } from "../../../src/server/admin/admin.ts";
import type { Route } from "../../../src/server/admin/responses.ts";
import { runEach } from "../../../src/server/database/sql.ts";
import { auditStatement, readAudit } from "../../../src/server/registrations/audit.ts";
import { kind } from "../../given/kind.ts";
import { openAdmin, openSignedInAdmin } from "./open-admin.ts";

const MARKUP = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;{{x}}`;

const POLICY =
	"default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const paths = adminRoutes.filter(({ method }) => method === "GET").map(({ path }) => path);

describe(`on ${kind}`, () => {
	it("no page has a script, and no policy allows anything unsafe", async () => {
		const { get, link, signIn } = await openAdmin(kind);
		const session = await signIn();
		const pages = paths.filter((path) => !path.includes("."));
		expect(pages.length).toBeGreaterThan(2);
		const asked = [
			...(await Promise.all([...pages, "/nowhere"].map((path) => get(path, session)))),
			...(await Promise.all(["/", "/sign-in/x", await link()].map((path) => get(path)))),
			await get("/", { host: "orbit.example" }),
		];
		for (const { headers, text } of asked) {
			expect(text).toMatch(/^<!doctype html>/);
			expect(text).not.toMatch(/<script|javascript:|\son\w+=|<style|style=|<meta http-equiv/i);
			expect(headers).toMatchObject({
				"content-security-policy": POLICY,
				"cache-control": "no-store",
				"cross-origin-opener-policy": "same-origin",
				"cross-origin-resource-policy": "same-origin",
				"referrer-policy": "same-origin",
				"x-content-type-options": "nosniff",
				"x-frame-options": "DENY",
			});
		}
	});

	it("every path gets the same response without a session", async () => {
		const { get, post } = await openAdmin(kind);
		const { text } = await get("/");
		for (const path of [...paths, "/nowhere", "/people", "/.git/config", "/files.json"]) {
			const answered = await get(path);
			expect([answered.status, answered.text], path).toEqual([403, text]);
		}
		expect((await post("/sign-out-everyone")).text).toBe(text);
	});

	it("markup is shown as text", async () => {
		const { database, get } = await openSignedInAdmin(kind);
		const entry = { session: MARKUP, action: MARKUP, details: MARKUP };
		await database.transact(runEach, [auditStatement(entry, new Date())]);
		const asked = await Promise.all([
			get("/activity"),
			get(`/nowhere?${encodeURIComponent(MARKUP)}`),
			get(`/activity?before=${encodeURIComponent(MARKUP)}`),
		]);
		for (const { text } of asked) expect(text).not.toMatch(/<script|<img src=x|onerror='/);
		expect(asked[0]!.text.split("&lt;script&gt;").length).toBe(4);
	});

	it("an error page reveals no details", async () => {
		const broken: Route = {
			method: "GET",
			path: "/",
			respond: () => Promise.reject(new Error("ada@example.com is broken")),
		};
		const { get, log } = await openSignedInAdmin(kind, { routes: [broken] });
		const { status, text, headers } = await get("/");
		expect([status, headers["content-security-policy"]]).toEqual([500, POLICY]);
		expect(text).not.toContain("broken");
		const error = new Error("(address) is broken");
		expect(log).toHaveBeenCalledWith("error", "request failed", { id: expect.any(String), error });
	});

	it("a failing download is cut off, and only the log says why", async () => {
		const fault = new Error("not ada@example.com");
		async function* download() {
			yield "a,b\r\n";
			throw fault;
		}
		const broken: Route = {
			method: "GET",
			path: "/x.csv",
			respond: () => ({ file: "x.csv", type: "text/csv", download: download() }),
		};
		const { log, origin, session } = await openSignedInAdmin(kind, { routes: [broken] });
		const response = await fetch(`${origin}/x.csv`, { headers: session });
		await expect(response.text()).rejects.toThrow("terminated");
		const failed = log.mock.calls.filter(([, event]) => event === "request failed");
		expect(failed).toEqual([["error", "request failed", { id: expect.any(String), error: fault }]]);
	});
});

it(`the audit trail on ${kind} is shown in pages, and contains no address`, async () => {
	const { database, get } = await openSignedInAdmin(kind);
	const start = Date.parse("2026-11-23T13:00:00.000Z");
	for (let n = 0; n < 250; n++) {
		const details = n % 2 === 0 ? `${n} emails to ada@example.com` : `=${n}, "quoted"`;
		const at = new Date(start + Math.floor(n / 10));
		const entry = { session: "0badcafe", action: "emails held", details };
		await database.transact(runEach, [auditStatement(entry, at)]);
	}
	const all = await readAudit(database, undefined, 300);
	expect(new Set(all.map(({ id }) => id)).size).toBe(252);
	const seen: string[] = [];
	let path = "/activity";
	for (let pages = 1; path; pages++) {
		const { text } = await get(path);
		expect(text).not.toContain("ada@");
		for (const [, details] of text.matchAll(/class="wide">([^<]*)</g)) seen.push(details!);
		path = /href="(\/activity\?before=[^"]+)"/.exec(text)?.[1] ?? "";
		expect(pages).toBeLessThan(4);
	}
	expect(seen).toHaveLength(252);
	expect(seen.filter((details) => details === "248 emails to (address)")).toHaveLength(1);
});
