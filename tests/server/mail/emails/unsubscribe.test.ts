import { describe, expect, it } from "vitest";
import { NEW_LINK_PATH, UNSUBSCRIBE_PATH } from "#shared/links.ts";
import { kind } from "../../../given/kind.ts";
import { postEmail, startServer } from "../../../server-process.ts";
import type { DatabaseKind } from "../../registrations/databases.ts";
import { linksIn, openMailDesk } from "../../waves/mail-desk.ts";

const soon = { interval: 20 };

const ADA = "ada@example.com";

async function open(kind: DatabaseKind, env: Record<string, string> = {}) {
	const desk = await openMailDesk(kind);
	Object.assign(desk.env, env);
	const { url } = await startServer(desk);
	const ask = (path: string, request?: RequestInit) => fetch(new URL(path, url), request);
	const unsubscribe = (email: string, headers: Record<string, string> = {}) =>
		ask(UNSUBSCRIBE_PATH, { method: "POST", headers, body: new URLSearchParams({ email }) });
	const asked = async (email: string) => {
		const { emails = [] } = await desk.json(`find ${email}`);
		return emails.map(({ kind, asks }: { kind: string; asks: number }) => `${kind} ${asks}`);
	};
	return {
		...desk,
		ask,
		unsubscribe,
		asked,
		arrive: (count: number) => expect.poll(() => desk.kept.length, soon).toBe(count),
		join: async (email: string) => expect((await postEmail(url, email)).status).toBe(201),
	};
}

describe(`the page /unsubscribe on ${kind}`, () => {
	it("emails a link that unsubscribes a person, once in 15 minutes", async () => {
		const { arrive, ask, asked, confirm, join, json, kept, unsubscribe } = await open(kind);
		await join("Ada@Example.com");
		await arrive(1);
		await confirm(ADA);
		expect(await (await unsubscribe(" ADA@example.com ")).text()).toContain("Check your inbox");
		await arrive(2);
		expect(kept[1]!.to).toBe("Ada@example.com");
		await unsubscribe(ADA);
		expect(await asked(ADA)).toEqual(["confirm 1", "unsubscribe 1"]);
		const { leave: link } = await linksIn(kept[1]!);
		expect(await (await ask(link)).text()).toContain("Stop our letters?");
		expect((await json(`find ${ADA}`)).registration.unsubscribedAt).toBe("");
		await ask(link, { method: "POST", body: new URLSearchParams({ action: "stop" }) });
		expect((await json(`find ${ADA}`)).leavings).toMatchObject([{ by: "button" }]);
	});

	it("answers the same for every address, and emails only people on the list", async () => {
		const { arrive, asked, join, json, unsubscribe } = await open(kind);
		await join(ADA);
		await join("gone@example.com");
		await arrive(2);
		await json("unsubscribe gone@example.com");
		const answers = [];
		for (const email of [ADA, "gone@example.com", "nobody@example.com", "", "no address"]) {
			const answer = await unsubscribe(email);
			answers.push(`${answer.status} ${await answer.text()}`);
		}
		expect(new Set(answers).size).toBe(1);
		await arrive(3);
		expect(await asked(ADA)).toEqual(["confirm 1", "unsubscribe 1"]);
		expect(await asked("gone@example.com")).toEqual(["confirm 1"]);
	});

	it("emails a flagged person, who stays flagged, and other spellings of a mailbox that unsubscribed", async () => {
		const { add, arrive, json, kept, unsubscribe } = await open(kind);
		await add("eve@example.com", ADA, "ada+2@example.com");
		await json("block eve@example.com");
		await json(`unsubscribe ${ADA}`);
		await unsubscribe("eve@example.com");
		await unsubscribe("ada+2@example.com");
		await arrive(2);
		expect(kept.map(({ to }) => to).sort()).toEqual(["ada+2@example.com", "eve@example.com"]);
		expect((await json("find eve@example.com")).registration.flag).toBe("operator");
	});

	it("is limited by network as joining is, which stops nobody else", async () => {
		const { arrive, join, unsubscribe } = await open(kind, {
			TRUSTED_PROXIES: "127.0.0.1",
			WAITLIST_ADDRESS_LIMIT: "2/12h",
		});
		await join(ADA);
		const from = (address: string) => ({ "x-forwarded-for": address });
		const statuses = [];
		for (const n of [1, 2, 3]) {
			statuses.push((await unsubscribe(`nobody-${n}@example.com`, from("203.0.113.1"))).status);
		}
		expect(statuses).toEqual([200, 200, 429]);
		expect((await unsubscribe(ADA, from("198.51.100.7"))).status).toBe(200);
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
	expect((await unsubscribe(ADA, { "sec-fetch-site": "cross-site" })).status).toBe(403);
});
