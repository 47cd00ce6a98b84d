import { describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../../src/server/database/database.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { countAhead, forgetAll } from "../../../src/server/waitlist/counted-days.ts";
import { countSources, JOINED } from "../../../src/server/waitlist/people.ts";
import {
	CONFIRMED,
	countConfirmed,
	countRecipients,
	deleteRecipients,
	mergeRecipients,
	recipientOf,
} from "../../../src/server/waitlist/recipients.ts";
import {
	addRegistrations,
	deleteRegistrations,
	type Registration,
} from "../../../src/server/waitlist/registrations.ts";
import { kind } from "../../given/kind.ts";
import { fractions } from "../chance.ts";
import { placeOf, usePostgres } from "./databases.ts";

const cluster = usePostgres();

const NOW = new Date("2026-11-23T00:30:00.000Z");
const DAY_MS = 86_400_000;

const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS).toISOString();

function person(n: number, createdAt: string, source = "fair"): Registration {
	const email = `visitor-${n}@example.com`;
	return { key: email, email, source, createdAt, terms: "", flags: "" };
}

/** What counting everybody anew says. */
async function counted(database: Database) {
	const sources = await database.query<{ name: string; count: number }>(
		`SELECT source AS name, CAST(count(*) AS INTEGER) AS count FROM registration
		GROUP BY source ORDER BY count(*) DESC, source`,
	);
	return { sources, confirmed: (await countRecipients(database.query)).confirmed };
}

const asked = async (database: Database) => ({
	sources: await countSources(database, NOW),
	confirmed: await countConfirmed(database, NOW),
});

/** How many are on the list. */
const total = async (database: Parameters<typeof countSources>[0]) =>
	(await countSources(database, NOW)).reduce((sum, { count }) => sum + count, 0);

describe(`days that are over, on ${kind}`, () => {
	async function open() {
		const { settings } = await placeOf(kind, cluster());
		const database = await openDatabase(settings, { create: true });
		onTestFinished(() => database.close());
		return { database, settings };
	}

	it("come to what counting everybody comes to, whatever was done (seed 3310)", async () => {
		const { database } = await open();
		const { dialect, query } = database;
		const chances = fractions(3310);
		const chance = (below: number) => Math.floor(chances.next().value * below);
		for (let turn = 0; turn < 150; turn++) {
			const time = daysAgo(chances.next().value * 3);
			const n = chance(24);
			const { key } = person(n, time);
			await [
				() => addRegistrations(database, [person(n, time, `source-${chance(3)}`)]),
				() => deleteRegistrations(query, dialect, [key]),
				() => deleteRecipients(query, dialect, [key]),
				() => mergeRecipients(query, dialect, [recipientOf(key, { confirmedAt: time })]),
				() => mergeRecipients(query, dialect, [recipientOf(key, { leftAt: daysAgo(0) })]),
			][chance(5)]!();
			expect(await asked(database), `turn ${turn}`).toEqual(await counted(database));
		}
	});

	it("are read once, but for the hour in which a join may still be committed", async () => {
		const { database } = await open();
		await addRegistrations(
			database,
			[1, 2, 3].map((ago) => person(ago, daysAgo(ago))),
		);
		// Yesterday was over half an hour ago.
		await addRegistrations(database, [person(4, daysAgo(0.1))]);
		expect(await total(database)).toBe(4);
		const days = await database.query<{ day: string }>("SELECT day FROM counted_day ORDER BY day");
		expect(days.map(({ day }) => day)).toEqual(["2026-11-20", "2026-11-21"]);
		await database.query(`UPDATE counted_day SET counts = '[["fair", 7]]'`);
		expect(await total(database)).toBe(16);
		await forgetAll(database);
		expect(await total(database)).toBe(4);
	});

	it("are counted before anybody asks, until somebody ends it", async () => {
		const { database } = await open();
		const ages = [1, 2, 3, 4, 5, 6, 7, 8];
		await addRegistrations(
			database,
			ages.map((ago) => person(ago, daysAgo(ago))),
		);
		const days = () => database.query("SELECT day FROM counted_day");
		await countAhead(database, [JOINED, CONFIRMED], NOW, AbortSignal.abort());
		expect(await days()).toHaveLength(0);
		await countAhead(database, [JOINED, CONFIRMED], NOW);
		expect(await days()).toHaveLength(7);
		expect(await total(database)).toBe(8);
	});

	it("count as well where nothing can be kept", async () => {
		const { database } = await open();
		await addRegistrations(
			database,
			[1, 2, 3].map((ago) => person(ago, daysAgo(ago))),
		);
		const full = { ...database, query: database.query.bind(database), dialect: database.dialect };
		const run = () => Promise.reject(new Error("the disk is full"));
		expect(await total({ ...full, run })).toBe(3);
	});
});

it("a day is not kept as it was before an erasure that is under way, on PostgreSQL", async () => {
	const { settings } = await placeOf("PostgreSQL", cluster());
	const [database, other] = await Promise.all(
		[1, 2].map(() => openDatabase(settings, { create: true })),
	);
	onTestFinished(async () => void (await Promise.all([database!.close(), other!.close()])));
	const people = [1, 2, 3].map((n) => person(n, daysAgo(2)));
	await addRegistrations(database!, people);
	let counting: Promise<unknown> | undefined;
	await database!.transaction(async (query) => {
		await deleteRegistrations(query, database!.dialect, [people[2]!.key]);
		counting = countSources(other!, NOW);
		// It counts meanwhile, if nothing keeps it.
		await Promise.race([counting, new Promise((resolve) => setTimeout(resolve, 500))]);
	});
	await counting;
	expect(await total(other!)).toBe(2);
});
