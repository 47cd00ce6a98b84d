import { once } from "node:events";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { createOfficeKeys } from "../../../src/server/office/keys.ts";
import { endAllSessions } from "../../../src/server/office/sessions.ts";
import { everythingIn } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { asForm, openOffice } from "./open-office.ts";

const cluster = usePostgres();

describe(`on ${kind}`, () => {
	it.each(["SQLite", "PostgreSQL"] as const)(
		"a link signs in once, and opening it uses nothing up, on %s",
		async (kind) => {
			const { get, link, post } = await openOffice(kind, cluster());
			const path = await link();
			for (let n = 0; n < 3; n++) {
				const { status, text } = await get(path);
				expect([status, text.includes("Open the office")]).toEqual([200, true]);
			}
			const answers = await Promise.all(Array.from({ length: 8 }, () => post(path)));
			expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(403)]);
			const signedIn = answers.find(({ status }) => status === 303)!;
			const cookie = signedIn.headers["set-cookie"]!;
			expect(cookie).toMatch(
				/^office-[\da-f]{12}=[\da-f]{96}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
			);
			expect(signedIn.headers.location).toBe("/");
			expect((await get("/", { cookie: cookie.split(";")[0]! })).status).toBe(200);
			expect((await get(path)).text).toContain("This link is used up");
		},
	);

	it("a link is over after five minutes, and a session after twelve hours", async () => {
		const { get, later, link, post, signIn } = await openOffice(kind, cluster());
		const [early, late] = [await link(), await link()];
		later(4.9);
		expect((await post(early)).status).toBe(303);
		later(0.1);
		expect((await get(late)).status).toBe(403);
		expect((await post(late)).status).toBe(403);
		const session = await signIn();
		later(12 * 60 - 0.1);
		expect((await get("/", session)).status).toBe(200);
		later(0.1);
		const { status, text } = await get("/", session);
		expect([status, text.includes("waitlist office")]).toEqual([403, true]);
	});

	it("a link and a session by a clock that was ten years ahead open nothing", async () => {
		const { get, later, link, post, signIn } = await openOffice(kind, cluster());
		const tenYears = 10 * 365 * 24 * 60;
		later(tenYears);
		const [unused, session] = [await link(), await signIn()];
		later(-tenYears);
		expect((await get(unused)).status).toBe(403);
		expect((await post(unused)).status).toBe(403);
		expect((await get("/", session)).status).toBe(403);
	});

	it("a session ends by itself, by another one, and with all of them", async () => {
		const { database, get, link, post, signIn } = await openOffice(kind, cluster());
		const [one, two, three] = [await signIn("First"), await signIn("Second"), await signIn()];
		const list = await get("/sessions", two);
		const id = /value="([\da-f]{8})"[^>]*>End<\/button><\/form><\/td>\s*<\/tr>/;
		const rows = list.text.split("<tr>").filter((row) => row.includes("First"));
		expect(rows).toHaveLength(1);
		await post("/sessions/end", two, `id=${id.exec(rows[0]!)![1]}`);
		const states = async () =>
			Promise.all([one, two, three].map(async (session) => (await get("/", session)).status));
		expect(await states()).toEqual([403, 200, 200]);
		const out = await post("/sign-out", two);
		expect(out.headers["set-cookie"]).toMatch(/^office-[\da-f]{12}=; Max-Age=0;/);
		expect(await states()).toEqual([403, 403, 200]);
		const unused = await link();
		await post("/sessions/end-all", three);
		expect(await states()).toEqual([403, 403, 403]);
		expect((await post(unused)).status).toBe(403);
		expect(await endAllSessions(database, { by: "command", now: new Date() })).toBe(0);
	});

	it("a session that ends while its form is on the way does nothing more", async () => {
		const { get, origin, port, post, signIn } = await openOffice(kind, cluster());
		const [stolen, own] = [await signIn(), await signIn()];
		const headers = asForm(origin, { ...stolen, "content-length": "4", expect: "100-continue" });
		const asking = request({ port, path: "/sessions/end-all", method: "POST", headers });
		asking.flushHeaders();
		await once(asking, "continue");
		expect((await post("/sign-out", stolen)).status).toBe(303);
		const answered = once(asking, "response");
		asking.end("id=x");
		const [response] = await answered;
		response.resume();
		expect(response.statusCode).toBe(403);
		expect((await get("/", own)).status).toBe(200);
	});

	it("the database holds nothing that signs in", async () => {
		const { database, link, signIn } = await openOffice(kind, cluster());
		const path = await link();
		const { cookie } = await signIn();
		const { signInLinks, sessions, audit } = await everythingIn(database);
		const stored = JSON.stringify([signInLinks, sessions, audit]);
		expect([signInLinks.length, sessions.length]).toEqual([1, 1]);
		for (const secret of [path.split("/").at(-1)!, cookie.split("=")[1]!]) {
			for (const form of ["hex", "base64", "base64url"] as const) {
				const random = Buffer.from(secret, "hex").subarray(0, 32).toString(form);
				expect(stored).not.toContain(random.slice(0, 20));
			}
		}
	});

	it("cookies that we did not sign open nothing, and do not hide the one that we did", async () => {
		const { get, keys, signIn } = await openOffice(kind, cluster());
		const { cookie } = await signIn();
		const [name, token] = cookie.split("=") as [string, string];
		expect(name).toBe(keys.cookie);
		// Another program of this machine sets a cookie of our name.
		const other = createOfficeKeys("another secret of another installation");
		const forgeries = [
			...[other.sessions.make(), keys.links.make(), `${token}A`, token.slice(1), "", "="],
			...[`${token.slice(0, -1)}${token.at(-1) === "0" ? "1" : "0"}`, "%00", "a".repeat(4000)],
		];
		for (const forged of forgeries) {
			expect((await get("/", { cookie: `${name}=${forged}` })).status, forged).toBe(403);
		}
		const before = `${name}=${forgeries[0]}; x=y; ${name}=; ${cookie}`;
		expect((await get("/", { cookie: before })).status).toBe(200);
		// As many as fit into a header, of which some were signed for sessions that are over.
		const past = Array.from({ length: 40 }, () => `${name}=${keys.sessions.make()}`);
		const forged = Array.from({ length: 90 }, () => `${name}=${other.sessions.make()}`);
		const full = [...forged, ...past, cookie].join("; ");
		expect(full.length).toBeLessThan(16_384);
		expect((await get("/list", { cookie: full })).status).toBe(200);
		expect((await get("/list", { cookie: [...forged, ...past].join("; ") })).status).toBe(403);
		expect(other.cookie).not.toBe(keys.cookie);
		expect((await get("/", { cookie: `${other.cookie}=${token}` })).status).toBe(403);
	});

	it("another secret ends every session and link", async () => {
		const { database, link, signIn } = await openOffice(kind, cluster());
		const [path, { cookie }] = [await link(), await signIn()];
		const secret = "the operator's new secret, in tests";
		const changed = await openOffice(kind, cluster(), { database, secret });
		const token = cookie.split("=")[1]!;
		expect((await changed.get("/", { cookie: `${changed.keys.cookie}=${token}` })).status).toBe(
			403,
		);
		expect((await changed.get("/", { cookie })).status).toBe(403);
		expect((await changed.post(path)).status).toBe(403);
	});

	it("forged links are limited, and a right one is not", async () => {
		const { get, link, log, post } = await openOffice(kind, cluster());
		const other = createOfficeKeys("another secret of another installation");
		const statuses: number[] = [];
		for (let n = 0; n < 15; n++) {
			statuses.push((await get(`/sign-in/${other.links.make()}`)).status);
			statuses.push((await post(`/sign-in/${other.links.make()}`)).status);
		}
		expect(new Set(statuses.slice(0, 20))).toEqual(new Set([403]));
		expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
		const { headers } = await post("/sign-in/x");
		expect(Number(headers["retry-after"])).toBeGreaterThan(0);
		expect((await post(await link())).status).toBe(303);
		const said = log.mock.calls.filter(([, event]) => event === "office refused");
		expect(said).toEqual([["error", "office refused", { id: expect.any(String), reason: "link" }]]);
	});

	it("behind TLS the cookie is for this very host and for TLS alone", async () => {
		const { get, link, post } = await openOffice(kind, cluster(), {
			origin: "https://office.orbit.example",
		});
		const { headers, status } = await post(await link());
		expect(status).toBe(303);
		expect(headers["set-cookie"]).toMatch(
			/^__Host-office-.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
		);
		expect(headers["strict-transport-security"]).toMatch(/^max-age=/);
		const cookie = headers["set-cookie"]!.split(";")[0]!;
		expect((await get("/", { cookie })).status).toBe(200);
		expect((await get("/", { cookie: cookie.replace("__Host-", "") })).status).toBe(403);
	});
});
