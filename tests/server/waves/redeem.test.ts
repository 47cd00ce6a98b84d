import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	changeRows,
	given,
	PAST_TIME,
	readAllTables,
	readEmails,
	removeRows,
} from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { postJoin, spawnServer, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { createTestDatabase } from "../registrations/databases.ts";
import { API_KEYS, openInvitationSetup, postRedeemRequest } from "./invited.ts";
import { MAIL_SETTINGS } from "./wave-setup.ts";

describe(`redeeming on ${kind}`, () => {
	it("returns the person's data once, for any spelling of code and address", async () => {
		const { addWave, database, invite, redeem, server } = await openInvitationSetup(kind);
		await addWave("beta-1");
		const { code, sentAt } = await invite("Ada@example.com");
		await given.person(database, { email: "ada@example.com", confirmed: true });
		const before = Date.now();
		const typed = ` ${code.toLowerCase().replaceAll("-", " ")} `;
		const answer = await redeem(typed, "ADA@EXAMPLE.com");
		if (answer.status !== "redeemed") throw new Error(answer.status);
		expect(answer).toEqual({
			status: "redeemed",
			email: "Ada@example.com",
			joinedAt: expect.stringMatching(/^\d{4}-.*Z$/),
			source: "landing-page",
			confirmedAt: PAST_TIME,
			invitedAt: sentAt,
			redeemedAt: expect.any(String),
			wave: "beta-1",
		});
		const { redeemedAt } = answer;
		expect(Date.parse(redeemedAt)).toBeGreaterThanOrEqual(before);
		expect(await redeem(code, "ada@example.com")).toEqual({ status: "used", redeemedAt });
		expect(await readEmails(database)).toMatchObject([{ redeemed: redeemedAt }]);
		const stored = JSON.stringify(await readAllTables(database)) + server.output();
		const signs = (text: string) => text.replaceAll("-", "").toLowerCase();
		expect(signs(stored)).not.toContain(signs(code));
	});

	it("is refused for expired codes and canceled waves, but not for paused ones", {
		tags: "slow",
	}, async () => {
		const { addWave, invite, redeem } = await openInvitationSetup(kind);
		await addWave("beta-1", "paused");
		await addWave("beta-2", "canceled");
		const ada = await invite("ada@example.com", { daysAgo: 14.01 });
		const bob = await invite("bob@example.com", { wave: "beta-2" });
		const eve = await invite("eve@example.com", { daysAgo: 13.99 });
		expect(await redeem(ada.code, "ada@example.com")).toEqual({
			status: "gone",
			reason: "expired",
		});
		expect(await redeem(bob.code, "bob@example.com")).toEqual({
			status: "gone",
			reason: "canceled",
		});
		expect(await redeem(eve.code, "eve@example.com")).toMatchObject({
			status: "redeemed",
			confirmedAt: null,
		});
	});

	it("accepts a code as proof of its email if a restored list lacks it", async () => {
		const { addWave, database, invite, redeem, server } = await openInvitationSetup(kind);
		await addWave("beta-1");
		const { code } = await invite("ada@example.com");
		const bob = await invite("bob@example.com");
		const eve = await invite("eve@example.com");
		await removeRows(database, "emails", { to: "ada@example.com" });
		await removeRows(database, "people", { key: "bob@example.com" });
		await changeRows(database, "emails", { state: "waiting", ended: false, expires: false });
		const unknown = { status: "unknown" };
		expect(await redeem(code, "ada@example.com")).toEqual(unknown);
		const restore = async (daysAgo: number) => {
			const until = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
			await changeRows(database, "waves", { created: true });
			await given.gap(database, { until });
			return until;
		};
		await restore(14.01);
		const gone = { status: "gone", reason: "expired" };
		expect(await redeem(eve.code, "eve@example.com")).toEqual(gone);
		await removeRows(database, "emails", { to: "eve@example.com" });
		const until = await restore(13.99);
		const redeemed = { status: "redeemed", wave: "beta-1", invitedAt: until };
		expect(await redeem(code, "ada@example.com")).toMatchObject(redeemed);
		expect(await redeem(code, "ada@example.com")).toMatchObject({ status: "used" });
		expect(await redeem(eve.code, "eve@example.com")).toMatchObject(redeemed);
		expect(await redeem(code, "eve@example.com")).toEqual(unknown);
		expect(await redeem(bob.code, "bob@example.com")).toEqual(unknown);
		await postJoin(server.url, "bob@example.com");
		expect(await redeem(bob.code, "bob@example.com")).toMatchObject(redeemed);
	});

	it("gets the same response if not on the list, not invited, deleted, or with another code", async () => {
		const { addWave, database, invite, server } = await openInvitationSetup(kind);
		await addWave("beta-1");
		const { code } = await invite("ada@example.com");
		const bob = await invite("bob@example.com");
		await postJoin(server.url, "eve@example.com");
		const erased = await invite("gone@example.com");
		await removeRows(database, "emails", { to: "gone@example.com" });
		await removeRows(database, "people", { key: "gone@example.com" });
		const answers = new Set<string>();
		for (const [typed, email] of [
			[code, "nobody@example.com"],
			[code, "eve@example.com"],
			[bob.code, "ada@example.com"],
			[erased.code, "gone@example.com"],
			["not a code", "ada@example.com"],
			[code, "no address"],
		]) {
			const response = await postRedeemRequest(server.url, { code: typed, email });
			const headers = [...response.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name));
			answers.add(JSON.stringify([response.status, headers, await response.json()]));
		}
		expect(answers.size).toBe(1);
		expect([...answers][0]).toMatch(/^\[404,.*\{"status":"unknown","error":"This code /);
		expect(server.output()).not.toMatch(new RegExp(`@example|Bearer|api-key|${code}|${bob.code}`));
	});

	it("happens once for concurrent calls to two servers", async () => {
		const { addWave, invite, redeem, servers } = await openInvitationSetup(kind, { copies: 2 });
		await addWave("beta-1");
		const { code } = await invite("ada@example.com");
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, n) => redeem(code, "ada@example.com", servers[n % 2])),
		);
		const redeemed = answers.filter(({ status }) => status === "redeemed");
		const used = answers.filter(({ status }) => status === "used");
		expect([redeemed.length, used.length]).toEqual([1, 19]);
		const times = answers.map((answer) => "redeemedAt" in answer && answer.redeemedAt);
		expect(new Set(times).size).toBe(1);
	});
});

