/** @module-tag slow */
import { expect, it } from "vitest";
import type { ReceivedEmail, SmtpAnswer, SmtpStep } from "../../../bench/harness/mail-server.ts";
import { changeRows, PAST_TIME } from "../../given/given.ts";
import { postJoin } from "../../server-process.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import { killCommand, startServerCopies } from "../kills.ts";
import { randomFractions, randomSeed } from "../random-fractions.ts";
import type { DatabaseKind } from "../registrations/databases.ts";
import { startForeignReaders } from "../registrations/foreign-readers.ts";
import { openMailSetup, readEmailLinks } from "./mail-setup.ts";

/*
 * A day on which everything fails: dead addresses, refused emails, killed servers and commands,
 * other programs that read the database, and a database lost during a wave.
 */

const [people, kills] = [2000, 10];

const patience = { interval: 100 };

const emailOf = (n: number) => `person-${n}@site-${n % 97}.example`;
const numberOf = (email: string) => Number(/^person-(\d+)@/i.exec(email)![1]);

/** 2 % of the addresses have no mailbox, and 0.3 % are refused by policy. */
type Fate = "gone" | "refused" | "fine";
const fateAtFirst = (n: number): Fate =>
	n % 50 === 7 ? "gone" : n % 333 === 5 ? "refused" : "fine";
const fates = {
	confirm: fateAtFirst,
	wave: (n: number): Fate => (n % 50 === 13 ? "gone" : n % 333 === 9 ? "refused" : fateAtFirst(n)),
};

function answer(fate: Fate, step: SmtpStep, n: number): SmtpAnswer {
	if (fate === "gone" && step === "recipient") return "550 5.1.1 no such user";
	const says: SmtpStep = n % 2 === 0 ? "recipient" : "message";
	return fate === "refused" && step === says ? "554 5.7.1 refused by policy" : undefined;
}

function oncePerPerson(emails: readonly ReceivedEmail[]): Set<number> {
	const to = emails.map((letter) => numberOf(letter.to));
	expect(new Set(to).size).toBe(to.length);
	return new Set(to);
}

async function openDay(kind: DatabaseKind) {
	let stage: keyof typeof fates = "confirm";
	const setup = await openMailSetup(kind, {
		answer(step, recipient) {
			if (recipient === "") return undefined;
			const n = numberOf(recipient);
			return answer(fates[stage](n), step, n);
		},
	});
	const { env, file, kept } = setup;
	const servers = await startServerCopies(setup.start, kind === "SQLite" ? 1 : 2);
	const { running } = servers;
	return {
		...setup,
		...servers,
		beginWave() {
			stage = "wave";
		},
		serverOf: (n: number) => running[n % running.length]?.url ?? "http://127.0.0.1:1",
		async letTimePass() {
			const { DATABASE_URL: url } = env;
			const settings = url === undefined ? setup.settings : { kind: "postgres" as const, url };
			await changeRows({ settings }, "emails", { leaseUntil: PAST_TIME }, { state: "sending" });
			await changeRows({ settings }, "emails", { nextAttempt: PAST_TIME }, { state: "waiting" });
		},
		async lose() {
			await servers.killAll();
			await setup.lose();
		},
		startForeignReaders: async () =>
			kind === "SQLite" ? startForeignReaders(file) : { stop: async () => {} },
		killCommand(words: string) {
			const before = kept.length;
			return killCommand(setup, words.split(" "), () => kept.length > before);
		},
	};
}

type Day = Awaited<ReturnType<typeof openDay>>;
type Counted = { kind: string; state: string; count: number }[];

async function allAreOut(
	{ json, letTimePass }: Day,
	kind: string,
): Promise<Record<string, number>> {
	let counts: Record<string, number> = {};
	const left = async (state: string) => {
		const { emails } = (await json("emails")) as { emails: Counted };
		counts = Object.fromEntries(
			emails.filter((row) => row.kind === kind).map(({ state, count }) => [state, count]),
		);
		return counts[state] ?? 0;
	};
	// Fewer than 1 % wait for a retry: the emails refused by policy.
	for (let n = await left("waiting"); n >= people / 100; n = await left("waiting")) {
		// Even a slow machine sends some emails before the timeout.
		await expect.poll(() => left("waiting"), patience).toBeLessThan(n);
	}
	// Only killed servers leave emails in the state `sending`.
	await expect.poll(() => left("sending"), patience).toBeLessThanOrEqual(5 * kills);
	let before = -1;
	const isSteady = async () => {
		const last = before;
		before = await left("sending");
		return before === last;
	};
	await expect.poll(isSteady, patience).toBe(true);
	await letTimePass();
	await expect.poll(() => left("waiting"), patience).toBe(0);
	await expect.poll(() => left("sending"), patience).toBe(0);
	return counts;
}

