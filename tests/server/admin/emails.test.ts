import { describe, expect, it } from "vitest";
import type { PauseCause } from "../../../src/server/mail/rate/outbox-state.ts";
import { UNTIL_RESUMED } from "../../../src/server/mail/rate/pauses.ts";
import { readAudit } from "../../../src/server/registrations/audit.ts";
import { given, readEmails } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { MAIL_SETTINGS } from "../waves/wave-setup.ts";
import { openSignedInAdmin } from "./open-admin.ts";

const LATER = "2026-11-23T15:00:00.000Z";

describe(`the page Emails on ${kind}`, () => {
	it("shows that mail is not set up, so no wave can be planned", async () => {
		const { database, get, post } = await openSignedInAdmin(kind);
		for (const path of ["/emails", "/waves", "/waves/new"]) {
			const { status, text } = await get(path);
			expect([status, text], path).toEqual([200, expect.stringContaining("No mail server")]);
			expect(text).not.toContain('name="step"');
		}
		expect((await post("/waves/new", { name: "a" })).status).toBe(409);
		await given.email(database);
		expect((await get("/")).text).toContain("1 email is waiting. No mail server is set up");
	});

	it("shows why and until when emails are paused, and its button resumes them, with an audit entry", async () => {
		const env = { ...MAIL_SETTINGS, WAITLIST_WARMUP: "10,20/1d" };
		const { database, get, post } = await openSignedInAdmin(kind, { env });
		const text = async (path = "/emails") => (await get(path)).text;
		expect(await text()).toContain("Sending normally.");
		expect(await text()).toContain("Warm-up step 1 of 2: ");
		const pause = (cause: PauseCause, pausedUntil: string) =>
			given.outbox(database, { pausedUntil, code: `550 <b>${cause}</b>`, cause });
		await pause("quota", LATER);
		expect(await text()).toMatch(/sending limit is reached \(550.*until 2026-11-23 15:00/s);
		await pause("founder", UNTIL_RESUMED);
		for (const path of ["/", "/emails"]) {
			expect(await text(path)).toContain("Paused manually (550 &lt;b&gt;founder");
			expect(await text(path)).toContain(">Resume<");
		}
		await given.outbox(database, { confirmedSlowed: 4, pausedUntil: "" });
		expect(await text()).toMatch(/are sent at 1\/4 of the rate.*>Resume full rate</s);
		const planned = await post("/waves/new", { name: "a", kind: "invitation", size: "1" });
		expect(planned.text).toContain("are sent at 1/4 of the rate");
		await post("/emails/resume");
		expect(await text()).toContain("Sending normally.");
		await post("/emails/pause");
		expect(await text()).toContain("Paused manually.");
		const done = await readAudit(database, undefined, 2);
		expect(done.map(({ action }) => action)).toEqual(["emails paused", "emails resumed"]);
	});

	it("counts waiting emails, with their paused wave, like Today", async () => {
		const { database, get } = await openSignedInAdmin(kind, { env: MAIL_SETTINGS });
		await given.wave(database, { name: "beta-1", state: "paused" });
		await given.people(database, [{ email: "a@example.com" }, { email: "b@example.com" }]);
		await given.emails(database, [
			{ to: "a@example.com", kind: "invitation", wave: "beta-1", state: "waiting", held: 1 },
			{ to: "b@example.com", state: "waiting" },
		]);
		for (const path of ["/", "/emails"]) {
			expect((await get(path)).text).toContain("waiting (1 in the paused wave beta-1)");
		}
	});

	it("asks before it sends unknown emails again", async () => {
		const { database, get, post } = await openSignedInAdmin(kind, { env: MAIL_SETTINGS });
		await given.people(database, [
			{ email: "a@example.com", confirmed: false },
			{ email: "b@example.com", unsubscribed: true },
		]);
		await given.emails(database, [
			{ to: "a@example.com", state: "unknown" },
			{ to: "b@example.com", state: "unknown" },
		]);
		const { text } = await get("/emails");
		expect(text).toContain("2 emails may or may not have arrived");
		expect((await get("/emails/unknown")).text).toContain("Send these emails again?");
		expect(await readEmails(database, { state: "unknown" })).toHaveLength(2);
		await post("/emails/unknown");
		expect(await readEmails(database, { state: "waiting" })).toMatchObject([
			{ to: "a@example.com" },
		]);
		const [done] = await readAudit(database, undefined, 1);
		expect(done!.action).toBe("emails with unknown delivery resent");
	});
});
