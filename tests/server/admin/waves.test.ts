import { describe, expect, it } from "vitest";
import { parseEmail } from "../../../bench/harness/mail-server.ts";
import { given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import {
	hiddenFieldsOf,
	openAdminSetup,
	readDefinitionList,
	textWithoutMarkup,
} from "./open-admin.ts";

const MARKUP = `</textarea><script>alert(1)</script><img src=x onerror="alert(2)">`;

const news = { kind: "news", subject: "We open on Friday", message: "Hello.\n\nSee you then." };

describe(`the page Waves on ${kind}`, () => {
	it("go from form to plan to emails, and are paused, resumed and canceled", async () => {
		const { setup, get, post } = await openAdminSetup(kind);
		await setup.people(5);
		expect((await get("/waves")).text).toContain("No waves yet.");

		const wrong = await post("/waves/new", { ...news, name: "a b", at: "2026-11-21", subject: "" });
		expect(wrong.status).toBe(409);
		expect(wrong.text).toContain('value="a b"');
		expect(wrong.text).toMatch(
			/name must be 1 to 64 .*Enter a date and a time\..*Write a subject\./s,
		);

		const invite = { kind: "invitation", name: "beta-1", size: "3" };
		const planned = await post("/waves/new", invite);
		const dry = await setup.json("invite 3 --wave beta-1 --dry-run");
		expect(readDefinitionList(planned.text)).toMatchObject({
			Selected: `${dry.selected}`,
			Eligible: `${dry.eligible}`,
			"Not confirmed": `${dry.unconfirmed}`,
			"Emails already waiting": `${dry.waiting.emails}`,
		});
		for (const { name } of dry.open) expect(planned.text).toContain(`<b>${name}:</b>`);
		expect(planned.text).toContain("Invitations to 3 people, earliest joiners first.");
		expect(await setup.json("waves")).toEqual({ waves: [] });

		expect((await post("/waves/new", { ...invite, step: "change" })).text).toContain('value="3"');
		const test = (to: string) =>
			post("/waves/new", { ...hiddenFieldsOf(planned.text), step: "test", to });
		expect((await test("me@orbit.example")).text).toContain("Test sent to me@orbit.example.");
		expect((await test("nobody")).text).toContain("Not sent: nobody is not an address.");
		expect(setup.kept.splice(0).map(({ to }) => to)).toEqual(["me@orbit.example"]);
		expect(await setup.json("waves")).toEqual({ waves: [] });
		const sending = { ...hiddenFieldsOf(planned.text), step: "send" };
		for (const adding of ["", "2", "1e9", "Infinity", "nothing"]) {
			const other = await post("/waves/new", { ...sending, "no-imprint": "yes", adding });
			expect(other.text, adding).toContain("Nothing was sent.");
		}
		const refused = await post("/waves/new", sending);
		expect(refused.status).toBe(409);
		expect(refused.text).toContain("lack sender details");
		const sent = await post("/waves/new", { ...sending, "no-imprint": "yes" });
		expect([sent.status, sent.headers.location]).toEqual([303, "/waves"]);
		await expect.poll(() => setup.arrived()).toBe(3);
		expect([...(await setup.codes()).keys()]).toContain("P1@example.com");
		await expect.poll(() => setup.counts("beta-1")).toEqual({ accepted: 3 });

		const page = (await get("/waves")).text;
		expect(readDefinitionList(page)).toMatchObject({ sent: "3" });
		const [, list] = /href="([^"]+)" aria-label="People of beta-1"/.exec(page)!;
		expect((await get(list!)).text).toContain("3 people, latest join first.");
		await post("/waves/pause", { wave: "beta-1" });
		expect((await setup.json("waves beta-1")).waves[0].state).toBe("paused");
		expect((await get("/waves")).text).toContain('action="/waves/resume"');
		await post("/waves/resume", { wave: "beta-1" });
		expect((await setup.json("waves beta-1")).waves[0].state).toBe("open");

		const question = (await get("/waves/cancel?wave=beta-1")).text;
		expect(question).toContain("<b>0 emails</b> still waiting");
		expect(question).toContain("<b>3 codes</b> already sent will stop working.");
		expect((await setup.json("waves beta-1")).waves[0].state).toBe("open");
		await post("/waves/cancel", hiddenFieldsOf(question));
		expect((await setup.json("waves beta-1")).waves[0].state).toBe("canceled");
		const late = await post("/waves/resume", { wave: "beta-1" });
		expect([late.status, late.text]).toEqual([409, expect.stringContaining("cannot be undone")]);
		expect((await post("/waves/pause", { wave: "nobody's" })).text).toContain("There is no wave");

		const rows = (await get("/activity")).text.split("<tr>").slice(2, 6);
		expect(rows.map(textWithoutMarkup)).toEqual([
			expect.stringContaining(" wave canceled beta-1 "),
			expect.stringContaining(" wave resumed beta-1 "),
			expect.stringContaining(" wave paused beta-1 "),
			expect.stringContaining(" wave sent beta-1: 3 "),
		]);
	});

	it("are sent as previewed or not at all, even after a restore", { tags: "slow" }, async () => {
		const { setup, post } = await openAdminSetup(kind);
		await setup.people(4);
		const planned = await post("/waves/new", { ...news, name: "news-1" });
		const confirm = (page: { text: string }, more = {}) =>
			post("/waves/new", {
				...hiddenFieldsOf(page.text),
				step: "send",
				"no-imprint": "yes",
				...more,
			});

		await setup.people(1, 5);
		const stale = await confirm(planned);
		const again = stale.text;
		expect(again).toContain("Nothing was sent.");
		expect(readDefinitionList(again)).toMatchObject({ Eligible: "5" });
		expect(await setup.json("waves")).toEqual({ waves: [] });

		await given.gap(setup);
		const refused = (await confirm(stale)).text;
		expect(refused).toMatch(
			/which emails were sent (?:between|before) .+\. Some people may already/,
		);
		expect(refused).toContain("--despite-gap");
		expect(setup.arrived()).toBe(0);
		await given.gap(setup, { settled: "2026-11-23T12:00:00.000Z" });
		expect((await confirm(stale)).status).toBe(303);
		await expect.poll(() => setup.arrived()).toBe(5);
		const twice = await confirm(stale);
		expect(twice.text).toContain("Nothing was sent.");
		expect(setup.arrived()).toBe(5);
		expect((await parseEmail(setup.kept[0]!)).subject).toBe(news.subject);
	});

	it("are previewed in a sandboxed frame, with markup as text", async () => {
		const { post } = await openAdminSetup(kind);
		const fields = { ...news, name: "m", subject: `${MARKUP} a` };
		const page = await post("/waves/new", fields);
		expect(page.text).toContain('<iframe sandbox srcdoc="&lt;!doctype html&gt;');
		expect(page.headers["content-security-policy"]).toBe(
			"default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		);
		expect(page.text).not.toMatch(/<script|<img src=x/);
		// Escaped twice: for the email, then for the frame's `srcdoc`.
		expect(page.text).toContain("&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;");
	});
});
