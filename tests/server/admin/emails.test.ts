import { describe, expect, it } from "vitest";
import { UNTIL_RELEASED } from "../../../src/server/mail/rate/pauses.ts";
import { readAudit } from "../../../src/server/registrations/audit.ts";
import { emailsOf, given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { MAIL } from "../waves/wave-desk.ts";
import { openAdmin } from "./open-admin.ts";

const cluster = usePostgres();

const LATER = "2026-11-23T15:00:00.000Z";

describe(`the page Emails on ${kind}`, () => {
	it("says that no mail server is set up, and nothing can be planned", async () => {
		const { get, post, signIn } = await openAdmin(kind, cluster());
		const session = await signIn();
		for (const path of ["/emails", "/waves", "/waves/new"]) {
			const { status, text } = await get(path, session);
			expect([status, text], path).toEqual([200, expect.stringContaining("No mail server")]);
			expect(text).not.toContain('name="step"');
		}
		expect((await post("/waves/new", session, "name=a")).status).toBe(409);
	});

	it("says what stops emails and until when, and its button ends that, with a note", async () => {
		const env = { ...MAIL, WAITLIST_MAIL_WARM_UP: "10,20/1d" };
		const { database, get, later, post, signIn } = await openAdmin(kind, cluster(), { env });
		const session = await signIn();
		const text = async (path = "/emails") => (await get(path, session)).text;
		expect(await text()).toContain("Emails go out normally.");
		expect(await text()).toContain("Step 1 of 2 of WAITLIST_MAIL_WARM_UP");
		const pause = (cause: string, pausedUntil: string) =>
			given.outbox(database, { pausedUntil, reason: `550 <b>${cause}</b>`, cause });
		await pause("quota", LATER);
		expect(await text()).toMatch(/quota is used up.*until <time datetime="2026-11-23T15:00/s);
		await pause("operator", UNTIL_RELEASED);
		for (const path of ["/", "/emails"]) {
			expect(await text(path)).toContain("Paused by you.");
			expect(await text(path)).toContain("550 &lt;b&gt;operator");
			expect(await text(path)).toContain(">Resume<");
		}
		await given.outbox(database, { confirmedSlowed: 4 });
		expect(await text()).toContain("go out at 1/4 of the rate");
		expect((await post("/emails/resume")).status).toBe(403);
		later(1);
		const { headers } = await post("/emails/resume", session);
		expect(await text(headers.location!)).toContain("Emails go out again");
		expect(await text()).toContain("Emails go out normally.");
		const [done] = await readAudit(database.query, undefined, 1);
		expect(done!.action).toBe("emails resumed");
	});

	it("counts what waits, with the paused wave that it waits in, as Today does", async () => {
		const { database, get, signIn } = await openAdmin(kind, cluster(), { env: MAIL });
		const session = await signIn();
		await given.wave(database, { name: "beta-1", state: "paused" });
		await given.people(database, [{ email: "a@example.com" }, { email: "b@example.com" }]);
		await given.emails(database, [
			{ to: "a@example.com", kind: "invitation", wave: "beta-1", state: "waiting", held: 2 },
			{ to: "b@example.com", state: "waiting" },
		]);
		for (const path of ["/", "/emails"]) {
			expect((await get(path, session)).text).toContain("2 (1 in the paused wave beta-1)");
		}
	});

	it("shows unknown emails a page at a time, and sends the chosen ones again", async () => {
		const admin = await openAdmin(kind, cluster(), { env: MAIL });
		const { database, get, later, post, signIn } = admin;
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
		expect((await get("/emails", session)).text).toContain('unknown <a href="/emails/unknown">');
		const seen: string[] = [];
		for (let path = "/emails/unknown"; path; ) {
			const { text } = await get(path, session);
			for (const [, key] of text.matchAll(/name="key" value="([^"]+)"/g)) seen.push(key!);
			path =
				/href="(\/emails\/unknown\?[^"]+)">Next/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
			expect(path).not.toMatch(/@|%40/);
		}
		expect([seen.length, new Set(seen).size]).toEqual([204, 204]);
		const count = async (state: string) => (await emailsOf(database, { state })).length;
		const again = (body: string) => {
			later(1);
			return post("/emails/unknown", session, body);
		};
		// Whoever unsubscribed gets none; who was refused was not shown.
		await given.person(database, { email: keyOf(2), unsubscribed: true });
		await again(["p0", "p1", "p2", "p204"].map((name) => `key=${name}%40example.com`).join("&"));
		expect([await count("waiting"), await count("refused")]).toEqual([2, 1]);
		await again("");
		expect(await count("waiting")).toBe(2);
		await again("all=yes");
		expect([await count("waiting"), await count("unknown")]).toEqual([203, 1]);
		expect((await get("/emails/unknown", session)).text).toContain("is never sent again");
		const done = await readAudit(database.query, undefined, 2);
		expect(done.map(({ details }) => details)).toEqual(["all", "4 chosen"]);
	});
});