describe("the call to redeem", () => {
	it("accepts either of two keys, and gets 401 without or with a wrong key", async () => {
		const { server } = await openInvitationSetup("SQLite");
		const ask = async (authorization: string) =>
			postRedeemRequest(server.url, { code: "", email: "" }, { authorization });
		for (const key of API_KEYS) expect((await ask(`Bearer ${key}`)).status).toBe(404);
		expect((await ask(`bearer  ${API_KEYS[0]}`)).status).toBe(404);
		for (const wrong of [
			...["", "Bearer ", `Basic ${API_KEYS[0]}`, `Bearer ${API_KEYS.join(",")}`],
			...[`Bearer ${API_KEYS[0]!.toUpperCase()}`, `Bearer ${"x".repeat(5000)}`],
		]) {
			const answer = await ask(wrong);
			expect(answer.status, wrong).toBe(401);
			expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="waitlist"');
			expect(await answer.json()).toEqual({
				error: "Missing or wrong API key: send Authorization: Bearer <key>.",
			});
		}
	});

	it("limits wrong keys by IP address like joins, but never right ones", async () => {
		const { server } = await openInvitationSetup("SQLite", {
			env: { TRUSTED_PROXIES: "127.0.0.1", WAITLIST_ADDRESS_LIMIT: "5/1h" },
		});
		const from = (ip: string, key: string) =>
			postRedeemRequest(
				server.url,
				{ code: "", email: "" },
				{ "x-forwarded-for": ip, authorization: `Bearer ${key}` },
			);
		for (let n = 0; n < 5; n++) expect((await from("192.0.2.1", "wrong")).status).toBe(401);
		const limited = await from("192.0.2.1", "wrong");
		expect(limited.status).toBe(429);
		expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(60);
		expect((await from("192.0.2.2", "wrong")).status).toBe(401);
		expect((await from("192.0.2.1", API_KEYS[0]!)).status).toBe(404);
	});

	it("reads code and email as JSON, and reports invalid input", async () => {
		const { server } = await openInvitationSetup("SQLite");
		const object = "Please send a JSON object with a code and an email address.";
		const form = { "content-type": "application/x-www-form-urlencoded" };
		for (const [body, status, error, headers] of [
			["[]", 400, object],
			[{ code: 1, email: "a@example.com" }, 400, object],
			['{"__proto__":{"code":"x","email":"a@example.com"}}', 400, object],
			[{ code: "x".repeat(20_000), email: "" }, 413, "Request body too large."],
			["code=x", 415, "Please send a code and an email address as JSON (application/json).", form],
		] as const) {
			const answer = await postRedeemRequest(server.url, body, headers);
			expect([answer.status, await answer.json()]).toEqual([status, { error }]);
		}
		const get = await fetch(new URL("/api/invitations/redeem", server.url));
		expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
	});

	it("gets 503 with Retry-After during a database outage", async () => {
		const { addWave, invite, server } = await openInvitationSetup("SQLite");
		await addWave("beta-1");
		const { code } = await invite("ada@example.com");
		await rm(server.file);
		const answer = await postRedeemRequest(server.url, { code, email: "ada@example.com" });
		expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
		expect(server.output()).not.toContain(code);
	});
});

