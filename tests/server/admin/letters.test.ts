import { describe, expect, it } from "vitest";
import { UNTIL_RELEASED } from "../../../src/server/mail/rate/pauses.ts";
import { allOfAudit } from "../../../src/server/registrations/audit.ts";
import { emailsOf, given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { MAIL } from "../waves/wave-desk.ts";
import { openOffice } from "./open-office.ts";

const cluster = usePostgres();

const LATER = "2026-11-23T15:00:00.000Z";

describe(`the letters of the office on ${kind}`, () => {
	it("say that no mail is set up, and nothing can be planned", async () => {
		const { get, post, signIn } = await openOffice(kind, cluster());
		const session = await signIn();
		for (const path of ["/letters", "/letters/new"]) {
			const { status, text } = await get(path, session);
			expect([status, text], path).toEqual([200, expect.stringContaining("No mail is set up")]);
			expect(text).not.toContain('action="/letters/new"');
		}
		expect((await post("/letters/new", session, "name=a")).status).toBe(409);
	});

	it("say what stops them, and until when", async () => {
		const env = { ...MAIL, WAITLIST_MAIL_WARM_UP: "10,20/1d" };
		const { database, get, signIn } = await openOffice(kind, cluster(), { env });
		const session = await signIn();
		const text = async () => (await get("/letters", session)).text;
		expect(await text()).toContain("Nothing stops letters.");
		expect(await text()).toContain("Step 1 of 2 of WAITLIST_MAIL_WARM_UP");
		const pause = (cause: string, pausedUntil: string) =>
			given.outbox(database, { pausedUntil, reason: `550 <b>${cause}</b>`, cause });
		for (const [cause, words] of [
			["unreachable", "The mail server cannot be reached."],
			["refused", "The mail server refuses letters."],
			["quota", "quota is used up."],
		] as const) {
			await pause(cause, LATER);
			const shown = await text();
			expect(shown).toContain(words);
			expect(shown).toContain(`550 &lt;b&gt;${cause}`);
			expect(shown).toContain('until <time datetime="2026-11-23T15:00');
			expect(shown).not.toContain("Nothing stops letters.");
		}
		await pause("operator", UNTIL_RELEASED);
		expect(await text()).toContain("Paused until you say so.");
		await pause("operator", "");
		await given.outbox(database, { confirmedSlowed: 4 });
		expect(await text()).toContain("go out at 1/4 of the rate");
	});

	it("that are unknown are shown a page at a time, and sent again as chosen", async () => {
		const office = await openOffice(kind, cluster(), { env: MAIL });
		const { database, get, later, post, signIn } = office;
		const session = await signIn();
		const keyOf = (n: number) => `p${n}@example.com`;
		const numbers = [...Array(205).keys()];
		await given.people(
			database,
			numbers.map((n) => ({ email: keyOf(n), confirmed: false })),
		);
		await given.emails(
			database,
			numbers.map((n) => {
				const time = `2026-11-20T09:00:00.${String(Math.floor(n / 30)).padStart(3, "0")}Z`;
				const state = n === 204 ? "refused" : "unknown";
				return { to: keyOf(n), state, queued: time, nextAttempt: time, ended: time };
			}),
		);
		expect((await get("/letters", session)).text).toContain('unknown <a href="/letters/unknown">');
		const seen: string[] = [];
		for (let path = "/letters/unknown"; path; ) {
			const { text } = await get(path, session);
			for (const [, key] of text.matchAll(/name="key" value="([^"]+)"/g)) seen.push(key!);
			path =
				/href="(\/letters\/unknown\?[^"]+)">Next/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
			expect(path).not.toMatch(/@|%40/);
		}
		expect(seen).toHaveLength(204);
		expect(new Set(seen).size).toBe(204);
		const count = async (state: string) => (await emailsOf(database, { state })).length;
		const again = (body: string) => {
			later(1);
			return post("/letters/unknown", session, body);
		};
		// Whoever left gets none; who was refused was not shown.
		await given.person(database, { email: keyOf(2), unsubscribed: true });
		await again(["p0", "p1", "p2", "p204"].map((name) => `key=${name}%40example.com`).join("&"));
		expect([await count("waiting"), await count("refused")]).toEqual([2, 1]);
		await again("");
		expect(await count("waiting")).toBe(2);
		await again("all=yes");
		expect([await count("waiting"), await count("unknown")]).toEqual([203, 1]);
		expect((await get("/letters/unknown", session)).text).toContain("is never sent again");
		for await (const [last, before, ...others] of allOfAudit(database.query)) {
			expect([last!.details, before!.details, others.length]).toEqual(["all", "4 chosen", 2]);
		}
	});
});
