import { describe, expect, it } from "vitest";
import { DEFAULT_SOURCE, HONEYPOT_FIELD, JOIN_PATH } from "#shared/join.ts";
import { NEW_LINK_PATH, UNSUBSCRIBE_PATH } from "#shared/links.ts";
import { kind } from "../../../given/kind.ts";
import { startServer } from "../../../server-process.ts";
import type { DatabaseKind } from "../../registrations/databases.ts";
import { openMailSetup, readEmailLinks } from "../../waves/mail-setup.ts";

const soon = { interval: 20 };
const ADA = "ada@example.com";
const EVE = "eve@example.com";
const GONE = "gone@example.com";
const OWNER = "198.51.100.7";
const STRANGER = "203.0.113.1";

async function open(kind: DatabaseKind, limit = "20/12h") {
	const setup = await openMailSetup(kind);
	Object.assign(setup.env, { TRUSTED_PROXIES: "127.0.0.1", WAITLIST_ADDRESS_LIMIT: limit });
	const { url } = await startServer(setup);
	const ask = (path: string, request?: RequestInit) => fetch(new URL(path, url), request);
	const post = (path: string, from: string, fields: Record<string, string>, headers = {}) =>
		ask(path, {
			method: "POST",
			headers: { "x-forwarded-for": from, ...headers },
			body: new URLSearchParams(fields),
		});
	return {
		...setup,
		ask,
		join: async (email: string, from = OWNER, fields = {}) =>
			(await post(JOIN_PATH, from, { email, source: DEFAULT_SOURCE, ...fields })).status,
		askForLink: (email: string, from: string) => post(NEW_LINK_PATH, from, { email }),
		unsubscribe: (email: string, from = OWNER, headers = {}) =>
			post(UNSUBSCRIBE_PATH, from, { email }, headers),
		async known(email: string) {
			const { registration, emails = [] } = await setup.json(`find ${email}`);
			const asks = emails.map(
				({ kind, asks }: { kind: string; asks: number }) => `${kind} ${asks}`,
			);
			return [registration.flag, ...asks];
		},
		arrive: (count: number) => expect.poll(() => setup.kept.length, soon).toBe(count),
		arrivedAt: (email: string) => setup.kept.filter(({ to }) => to === email).length,
	};
}

describe(`joining again on ${kind}`, () => {
	it("clears the hidden field's flag and sends one email, but changes nothing for blocked and unsubscribed people", async () => {
		const { arrivedAt, join, json, known } = await open(kind, "2/12h");
		const people = [ADA, EVE, GONE];
		for (const [n, email] of people.entries())
			expect(await join(email, `203.0.113.${n}`, { [HONEYPOT_FIELD]: "x" })).toBe(201);
		expect(await known(ADA)).toEqual(["honeypot"]);
		await json(`unblock ${EVE}`);
		await json(`block ${EVE}`);
		await json(`unsubscribe ${GONE}`);
		for (const [n, email] of people.entries())
			expect(await join(email, `198.51.100.${n}`)).toBe(409);
		expect(await known(EVE)).toEqual(["founder"]);
		expect(await known(GONE)).toEqual([""]);
		expect(await known(ADA)).toEqual(["", "confirm 1"]);
		await expect.poll(() => arrivedAt(ADA), soon).toBe(1);
		expect(await join("Ada@Example.com")).toBe(409);
		expect(await known(ADA)).toEqual(["", "confirm 1"]);
	});

	it("or requesting a link clears the burst flag, except beyond the limit or with the hidden field filled", async () => {
		const { arrivedAt, askForLink, join, known } = await open(kind, "2/12h");
		for (const n of [1, 2]) await join(`other-${n}@example.com`, STRANGER);
		for (const email of [ADA, EVE]) expect(await join(email, STRANGER)).toBe(201);
		expect(await join(ADA, STRANGER)).toBe(409);
		expect((await askForLink(ADA, STRANGER)).status).toBe(429);
		expect(await join(ADA, OWNER, { [HONEYPOT_FIELD]: "x" })).toBe(409);
		expect(await known(ADA)).toEqual(["burst"]);
		expect(await join(ADA)).toBe(409);
		for (const _ of [1, 2]) expect((await askForLink(EVE, "198.51.100.8")).status).toBe(200);
		for (const email of [ADA, EVE]) {
			expect(await known(email)).toEqual(["", "confirm 1"]);
			await expect.poll(() => arrivedAt(email), soon).toBe(1);
		}
	});
});

