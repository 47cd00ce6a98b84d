import { describe, expect, it } from "vitest";
import { HONEYPOT_FIELD, JOIN_PATH, SOURCE } from "#shared/join.ts";
import { NEW_LINK_PATH } from "#shared/links.ts";
import { kind } from "../../../given/kind.ts";
import { startServer } from "../../../server-process.ts";
import type { DatabaseKind } from "../../registrations/databases.ts";
import { openMailDesk } from "../../waves/mail-desk.ts";

const ADA = "ada@example.com";
const OWNER = "198.51.100.7";
const STRANGER = "203.0.113.1";

async function open(kind: DatabaseKind) {
	const desk = await openMailDesk(kind);
	Object.assign(desk.env, {
		TRUSTED_PROXIES: "127.0.0.1",
		WAITLIST_ADDRESS_LIMIT: "2/12h",
	});
	const { url } = await startServer(desk);
	const post = (path: string, from: string, fields: Record<string, string>) =>
		fetch(new URL(path, url), {
			method: "POST",
			headers: { "x-forwarded-for": from },
			body: new URLSearchParams(fields),
		});
	const join = async (email: string, from: string, fields = {}) =>
		(await post(JOIN_PATH, from, { email, source: SOURCE, ...fields })).status;
	return {
		...desk,
		join,
		askForLink: (email: string, from: string) => post(NEW_LINK_PATH, from, { email }),
		async known(email: string) {
			const { registration, emails = [] } = await desk.json(`find ${email}`);
			const asks = emails.map(({ asks }: { asks: number }) => asks);
			return { flag: registration.flag, asks };
		},
		arrivedAt: (email: string) => desk.kept.filter(({ to }) => to === email).length,
	};
}

describe(`joining again on ${kind}`, () => {
	it("clears the flag of the hidden field and emails once, but no flag of the founder and nobody who unsubscribed", async () => {
		const { arrivedAt, join, json, known } = await open(kind);
		const people = [ADA, "by-hand@example.com", "gone@example.com"];
		for (const [n, email] of people.entries())
			expect(await join(email, `203.0.113.${n}`, { [HONEYPOT_FIELD]: "x" })).toBe(201);
		expect(await known(ADA)).toEqual({ flag: "honeypot", asks: [] });
		await json("unblock by-hand@example.com");
		await json("block by-hand@example.com");
		await json("unsubscribe gone@example.com");
		for (const [n, email] of people.entries())
			expect(await join(email, `198.51.100.${n}`)).toBe(409);
		expect(await known("by-hand@example.com")).toEqual({ flag: "operator", asks: [] });
		expect(await known("gone@example.com")).toEqual({ flag: "", asks: [] });
		expect(await known(ADA)).toEqual({ flag: "", asks: [1] });
		await expect.poll(() => arrivedAt(ADA), { interval: 20 }).toBe(1);
		expect(await join("Ada@Example.com", OWNER)).toBe(409);
		expect(await known(ADA)).toEqual({ flag: "", asks: [1] });
	});

	it("or asking for a link clears the flag of a burst, but not from beyond the limit or with the hidden field filled", async () => {
		const { arrivedAt, askForLink, join, known } = await open(kind);
		for (const n of [1, 2]) await join(`other-${n}@example.com`, STRANGER);
		for (const email of [ADA, "eve@example.com"]) expect(await join(email, STRANGER)).toBe(201);
		expect(await join(ADA, STRANGER)).toBe(409);
		expect((await askForLink(ADA, STRANGER)).status).toBe(429);
		expect(await join(ADA, OWNER, { [HONEYPOT_FIELD]: "x" })).toBe(409);
		expect(await known(ADA)).toEqual({ flag: "burst", asks: [] });
		expect(await join(ADA, OWNER)).toBe(409);
		for (const _ of [1, 2])
			expect((await askForLink("eve@example.com", "198.51.100.8")).status).toBe(200);
		for (const email of [ADA, "eve@example.com"]) {
			expect(await known(email)).toEqual({ flag: "", asks: [1] });
			await expect.poll(() => arrivedAt(email), { interval: 20 }).toBe(1);
		}
	});
});
