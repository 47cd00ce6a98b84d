import { expect, it } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { errors, words } from "#words";
import { joinBatch } from "../../../src/server/mail/emails/requests.ts";
import { changeRows } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { postJoin } from "../../server-process.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import type { DatabaseKind } from "../registrations/databases.ts";
import { registrationOf } from "../registrations/waitlist-contract.ts";
import { openMailSetup } from "../waves/mail-setup.ts";
import { openWaveSetup } from "../waves/wave-setup.ts";

/** The default count of WAITLIST_ADDRESS_LIMIT. */
const LIMIT = 20;

/** People behind one IP address. */
const HALL = 300;

const names = (name: string, count: number) =>
	Array.from({ length: count }, (_, n) => `${name}-${n}@example.com`);

async function open(kind: DatabaseKind, limit: number) {
	const setup = await openMailSetup(kind);
	const env = { WAITLIST_ADDRESS_LIMIT: `${limit}/12h`, TRUSTED_PROXIES: "127.0.0.1" };
	Object.assign(setup.env, env);
	const server = await setup.start();
	const { url } = server;
	return {
		...setup,
		server,
		join: (ip: string, email: string) => postJoin(url, email, { "x-forwarded-for": ip }),
		async form(ip: string, email: string) {
			const body = new URLSearchParams({ email });
			const headers = { "x-forwarded-for": ip };
			const answer = await fetch(new URL(JOIN_PATH, url), { method: "POST", headers, body });
			return { status: answer.status, page: await answer.text() };
		},
		arriving: (emails: number) => expect.poll(() => setup.arrived()).toBe(emails),
	};
}

it(`on ${kind} the answer mentions a confirmation email only if one is sent`, async () => {
	const setup = await open(kind, 2);
	const told = [
		await (await setup.join("192.0.2.1", "ada@example.com")).json(),
		await setup.form("192.0.2.1", "bob@example.com"),
		await (await setup.join("192.0.2.1", "eve@example.com")).json(),
		await setup.form("192.0.2.1", "tim@example.com"),
	].map((answer) => answer.confirm ?? String(answer.page).includes(words.messages.confirm));
	expect(told).toEqual([true, true, false, false]);
});

it(`on ${kind} a hall of ${HALL} behind one address is on the list, and gets its emails after \`confirm --flag burst\``, {
	tags: "slow",
}, async () => {
	const setup = await open(kind, LIMIT);
	const hall = names("visitor", HALL);
	const ip = kind === "SQLite" ? "192.0.2.1" : "2001:db8:7:1::1";
	const ordinary = await setup.form(ip, hall[0]!);
	expect(ordinary.status).toBe(201);
	const flagged = { status: 201, page: ordinary.page.replace(words.messages.confirm, "") };
	await forEachConcurrently(hall.slice(1), async (email, n) => {
		if (n % 2) expect([ordinary, flagged]).toContainEqual(await setup.form(ip, email));
		else expect((await setup.join(ip, email)).status).toBe(201);
	});
	// Joining again with the same email address sends no email.
	const again = await setup.join(ip, hall.at(-1)!);
	expect([again.status, await again.json()]).toEqual([409, { error: errors.duplicate }]);
	await setup.arriving(LIMIT);
	const burst = HALL - LIMIT;
	expect(await setup.json("stats")).toMatchObject({
		total: HALL,
		flags: [{ name: "burst", count: burst }],
	});
	expect((await setup.run("stats")).stdout).toContain("until you run `waitlist confirm");
	expect(setup.server.logged("burst")).toHaveLength(1);

	expect(await setup.json("confirm --flag burst --dry-run")).toMatchObject({
		confirmations: burst,
	});
	expect(await setup.json("stats")).toMatchObject({ flags: [{ count: burst }] });
	expect(await setup.json("confirm --flag burst")).toMatchObject({ confirmations: burst });
	await setup.arriving(HALL);
	expect(await setup.json("stats")).toMatchObject({ total: HALL, flags: [] });
	expect(await setup.json("confirm --flag burst")).toMatchObject({ confirmations: 0 });
});

it(`on ${kind} a script's joins from one address are bounded, and trigger no emails beyond the limit`, {
	tags: "slow",
}, async () => {
	const [limit, burst, tries] = [2, 200, 2000] as const;
	const setup = await open(kind, limit);
	const counts: Record<number, number> = {};
	await forEachConcurrently(names("script", tries), async (email, n) => {
		if (n === 100) expect((await setup.join("198.51.100.7", "ada@example.com")).status).toBe(201);
		const { status, headers } = await setup.join("192.0.2.1", email);
		counts[status] = (counts[status] ?? 0) + 1;
		expect(headers.has("retry-after")).toBe(status === 429);
	});
	// The limit refills by one join per 216 s, so a slow run allows more.
	const marked = (counts[201] ?? 0) - limit;
	expect(counts).toEqual({ 201: limit + marked, 429: tries - limit - marked });
	expect(marked).toBeGreaterThanOrEqual(burst);
	expect(marked).toBeLessThanOrEqual(burst * 1.02);
	expect((await setup.join("198.51.100.7", "bob@example.com")).status).toBe(201);
	await setup.arriving(limit + 2);
	expect(setup.kept.map(({ to }) => to)).toEqual(
		expect.arrayContaining(["ada@example.com", "bob@example.com"]),
	);
	expect(await setup.json("stats")).toMatchObject({
		total: limit + marked + 2,
		flags: [{ name: "burst", count: marked }],
	});
	expect(setup.server.output()).not.toMatch(/192\.0\.2|198\.51|@example/);
});

/** Ada joined first. Bob and Eve are flagged `burst`, Tim `honeypot`. */
async function openFlagged() {
	const setup = await openWaveSetup(kind);
	const joining = Object.entries({ ada: "", bob: "burst", eve: "burst", tim: "honeypot" }).map(
		([name, flag], n) => ({
			...registrationOf(`${name}@example.com`),
			joinedAt: `2026-01-0${n + 1}T00:00:00.000Z`,
			flag,
		}),
	);
	await setup.inDatabase((database) =>
		database.transact(joinBatch, { registrations: joining, asks: true, now: Date.now() }),
	);
	return setup;
}

it(`a burst on ${kind} is shown by find, export and stats, and gets no wave emails until released`, async () => {
	const setup = await openFlagged();
	expect((await setup.run("find eve@example.com")).stdout).toContain(
		"\nFlag: burst: joined with many others",
	);
	const { stdout } = await setup.run("export --format jsonl --flag burst");
	expect(stdout.match(/(?<="email":")\w+/g)).toEqual(["bob", "eve"]);
	expect(await setup.json("stats")).toMatchObject({
		total: 4,
		flags: [
			{ name: "burst", count: 2 },
			{ name: "honeypot", count: 1 },
		],
	});
	const key = ["ada@example.com", "bob@example.com"];
	await changeRows(setup, "people", { confirmed: true }, { key });
	const dryRun = "invite 9 --wave beta-1 --dry-run";
	const bursted = { flagged: 1, burst: 2, unconfirmed: 0, eligible: 1 };
	expect(await setup.json(dryRun)).toMatchObject(bursted);
	expect((await setup.run(dryRun)).stdout).toMatch(/Flagged as burst +2\n/);
	expect(await setup.json("confirm --flag burst")).toMatchObject({ confirmations: 1 });
	const released = { flagged: 1, burst: 0, unconfirmed: 1, eligible: 2 };
	expect(await setup.json(dryRun)).toMatchObject(released);
});
