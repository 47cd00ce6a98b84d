import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { ACTION_FIELD, linkActions, NEW_LINK_PATH } from "#shared/links.ts";
import { createEmailLinks } from "../../../../src/server/mail/links/links.ts";
import { given } from "../../../given/given.ts";
import { kind } from "../../../given/kind.ts";
import { TEST_SECRET } from "../../commands/command-setup.ts";
import { openMailSetup } from "../../waves/mail-setup.ts";

const links = createEmailLinks(TEST_SECRET, { origin: "" });
const personOf = (n: number) => n.toString(16).padStart(32, "0");
const leavePath = (n: number) => links.unsubscribeUrl(personOf(n));

const guess = (name: "confirm" | "unsubscribe") =>
	`/${name}/${randomBytes(name === "confirm" ? 36 : 32).toString("hex")}`;

it("forged links are limited by IP address like joins, and real ones are not", async () => {
	const setup = await openMailSetup("SQLite");
	Object.assign(setup.env, { TRUSTED_PROXIES: "127.0.0.1", WAITLIST_ADDRESS_LIMIT: "5/1h" });
	const { url } = await setup.start();
	const ask = (ip: string, path: string, method: string) =>
		fetch(new URL(path, url), { method, headers: { "x-forwarded-for": ip } });
	const cases = [
		["GET", "confirm"],
		["POST", "confirm"],
		["GET", "unsubscribe"],
		["POST", "unsubscribe"],
	] as const;
	for (const [n, [method, name]] of cases.entries()) {
		const ip = `192.0.2.${n}`;
		for (let tried = 0; tried < 5; tried++) {
			expect((await ask(ip, guess(name), method)).status).toBe(404);
		}
		const limited = await ask(ip, guess(name), method);
		expect(limited.status).toBe(429);
		expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(60);
		expect((await ask(ip, NEW_LINK_PATH, "POST")).status).toBe(429);
		expect((await ask(ip, leavePath(1), "GET")).status).toBe(404);
		expect((await ask("198.51.100.1", leavePath(1), "POST")).status).toBe(404);
	}
});

it(`the links of one person on ${kind} are limited in number, but never to unsubscribe`, async () => {
	const setup = await openMailSetup(kind);
	const { url } = await setup.start();
	const people = [0, 1].map((n) => ({ email: `p${n}@example.com`, id: personOf(n) }));
	await given.people(setup, people);
	const post = (path: string, action?: string) =>
		fetch(new URL(path, url), {
			method: "POST",
			body: new URLSearchParams(action ? { [ACTION_FIELD]: action } : {}),
		});
	const statuses = async (ask: () => Promise<Response>) =>
		new Set((await Promise.all(Array.from({ length: 70 }, ask))).map(({ status }) => status));
	const confirmUrl = new URL(links.confirmUrl(personOf(0), Date.now()), url);
	expect(await statuses(() => fetch(confirmUrl))).toEqual(new Set([200, 429]));
	expect(await statuses(() => post(leavePath(0)))).toEqual(new Set([200]));
	expect((await fetch(new URL(leavePath(1), url))).status).toBe(200);
	const returns: number[] = [];
	for (let n = 0; n < 4; n++) {
		expect((await post(leavePath(1), linkActions.stop)).status).toBe(200);
		returns.push((await post(leavePath(1), linkActions.comeBack)).status);
	}
	expect(returns).toEqual([200, 200, 200, 429]);
});
