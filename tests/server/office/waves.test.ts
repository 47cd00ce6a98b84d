import { describe, expect, it } from "vitest";
import { readLetter } from "../../../bench/harness/mail-server.ts";
import { given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { factsOf, fieldOf, openOfficeDesk } from "./office-desk.ts";

const cluster = usePostgres();

const MARKUP = `</textarea><script>alert(1)</script><img src=x onerror="alert(2)">`;

const news = { kind: "news", subject: "We open on Friday", message: "Hello.\n\nSee you then." };

describe(`waves of the office on ${kind}`, () => {
	it("go from a form by their dry run to letters, and are paused, resumed and cancelled", async () => {
		const { desk, get, post } = await openOfficeDesk(kind, cluster());
		await desk.people(5);
		expect((await get("/letters")).text).toContain("There is no wave yet.");

		const wrong = await post("/letters/new", { ...news, name: "no name", subject: "" });
		expect(wrong.status).toBe(422);
		expect(wrong.text).toContain('value="no name"');
		expect(wrong.text.match(/class="problem"/g)).toHaveLength(2);

		const invite = { kind: "invitation", name: "beta-1", size: "3" };
		const draft = (await post("/letters/new", invite)).headers.location!;
		const planned = await get(draft);
		const dry = await desk.json("invite 3 --wave beta-1 --dry-run");
		expect(factsOf(planned.text)).toMatchObject({
			Selected: `${dry.selected}`,
			Eligible: `${dry.eligible}`,
			"Not confirmed": `${dry.unconfirmed}`,
			"Letters that wait already": `${dry.waiting.letters}`,
		});
		for (const { name } of dry.open) expect(planned.text).toContain(`<b>${name}:</b>`);
		expect(planned.text).toContain("Invitations to 3 people, those who joined first.");
		expect(await desk.json("waves")).toEqual({ waves: [] });

		const seen = fieldOf(planned.text, "seen");
		const refused = await post(draft, { seen });
		expect(refused.status).toBe(409);
		expect(refused.text).toContain("would not say who writes");
		const sent = await post(draft, { seen, "no-imprint": "yes" });
		expect([sent.status, sent.headers.location]).toEqual([303, "/letters?did=add&wave=beta-1"]);
		expect((await get(sent.headers.location!)).text).toContain("<b>beta-1</b> is on its way.");
		await expect.poll(() => desk.arrived()).toBe(3);
		expect([...(await desk.codes()).keys()]).toContain("P1@example.com");
		await expect.poll(() => desk.counts("beta-1")).toEqual({ accepted: 3 });

		const page = (await get("/letters")).text;
		expect(factsOf(page)).toMatchObject({ accepted: "3", waiting: "0", Waiting: "0" });
		const [, list] = /href="([^"]+)" aria-label="People of beta-1"/.exec(page)!;
		expect((await get(list!)).text).toContain("3 people, sorted by address.");
		const paused = (await post("/letters/pause", { wave: "beta-1" })).headers.location!;
		expect((await get(paused)).text).toContain('role="status"><b>beta-1</b> is paused.');
		expect((await desk.json("waves beta-1")).waves[0].state).toBe("paused");
		expect((await get("/letters")).text).toContain('action="/letters/resume"');
		const resumed = (await post("/letters/resume", { wave: "beta-1" })).headers.location!;
		expect((await get(resumed)).text).toContain("<b>beta-1</b> goes on.");
		expect((await desk.json("waves beta-1")).waves[0].state).toBe("open");

		const asks = await post("/letters/cancel", { wave: "beta-1" });
		expect(asks.headers.location).toBe("/letters/cancel?wave=beta-1");
		const question = (await get(asks.headers.location!)).text;
		expect(question).toContain("No letter waits.");
		expect(question).toContain("<b>3 letters</b> people have: their codes become worthless.");
		expect((await desk.json("waves beta-1")).waves[0].state).toBe("open");
		const cancelled = await post("/letters/cancel", { wave: "beta-1", sure: "yes" });
		expect((await get(cancelled.headers.location!)).text).toContain("<b>beta-1</b> is cancelled.");
		expect((await desk.json("waves beta-1")).waves[0].state).toBe("cancelled");
		const late = await post("/letters/resume", { wave: "beta-1" });
		expect([late.status, late.text]).toEqual([409, expect.stringContaining("for good")]);
		expect((await post("/letters/pause", { wave: "nobody's" })).text).toContain("There is no wave");

		const lines = (await get("/audit.jsonl")).text.trim().split("\n");
		const done = lines
			.map((line) => JSON.parse(line))
			.map(({ action, details }) => [action, details]);
		expect(done.slice(0, 4)).toEqual([
			["wave cancelled", "beta-1"],
			["wave resumed", "beta-1"],
			["wave paused", "beta-1"],
			["wave confirmed", "beta-1: 3"],
		]);
		expect(lines.join("")).not.toContain("@");
	});

	it("are sent as they were seen, or not at all, also after a restore", {
		tags: "slow",
	}, async () => {
		const { desk, get, post, signIn } = await openOfficeDesk(kind, cluster());
		await desk.people(4);
		const draft = (await post("/letters/new", { ...news, name: "news-1" })).headers.location!;
		const seen = fieldOf((await get(draft)).text, "seen");
		const confirm = (seen: string, more = {}) =>
			post(draft, { seen, "no-imprint": "yes", ...more });
		expect((await confirm(`5.${seen.split(".")[1]}`)).headers.location).toBe(`${draft}?changed`);
		expect((await get(draft, await signIn())).status).toBe(404);

		// Somebody joins and confirms meanwhile.
		await desk.people(1, 5);
		const stale = await confirm(seen);
		expect(stale.headers.location).toBe(`${draft}?changed`);
		const again = (await get(stale.headers.location!)).text;
		expect(again).toContain("Nothing was sent.");
		expect(factsOf(again)).toMatchObject({ Eligible: "5" });
		expect(await desk.json("waves")).toEqual({ waves: [] });

		await given.gap(desk);
		const now = fieldOf((await get(draft)).text, "seen");
		const refused = (await confirm(now)).text;
		expect(refused).toContain("Nobody knows what was sent");
		// The cure is a box of the page, and no option of the command.
		expect(refused).toContain("tick the box above the button");
		expect(refused).not.toContain("--despite-gap");
		expect(desk.arrived()).toBe(0);
		expect((await confirm(now, { "despite-gap": "yes" })).status).toBe(303);
		await expect.poll(() => desk.arrived()).toBe(5);
		await confirm(now, { "despite-gap": "yes" });
		expect((await get(`${draft}?changed`)).text).toContain("Nothing more was sent.");
		expect(desk.arrived()).toBe(5);
		expect((await readLetter(desk.kept[0]!)).subject).toBe(news.subject);
	});

	it("are shown in a frame that has no rights, and markup in them is text", async () => {
		const { get, post } = await openOfficeDesk(kind, cluster());
		const fields = { ...news, name: "m", subject: `${MARKUP} a`, message: `${MARKUP} b` };
		const draft = (await post("/letters/new", fields)).headers.location!;
		const page = await get(draft);
		expect(page.text).toContain(`<iframe sandbox src="${draft}/letter"`);
		expect(page.headers["content-security-policy"]).toContain("frame-src 'self'");
		const letter = await get(`${draft}/letter`);
		for (const { text } of [page, letter]) {
			expect(text).not.toMatch(/<script|<img src=x/);
			expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
		}
		expect(letter.headers).toMatchObject({
			"content-security-policy":
				"default-src 'none'; style-src 'unsafe-inline'; sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
			"x-frame-options": "SAMEORIGIN",
			"referrer-policy": "no-referrer",
			"cache-control": "no-store",
		});
		expect((await get("/letters")).headers["content-security-policy"]).not.toContain("frame-src");
	});
});
