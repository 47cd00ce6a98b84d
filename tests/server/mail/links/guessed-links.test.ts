import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { NEW_LINK_PATH } from "#shared/links.ts";
import { createLinks } from "../../../../src/server/mail/links/links.ts";
import { ERASURE_KEY } from "../../commands/desk.ts";
import { openMailDesk } from "../../waves/mail-desk.ts";

const links = createLinks(ERASURE_KEY, { origin: "" });

/** A path of the form that links have, which nobody was sent. */
const guess = (name: "confirm" | "leave") =>
	`/${name}/${randomBytes(name === "confirm" ? 36 : 32).toString("hex")}`;

/** Whom nobody knows. */
const person = "0".repeat(31).concat("1");

/** A server behind a proxy, with five tries an hour for each address. */
async function open() {
	const desk = await openMailDesk("SQLite");
	Object.assign(desk.env, { TRUSTED_PROXIES: "127.0.0.1", WAITLIST_ADDRESS_LIMIT: "5/1h" });
	const server = await desk.start();
	return (ip: string, path: string, method: string) =>
		fetch(new URL(path, server.url), { method, headers: { "x-forwarded-for": ip } });
}

it("links that nobody was sent are limited for each address, as joins are, and genuine ones are not", async () => {
	const ask = await open();
	for (const [n, [method, name]] of [
		["GET", "confirm"],
		["POST", "confirm"],
		["GET", "leave"],
		["POST", "leave"],
	].entries() as ArrayIterator<[number, [string, "confirm" | "leave"]]>) {
		const ip = `192.0.2.${n}`;
		for (let tried = 0; tried < 5; tried++) {
			expect((await ask(ip, guess(name), method)).status).toBe(404);
		}
		const limited = await ask(ip, guess(name), method);
		expect(limited.status).toBe(429);
		expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(60);
		expect((await ask(ip, NEW_LINK_PATH, "POST")).status).toBe(429);
		expect((await ask(ip, links.unsubscribeUrl(person), "GET")).status).toBe(404);
		expect((await ask("198.51.100.1", links.unsubscribeUrl(person), "POST")).status).toBe(404);
	}
});
