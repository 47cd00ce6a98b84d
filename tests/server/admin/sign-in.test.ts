import { describe, expect, it } from "vitest";
import { readAllTables } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { openAdmin } from "./open-admin.ts";

const OTHER_SECRET = "the secret of another installation";

describe(`on ${kind}`, () => {
	it.each(["SQLite", "PostgreSQL"] as const)(
		"a link signs in once, and opening it uses nothing up, on %s",
		async (kind) => {
			const { get, link, post } = await openAdmin(kind);
			const path = await link();
			// Mail programs may include the punctuation after a link.
			for (const end of ["", ".", "/", "%3E"]) {
				const { status, text } = await get(path + end);
				expect([status, text.includes("Sign in</button>")]).toEqual([200, true]);
			}
			const answers = await Promise.all(Array.from({ length: 8 }, () => post(path)));
			expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(403)]);
			const signedIn = answers.find(({ status }) => status === 303)!;
			const cookie = signedIn.headers["set-cookie"]!;
			expect(cookie).toMatch(
				/^admin-[\da-f]{12}=[\da-f]{52}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
			);
			expect(signedIn.headers.location).toBe("/");
			expect((await get("/", { cookie: cookie.split(";")[0]! })).status).toBe(200);
			expect((await get(path)).text).toContain("This link no longer works");
		},
	);

	it("links expire after five minutes, and sessions after twelve hours", async () => {
		const { get, later, link, post, signIn } = await openAdmin(kind);
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
		expect([status, text.includes("waitlist admin")]).toEqual([403, true]);
	});

	it("one button ends a session, and another ends all of them", async () => {
		const { get, link, post, signIn } = await openAdmin(kind);
		const [one, two, three] = [await signIn(), await signIn(), await signIn()];
		const states = async () =>
			Promise.all([one, two, three].map(async (session) => (await get("/", session)).status));
		const out = await post("/sign-out", two);
		expect(out.headers["set-cookie"]).toMatch(/^admin-[\da-f]{12}=; Max-Age=0;/);
		expect(await states()).toEqual([200, 403, 200]);
		const unused = await link();
		expect((await post("/sign-out-everyone", three)).status).toBe(303);
		expect(await states()).toEqual([403, 403, 403]);
		expect((await post(unused)).status).toBe(403);
		expect((await get("/", await signIn())).status).toBe(200);
	});

	it("the database contains nothing that signs in", async () => {
		const { database, link, signIn } = await openAdmin(kind);
		const tokens = [(await link()).split("/").at(-1)!, (await signIn()).cookie.split("=")[1]!];
		const { notes, audit } = await readAllTables(database);
		const stored = JSON.stringify([notes, audit]);
		expect(stored).toContain("signed in");
		// No signature may be stored. Signatures start at character 20, after the id and the time.
		for (const token of tokens) expect(stored).not.toContain(token.slice(20));
	});

	it("forged cookies are invalid, and a forged link gets the same response as a used one", async () => {
		const { get, link, post, signIn } = await openAdmin(kind);
		const other = await openAdmin(kind, { secret: OTHER_SECRET });
		const { cookie } = await signIn();
		const [name, token] = cookie.split("=") as [string, string];
		const [otherName, otherToken] = (await other.signIn()).cookie.split("=") as [string, string];
		expect(otherName).not.toBe(name);
		const forgeries = [
			...[otherToken, (await link()).split("/").at(-1)!, `${token}A`, token.slice(1), "", "="],
			...[`${token.slice(0, -1)}${token.at(-1) === "0" ? "1" : "0"}`, "%00", "a".repeat(4000)],
		];
		for (const forged of forgeries) {
			expect((await get("/", { cookie: `${name}=${forged}` })).status, forged).toBe(403);
		}
		expect((await get("/", { cookie: `${otherName}=${token}` })).status).toBe(403);
		expect((await get("/", { cookie: `x=y; ${cookie}` })).status).toBe(200);

		const [used, forged] = [await link(), await other.link()];
		await post(used);
		const { text } = await get(used);
		expect(await get(forged)).toMatchObject({ status: 403, text });
		expect(await post(forged)).toMatchObject({ status: 403, text });
	});

	it("behind TLS, only the proxy's origin is accepted, and the cookie is limited to this host and TLS", async () => {
		const origin = "https://admin.orbit.example";
		const { get, link, port, post } = await openAdmin(kind, { origin });
		const { headers, status } = await post(await link());
		expect(status).toBe(303);
		expect(headers["set-cookie"]).toMatch(
			/^__Host-admin-.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
		);
		expect(headers["strict-transport-security"]).toMatch(/^max-age=/);
		const cookie = headers["set-cookie"]!.split(";")[0]!;
		expect((await get("/", { cookie })).status).toBe(200);
		expect((await get("/", { cookie: cookie.replace("__Host-", "") })).status).toBe(403);
		for (const host of [`127.0.0.1:${port}`, "orbit.example"]) {
			expect((await get("/", { cookie, host })).status, host).toBe(403);
		}
	});
});
