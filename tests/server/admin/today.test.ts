import { describe, expect, it } from "vitest";
import { countRefusals } from "../../../src/server/admin/today/refusals.ts";
import { UNTIL_RELEASED } from "../../../src/server/mail/rate/pauses.ts";
import { readAudit } from "../../../src/server/registrations/audit.ts";
import { given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import type { Given } from "../../given/rows.ts";
import { metricsOf, postEmail } from "../../server-process.ts";
import { usePostgres } from "../registrations/databases.ts";
import { openOfficeDesk } from "./office-desk.ts";
import { openOffice } from "./open-office.ts";

const cluster = usePostgres();

/** Of the office's clock: a Monday at noon. */
const NOON = Date.parse("2026-11-23T12:00:00.000Z");

const minutesAgo = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString();

const DAY = 24 * 60;

const person = (n: number, joined: string, more: Given<"people"> = {}): Given<"people"> => ({
	email: `visitor-${n}@example.com`,
	source: "fair",
	joined,
	...more,
});

/** The words of a page, without its markup. */
const wordsOf = (text: string) =>
	text
		.replace(/<(style|head).*?<\/\1>/gs, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/\s+/g, " ");

describe(`the first screen on ${kind}`, () => {
	it("shows today beside the same time yesterday and a week ago", async () => {
		const { database, get, signIn } = await openOffice(kind, cluster());
		const times = [
			...[1, 10, 70, 13 * 60, DAY + 1, DAY + 70, DAY - 30],
			...[2 * DAY - 60, 7 * DAY + 30, 8 * DAY],
		];
		await given.people(
			database,
			times.map((ago, n) => person(n, minutesAgo(ago))),
		);
		const { text } = await get("/", await signIn());
		const words = wordsOf(text);
		// This hour begins at noon, so that nobody joined in it.
		expect(words).toContain("On the waitlist 10 Yesterday at this time 5 A week ago 2");
		expect(words).toContain("Today 3 Yesterday by 12:00 2 A week ago 1");
		expect(words).toContain("This hour 0 Yesterday, 12:00 to 12:00 0 A week ago 0");
		expect(words).toContain("10:00 1 1 11:00 2 1 12:00 0 1 13:00 0");
		expect(words).toContain("2026-11-23 3 not counted 2026-11-22 4 not counted");
		expect(words).toMatch(/Today Source Joined fair 3 All days All days Source Joined fair 10/);
	});

	it("draws every state of an empty list, without mail", async () => {
		const { get, signIn } = await openOffice(kind, cluster());
		const words = wordsOf((await get("/", await signIn())).text);
		for (const said of [
			"On the waitlist 0 Yesterday at this time 0 A week ago 0",
			"The first join draws the line.",
			"Visits – Joined 0 Confirmed – Invited – Redeemed –",
			"No mail is set up: nobody is written to.",
			"No join was refused this hour.",
			"Look: was never made of this database",
		]) {
			expect(words).toContain(said);
		}
		expect(words).not.toMatch(/NaN|Infinity|undefined|null/);
	});

	it("says why letters are paused, and its button ends that, with a note", async () => {
		const { database, get, later, post, signIn } = await openOffice(kind, cluster());
		const session = await signIn();
		later(1);
		const reason = "The <b>provider</b> asked us to.";
		await given.outbox(database, { pausedUntil: UNTIL_RELEASED, reason, cause: "operator" });
		const { text } = await get("/", session);
		expect(text).toContain(
			"Nothing is sent until you say so. The &lt;b&gt;provider&lt;/b&gt; asked us to.",
		);
		expect(text).toMatch(/<form method="post" action="\/go-on"><button[^>]*>End the pause</);
		expect((await post("/go-on")).status).toBe(403);
		expect((await get("/", session)).text).toContain("End the pause");
		const pressedAt = async (at: string) =>
			(await post("/go-on", session, `at=${encodeURIComponent(at)}`)).headers.location;
		expect(await pressedAt("/letters")).toBe("/letters?did=go-on");
		expect(await pressedAt("//example.com")).toBe("/?did=go-on");
		for (const page of ["/?did=go-on", "/letters?did=go-on"])
			expect((await get(page, session)).text).toContain("The pause has ended");
		expect((await get("/", session)).text).not.toContain("Nothing is sent");
		const [done] = await readAudit(database.query, undefined, 1);
		expect(done!.action).toBe("pause of letters ended");
	});

	it("leads from each number of people to the list that it counts", async () => {
		const { database, get, signIn } = await openOffice(kind, cluster());
		await given.people(database, [
			person(1, minutesAgo(1), { source: "a & b" }),
			person(2, minutesAgo(DAY), { source: "a & b", flag: "operator" }),
			person(3, minutesAgo(DAY), { source: "" }),
		]);
		const session = await signIn();
		const { text } = await get("/", session);
		const cards = text.slice(text.indexOf('id="funnel"'), text.indexOf('id="health"'));
		const links = [...cards.matchAll(/<a href="([^"]+)">([^<]+)<\/a>[^\d]*(\d+)/g)];
		const counted = links.map(([, path, name, count]) => [
			name,
			path!.replaceAll("&amp;", "&"),
			count,
		]);
		expect(counted).toEqual([
			["Joined", "/list", "3"],
			["a &amp; b", "/list?source=a+%26+b&since=2026-11-23", "1"],
			["a &amp; b", "/list?source=a+%26+b", "2"],
			["flagged by hand", "/list?mark=operator", "1"],
		]);
		for (const [, path, count] of counted)
			expect((await get(path!, session)).text).toMatch(
				new RegExp(`>${count} (people|person), sorted`),
			);
	});

	it("shows markup in a source, a mark or an address as text", async () => {
		const { database, get, signIn } = await openOffice(kind, cluster());
		const markup = `"><script>alert(1)</script>`;
		const all = { email: `${markup}@example.com`, source: markup, flag: `${markup}\u202e` };
		await given.people(database, [person(1, minutesAgo(1), all)]);
		const { text } = await get("/", await signIn());
		expect(text).not.toContain("<script");
		expect(text.split("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;").length).toBe(7);
		expect(text).not.toContain("\u202e");
	});

	it("is at most 60 kB and 900 elements, with everything that it can hold", async () => {
		const { database, get, signIn } = await openOffice(kind, cluster());
		const sources = Array.from({ length: 40 }, (_, n) => `${n}-${"source".repeat(9)}`);
		const people = Array.from({ length: 400 }, (_, n) => {
			const email = `${n}-${"visitor".repeat(8)}@${"example".repeat(8)}.example.com`;
			const more = { email, source: sources[n % 40]!, flag: n % 2 ? "honeypot" : "" };
			return person(n, minutesAgo(n * 100), more);
		});
		await given.people(database, people);
		await given.visits(
			database,
			Array.from({ length: 730 }, (_, n) => ({
				day: minutesAgo(n * DAY).slice(0, 10),
				visits: 10_000 + n,
			})),
		);
		const reason = "A sentence of a mail server. ".repeat(20);
		await given.outbox(database, { pausedUntil: UNTIL_RELEASED, reason, cause: "refused" });
		const session = await signIn();
		const { text } = await get("/", session);
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
		expect(text.match(/<[a-z]/g)!.length).toBeLessThanOrEqual(900);
		expect(text.match(/<path/g)?.length ?? 0).toBeLessThanOrEqual(6);
	});

	it("has the same numbers as the command, the export and the metrics", async () => {
		const { desk, get, server } = await openOfficeDesk(kind, cluster(), {
			WAITLIST_ADDRESS_LIMIT: "2/1h",
			TRUSTED_PROXIES: "127.0.0.1",
		});
		// What waits is counted once nothing sends it.
		await desk.json("hold");
		const from = (n: number) => ({ "x-forwarded-for": `192.0.2.${n}` });
		for (let n = 0; n < 205; n++)
			await postEmail(server.url, `v${n}@example.com`, from(n < 2 ? 1 : 0));
		const words = wordsOf((await get("/")).text);
		const today = await desk.json("stats --today");
		const stats = await desk.json("stats");
		const rows = (await desk.run("export --format jsonl")).stdout.trim().split("\n");
		const metrics = await metricsOf(server);

		const joined = rows.length;
		const refused = 205 - joined;
		expect(joined).toBe(204);
		expect(today.total.now).toBe(joined);
		expect(stats.total).toBe(joined);
		expect(metrics).toContain(`waitlist_registrations_total{outcome="registered"} ${joined}`);
		expect(words).toContain(`On the waitlist ${joined} `);
		const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
		expect(sum(stats.days.map(({ count }: { count: number }) => count))).toBe(joined);
		expect(sum(today.days.map(({ joined }: { joined: number }) => joined))).toBe(joined);
		expect(today.sources.all).toEqual(stats.sources);
		expect(today.waiting.letters).toBe(4);
		expect(words).toContain("Kind Waiting confirm 4 ");
		expect(metrics).toContain('waitlist_emails_waiting{kind="confirm"} 4');
		expect(today.marks).toEqual([{ name: "burst", count: stats.burst }]);
		expect(words).toContain(`Mark On the list in a burst ${stats.burst} `);
		expect(metrics).toContain(`waitlist_burst_total{scope="address"} ${stats.burst}`);
		expect(words).toContain(`${refused} join was refused by this copy of the server since`);
		expect(metrics).toContain(`waitlist_limited_total{scope="address"} ${refused}`);
		const text = (await desk.run("stats --today")).stdout;
		expect(text).toMatch(new RegExp(`^On the waitlist +${joined} +0 +0$`, "m"));
		expect(text).toContain(`${joined} joined → 0 confirmed`);
	});
});

it("refused joins are counted by hour, and their networks go with it", () => {
	let ms = NOON;
	const { read, watch } = countRefusals(
		{ trustedProxies: [], trustedHeader: "x-forwarded-for" },
		() => ms,
	);
	const admit = watch((call) =>
		call.peer === "192.0.2.9" ? { scope: "address" } : { scope: "address", retryAfter: 5 },
	);
	const refuse = (peer: string) => admit({ peer, header: () => null } as never);
	for (const peer of ["192.0.2.1", "192.0.2.1", "2001:db8::1", "2001:db8:0:1::1", "192.0.2.9"]) {
		refuse(peer);
	}
	expect(read()).toEqual({ since: minutesAgo(0), all: 4, hour: 4, networks: 2 });
	ms += 3_600_000;
	expect(read()).toMatchObject({ all: 4, hour: 0, networks: 0 });
});