describe("a server that redeems and sends no emails", () => {
	const WAITLIST_API_KEY = API_KEYS[0]!;

	it("needs the key that signs codes, and names its setting", async () => {
		const { env, folder } = await createTestDatabase("PostgreSQL");
		const server = spawnServer({ folder, env: { ...env, WAITLIST_API_KEY } });
		expect(await server.ended).toBe(1);
		expect(server.output()).toMatch(
			/^Set WAITLIST_SECRET to a secret .* the same for every server and command/,
		);
	});

	it("creates the key next to the SQLite file, and refuses to start with another", {
		tags: "slow",
	}, async () => {
		const { folder } = await createTestDatabase("SQLite");
		const server = await startServer({ folder, env: { WAITLIST_API_KEY } });
		server.process.kill("SIGTERM");
		expect(await server.ended).toBe(0);
		const sending = await startServer({ folder, env: MAIL_SETTINGS });
		await postJoin(sending.url, "ada@example.com");
		sending.process.kill("SIGTERM");
		expect(await sending.ended).toBe(0);
		const other = { WAITLIST_API_KEY, WAITLIST_SECRET: "x".repeat(32) };
		const wrong = spawnServer({ folder, env: other });
		expect(await wrong.ended).toBe(1);
		expect(wrong.output()).toMatch(
			/^This list belongs to the key with the fingerprint [0-9a-f]{32}, but the key here has the fingerprint /m,
		);
		await rm(join(folder, "data/waitlist.db.key"));
		const without = spawnServer({ folder, env: { WAITLIST_API_KEY } });
		expect(await without.ended).toBe(1);
		expect(without.output()).toMatch(
			/ but there is no key here\. .* or put it into .*waitlist\.db\.key\. /,
		);
	});

	it("serves the invitation page, and gets 404 for both URLs without its setting", async () => {
		const { server } = await openInvitationSetup("SQLite");
		const page = await fetch(new URL("/invitation", server.url));
		expect(page.status).toBe(200);
		const other = await startServer({ folder: await temporaryFolder() });
		expect((await fetch(new URL("/invitation", other.url))).status).toBe(404);
		const answer = await postRedeemRequest(other.url, { code: "", email: "" });
		expect([answer.status, await answer.json()]).toEqual([404, { error: "Not found." }]);
	});
});