describe(`the page /unsubscribe on ${kind}`, () => {
	it("emails a link that unsubscribes a person, once in 15 minutes", async () => {
		const { arrive, ask, confirm, join, json, kept, known, unsubscribe } = await open(kind);
		await join("Ada@Example.com");
		await arrive(1);
		await confirm(ADA);
		expect(await (await unsubscribe(" ADA@example.com ")).text()).toContain("Check your inbox");
		await arrive(2);
		expect(kept[1]!.to).toBe("Ada@example.com");
		await unsubscribe(ADA);
		expect(await known(ADA)).toEqual(["", "confirm 1", "unsubscribe 1"]);
		const { unsubscribe: link } = await readEmailLinks(kept[1]!);
		expect(await (await ask(link)).text()).toContain("Unsubscribe?");
		expect((await json(`find ${ADA}`)).registration.unsubscribedAt).toBe("");
		await ask(link, { method: "POST", body: new URLSearchParams({ action: "stop" }) });
		expect((await json(`find ${ADA}`)).unsubscribes).toMatchObject([{ by: "button" }]);
	});

	it("gets the same response for every address, and emails only people on the list", async () => {
		const { arrive, join, json, known, unsubscribe } = await open(kind);
		await join(ADA);
		await join(GONE);
		await arrive(2);
		await json(`unsubscribe ${GONE}`);
		const answers = [];
		for (const email of [ADA, GONE, "nobody@example.com", "", "no address"]) {
			const answer = await unsubscribe(email);
			answers.push(`${answer.status} ${await answer.text()}`);
		}
		expect(new Set(answers).size).toBe(1);
		await arrive(3);
		expect(await known(ADA)).toEqual(["", "confirm 1", "unsubscribe 1"]);
		expect(await known(GONE)).toEqual(["", "confirm 1"]);
	});

	it("emails a flagged person, who stays flagged, and other spellings of a mailbox that unsubscribed", async () => {
		const { add, arrive, json, kept, known, unsubscribe } = await open(kind);
		await add(EVE, ADA, "ada+2@example.com");
		await json(`block ${EVE}`);
		await json(`unsubscribe ${ADA}`);
		await unsubscribe(EVE);
		await unsubscribe("ada+2@example.com");
		await arrive(2);
		expect(kept.map(({ to }) => to).sort()).toEqual(["ada+2@example.com", EVE]);
		expect((await known(EVE))[0]).toBe("founder");
	});

	it("is limited by network like joins, without affecting others", async () => {
		const { arrive, join, unsubscribe } = await open(kind, "2/12h");
		await join(ADA);
		const statuses = [];
		for (const n of [1, 2, 3]) {
			statuses.push((await unsubscribe(`nobody-${n}@example.com`, STRANGER)).status);
		}
		expect(statuses).toEqual([200, 200, 429]);
		expect((await unsubscribe(ADA)).status).toBe(200);
		await arrive(2);
	});
});

it("/unsubscribe has a form without script, is not listed, is linked from expired links, and takes no post of another site", async () => {
	const { ask, unsubscribe } = await open("SQLite");
	const page = await ask(UNSUBSCRIBE_PATH);
	expect(page.status).toBe(200);
	expect(page.headers.get("x-robots-tag")).toBe("noindex");
	const text = await page.text();
	expect(text).toContain(`<form class="form" action="${UNSUBSCRIBE_PATH}" method="post">`);
	expect(text).not.toContain("<script");
	expect(await (await ask(NEW_LINK_PATH)).text()).toContain(`href="${UNSUBSCRIBE_PATH}"`);
	expect((await ask(UNSUBSCRIBE_PATH, { method: "PUT" })).status).toBe(405);
	expect((await unsubscribe(ADA, OWNER, { "sec-fetch-site": "cross-site" })).status).toBe(403);
});