it.each<DatabaseKind>(["SQLite", "PostgreSQL"])(
	`a launch of ${people} on %s: no duplicates, and all numbers agree (seed ${randomSeed})`,
	async (kind) => {
		const day = await openDay(kind);
		const { json, kept, killOne, serverOf } = day;
		const chance = randomFractions(randomSeed);
		const readers = await day.startForeignReaders();

		// People join while servers are killed, and retry until they get a response.
		const joined = Array.from({ length: people }, (_, n) => n);
		let answered = 0;
		const joining = forEachConcurrently(joined, async (n) => {
			const status = async () =>
				(await postJoin(serverOf(n), emailOf(n)).catch(() => undefined))?.status;
			await expect.poll(status, { ...patience, interval: 20 }).toBeOneOf([201, 409]);
			answered += 1;
		});
		for (let kill = 1; kill <= kills; kill++) {
			const moment = (people * (kill - chance.next().value)) / kills;
			await expect.poll(() => answered, { ...patience, interval: 5 }).toBeGreaterThan(moment);
			await killOne(0);
		}
		await joining;
		const asked = await allAreOut(day, "confirm");
		const goneAtFirst = joined.filter((n) => fates.confirm(n) === "gone").length;
		const refusedAtFirst = joined.filter((n) => fates.confirm(n) === "refused").length;
		const arrived = oncePerPerson(kept);
		const unknownAtFirst = asked.unknown ?? 0;
		expect(unknownAtFirst).toBeLessThanOrEqual(5 * kills);
		expect(asked.bounced ?? 0).toBeLessThanOrEqual(goneAtFirst);
		expect(asked.deferred ?? 0).toBeLessThanOrEqual(refusedAtFirst);
		const knownAtFirst = (asked.accepted ?? 0) + (asked.bounced ?? 0) + (asked.deferred ?? 0);
		expect(knownAtFirst + unknownAtFirst).toBe(people);
		expect(arrived.size).toBeGreaterThanOrEqual(asked.accepted ?? 0);
		expect(arrived.size).toBeLessThanOrEqual((asked.accepted ?? 0) + unknownAtFirst);

		const asking = kept.splice(0);
		await forEachConcurrently(asking, async (letter, n) => {
			const { confirm } = await readEmailLinks(letter);
			expect((await fetch(new URL(confirm, serverOf(n)), { method: "POST" })).status).toBe(200);
		});
		const confirmed = arrived.size;

		// The invite command and the sending servers are killed.
		day.beginWave();
		const invite = `invite ${people} --wave beta-1 --yes --no-imprint`;
		const until = (share: number) =>
			expect
				.poll(() => kept.length, { ...patience, interval: 5 })
				.toBeGreaterThanOrEqual(Math.floor(confirmed * share));
		for (let kill = 0; kill < kills; kill++) {
			await day.killCommand(invite);
			await killOne(200);
		}
		await json(invite);
		await until(0.4);
		await json("backup yesterday.db");
		await until(0.6);

		// The database is lost. The mail server's log lists all accepted emails.
		await day.lose();
		await day.restore("yesterday.db");
		await json(`sent --file ${await day.log()} --wave beta-1 --complete`);
		const sent = kept.length;
		await day.startAll();
		await json("resume");
		await json(invite);
		const states = await allAreOut(day, "invitation");
		await readers.stop();

		const invited = oncePerPerson(kept);
		const counts = await day.counts("beta-1");
		const { accepted = 0, unknown = 0, bounced = 0, refused = 0, waiting = 0 } = counts;
		expect(accepted + unknown + bounced + refused + waiting).toBe(confirmed);
		expect(states.accepted ?? 0).toBe(accepted);
		expect(states.unknown ?? 0).toBe(unknown);
		expect(states.bounced ?? 0).toBe(bounced);
		expect((states.refused ?? 0) + (states.deferred ?? 0)).toBe(refused + waiting);
		expect(invited.size).toBeGreaterThanOrEqual(accepted);
		expect(invited.size).toBeLessThanOrEqual(accepted + unknown);
		const fine = [...arrived].filter((n) => fates.wave(n) === "fine");
		expect(fine.length - invited.size).toBeLessThanOrEqual(unknown);
		const stats = await json("stats");
		expect(stats).toMatchObject({
			total: people,
			people: { confirmed },
			invitations: { invited: accepted, unknown },
		});
		expect(stats.pause).toBeNull();
		expect(stats.slowed).toEqual([]);
		const { stdout } = await day.run("export --format jsonl");
		const rows = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line) as Record<string, string>);
		expect(new Set(rows.map(({ email }) => numberOf(email!)))).toEqual(new Set(joined));
		const withTime = (name: string) => rows.filter((row) => row[name]).length;
		expect([withTime("confirmedAt"), withTime("invitedAt"), withTime("unknownAt")]).toEqual([
			...[confirmed, accepted, unknown],
		]);

		// Dead addresses must not pause or throttle email, because strangers can add any number.
		for (const server of day.all) {
			for (const event of ["emails paused", "emails slowed"]) {
				expect(server.logged(event), event).toEqual([]);
			}
			expect(server.output()).not.toMatch(/@site-/);
		}
		console.log(
			`${kind}: ${people} joined, ${confirmed} confirmed, ${unknownAtFirst} emails to confirm unknown; ` +
				`${sent} of ${confirmed} invitations out when the database was lost; ${invited.size} arrived in ` +
				`all, ${accepted} accepted, ${unknown} unknown, ${bounced} bounced, ${refused + waiting} put off`,
		);
	},
);
