import { describe, expect, it } from "vitest";
import { UNTIL_RELEASED } from "../../../src/server/letters/sending/outbox.ts";
import { allOfAudit } from "../../../src/server/waitlist/audit.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../waitlist/databases.ts";
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
		const env = { ...MAIL, WAITLIST_MAIL_RAMP: "10,20/1d" };
		const { database, get, signIn } = await openOffice(kind, cluster(), { env });
		const session = await signIn();
		const text = async () => (await get("/letters", session)).text;
		expect(await text()).toContain("Nothing stops letters.");
		expect(await text()).toContain("Step 1 of 2 of WAITLIST_MAIL_RAMP");
		await database.query("INSERT INTO outbox (one) VALUES (1) ON CONFLICT DO NOTHING");
		const pause = (cause: string, until: string) =>
			database.query("UPDATE outbox SET paused_until = $1, reason = $2, cause = $3", [
				until,
				`550 <b>${cause}</b>`,
				cause,
			]);
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
		await database.query(
			`INSERT INTO brake (stream, slowed, letters, dead, free_at, complaints)
			VALUES ('waves', 8, 100, 20, 0, 0)`,
		);
		expect(await text()).toContain("go out at 1/8 of the rate");
	});

	it("that are unknown are shown a page at a time, and sent again as chosen", async () => {
		const office = await openOffice(kind, cluster(), { env: MAIL });
		const { database, get, later, post, signIn } = office;
		const session = await signIn();
		for (let n = 0; n < 205; n++) {
			const key = `p${n}@example.com`;
			const time = `2026-11-20T09:00:00.${String(Math.floor(n / 30)).padStart(3, "0")}Z`;
			await database.query(
				`INSERT INTO registration (email_key, email, source, created_at, terms)
				VALUES ($1, $1, 'fair', $2, '')`,
				[key, time],
			);
			await database.query("INSERT INTO recipient (email_key, id) VALUES ($1, $2)", [
				key,
				`${n}`.padStart(32, "0"),
			]);
			await database.query(
				`INSERT INTO letter (kind, wave, email_key, id, state, asked_at, next_at, ended_at)
				VALUES ('confirm', '', $1, $2, $3, $4, $4, $4)`,
				[key, `id${n}`, n === 204 ? "refused" : "unknown", time],
			);
		}
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
		const count = async (state: string) =>
			(await database.query("SELECT 1 AS one FROM letter WHERE state = $1", [state])).length;
		const again = (body: string) => {
			later(1);
			return post("/letters/unknown", session, body);
		};
		// Whoever left gets none; who was refused was not shown.
		await database.query("UPDATE recipient SET left_at = $1 WHERE email_key = 'p2@example.com'", [
			LATER,
		]);
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
