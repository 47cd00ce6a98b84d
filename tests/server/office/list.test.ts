import { describe, expect, it } from "vitest";
import {
	type ListFilter,
	STATES,
	windowStatement,
} from "../../../src/server/letters/people/list.ts";
import type { Registration } from "../../../src/server/waitlist/registrations.ts";
import { kind } from "../../given/kind.ts";
import { fractions } from "../chance.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { openOffice } from "./open-office.ts";

const cluster = usePostgres();

function createRandom(seed: number): () => number {
	const random = fractions(seed);
	return () => random.next().value;
}

const SOURCES = ["landing-page", "fair", "x' OR '1'='1", "<b>bold</b>", "100%"];
const TIMES = Array.from({ length: 12 }, (_, n) => `2026-11-${10 + n}T09:30:00.000Z`);
const WAVES = ["beta-1", "beta-2", "nobody"];

interface Person extends Registration {
	state: string;
	waves: string[];
}

type Office = Awaited<ReturnType<typeof openOffice>>;

/** People of every kind: some joined in the same millisecond, some have an address that is markup. */
async function addPeople({ database }: Office, count: number): Promise<Person[]> {
	const pick = createRandom(7);
	const one = <Item>(items: readonly Item[]): Item => items[Math.floor(pick() * items.length)]!;
	const people = Array.from({ length: count }, (_, n): Person => {
		const key = n === 0 ? "a&b'<i>@example.com" : `p${n}@example.com`;
		return {
			key,
			email: key,
			source: one(SOURCES),
			createdAt: one(TIMES),
			terms: "2026-11-01",
			flags: one(["", "", "", "trap", "crowd", "hand"]),
			state: one(STATES),
			waves: WAVES.slice(0, 2).filter(() => pick() < 0.3),
		};
	});
	await database.add(people);
	const asked = people.filter(({ state, key }) => state !== "unconfirmed" || key.length % 2);
	await database.query(
		"INSERT INTO wave SELECT value->>0, 'invitation', 'open', value->>1, value->>1, 9, value->>1, 14, '', '' FROM " +
			database.dialect.jsonRows,
		[JSON.stringify(WAVES.map((name) => [name, TIMES[0]]))],
	);
	const time = (person: Person, is: string) =>
		person.state === is ? TIMES[person.key.length % 3]! : "";
	await database.query(
		`INSERT INTO recipient (email_key, id, confirmed_at, left_at, bounced_at)
		SELECT value->>0, value->>0, value->>1, value->>2, value->>3 FROM ${database.dialect.jsonRows}`,
		[
			JSON.stringify(
				asked.map((person) => [
					person.key,
					// Whoever left may have confirmed, and bounced before.
					person.state === "unconfirmed" ? "" : TIMES[person.key.length % 4],
					time(person, "left"),
					time(person, "bounced") || (person.state === "left" ? TIMES[1] : ""),
				]),
			),
		],
	);
	await database.query(
		`INSERT INTO letter (email_key, kind, wave, state, asked_at, next_at)
		SELECT value->>0, value->>1, value->>2, 'waiting', '', '' FROM ${database.dialect.jsonRows}`,
		[
			JSON.stringify(
				people.flatMap(({ key, waves }) =>
					waves.flatMap((wave) => ["invitation", "news"].map((kind) => [key, kind, wave])),
				),
			),
		],
	);
	return people;
}

/** The obvious answer. */
function keysOf(people: readonly Person[], search: URLSearchParams): string[] {
	const is = (name: string, holds: (value: string) => boolean) =>
		!search.get(name) || holds(search.get(name)!);
	const some = people.filter(
		({ source, createdAt, state, waves, flags }) =>
			is("source", (value) => source === value) &&
			is("since", (value) => createdAt >= value) &&
			is("until", (value) => createdAt < value) &&
			is("state", (value) => state === value) &&
			is("wave", (value) => waves.includes(value)) &&
			is("mark", (value) => flags === (value === "none" ? "" : value)),
	);
	return some.map(({ key }) => key).sort();
}

const unescaped = (text: string) =>
	text.replace(
		/&(amp|lt|gt|quot|#39);/g,
		(_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name as "amp"],
	);

/** Every person on the pages of a list, in their order. */
async function seenIn(
	{ get }: Office,
	session: Record<string, string>,
	first: string,
	onPage = async () => {},
) {
	const keys: string[] = [];
	for (let path = first; path; ) {
		const { status, text } = await get(path, session);
		expect(status, path).toBe(200);
		for (const [, key] of text.matchAll(/<th scope="row"><a href="\/person\/([^"]+)"/g)) {
			keys.push(decodeURIComponent(unescaped(key!)));
		}
		const [, next] = /href="([^"]+)">Next</.exec(text) ?? [];
		path = next ? unescaped(next) : "";
		await onPage();
	}
	return keys;
}

function searchOf(random: () => number): URLSearchParams {
	const one = (items: readonly string[]) => items[Math.floor(random() * items.length)]!;
	const values: Record<string, readonly string[]> = {
		source: SOURCES,
		since: TIMES,
		until: TIMES,
		state: STATES,
		wave: WAVES,
		mark: ["trap", "crowd", "hand", "none"],
		order: ["oldest"],
	};
	const search = new URLSearchParams();
	for (const [name, items] of Object.entries(values))
		if (random() < 0.3) search.set(name, one(items));
	return search;
}

const KNOWN = new Set(["source", "since", "until", "state", "wave", "mark", "order", "after"]);

const FILTERS = 30;
const SEED = 2026;

describe(`the list on ${kind}`, () => {
	it(`and its export have the same people in the same order, for ${FILTERS} filters (seed ${SEED})`, async () => {
		const office = await openOffice(kind, cluster());
		const people = await addPeople(office, 300);
		const session = await office.signIn();
		const random = createRandom(SEED);
		for (let n = 0; n < FILTERS; n++) {
			const search = n === 0 ? new URLSearchParams() : searchOf(random);
			const seen = await seenIn(office, session, `/list?${search}`);
			expect([...seen].sort(), `${search}`).toEqual(keysOf(people, search));
			const page = (await office.get(`/list?${search}`, session)).text;
			const [, count] = />(\d+) (?:people|person), sorted/.exec(page) ?? [];
			expect(count, `${search}`).toBe(seen.length > 0 ? `${seen.length}` : undefined);
			const lines = (await office.get(`/list.jsonl?${search}`, session)).text.trim().split("\n");
			const exported = lines.filter(Boolean).map((line) => JSON.parse(line).key);
			expect(exported, `${search}`).toEqual(seen);
		}
		const { text, headers } = await office.get("/list.csv?source=fair", session);
		expect(headers["content-disposition"]).toBe(
			'attachment; filename="waitlist-2026-11-23-source-fair.csv"',
		);
		expect(text.split("\r\n")[0]).toBe(
			"email,source,createdAt,terms,flags,key,confirmedAt,leftAt,bouncedAt,wave,invitedAt,expiresAt,redeemedAt,unknownAt",
		);
		expect((await office.get("/list", session)).text).not.toMatch(/<b>bold|<i>@/);
	});

	it("names a file by its day and its filter, in safe characters", async () => {
		const { get, signIn } = await openOffice(kind, cluster());
		const session = await signIn();
		const nameOf = async (path: string) =>
			/^attachment; filename="([A-Za-z\d.-]{1,130})"$/.exec(
				(await get(path, session)).headers["content-disposition"]!,
			)?.[1];
		expect(await nameOf("/list.jsonl")).toBe("waitlist-2026-11-23.jsonl");
		expect(await nameOf("/list.csv?state=left&since=2026-11-21T09:30Z&source=")).toBe(
			"waitlist-2026-11-23-state-left-since-2026-11-21T09-30Z.csv",
		);
		const hostile = encodeURIComponent(`../"x"; ü💌`);
		expect(await nameOf(`/list.csv?source=${hostile}`)).toBe("waitlist-2026-11-23-source-..-x.csv");
		const long = `/list.csv?source=${"s".repeat(64)}&wave=${"w".repeat(40)}&mark=none`;
		expect(await nameOf(long)).toMatch(/^waitlist-2026-11-23-source-s+-wave-w+\.csv$/);
	});

	it("says how many fit, up to what is counted, and in which order they stand", async () => {
		const office = await openOffice(kind, cluster());
		const person = { source: "fair", terms: "", flags: "", createdAt: TIMES[0]! };
		const all = Array.from({ length: 10_001 }, (_, n) => `q${n}@example.com`);
		await office.database.add(
			all.map((key, n) => ({ ...person, key, email: key, flags: n % 2 ? "trap" : "" })),
		);
		const session = await office.signIn();
		const textOf = async (path: string) => (await office.get(path, session)).text;
		expect(await textOf("/list")).toContain("At least 10,000 people, sorted by the time");
		expect(await textOf("/list?mark=trap")).toContain("5,000 people, sorted");
		expect(await textOf("/list?mark=none")).toContain("At least 5,001 people, sorted");
		expect(await textOf("/list?state=unconfirmed")).toContain("At least 1,000 people, sorted");
		await office.database.query("DELETE FROM registration WHERE email_key = 'q1@example.com'");
		expect(await textOf("/list?source=fair")).toContain(">10,000 people, sorted");
		expect(await textOf("/list")).toContain('<option value="oldest">earliest first');
		expect(await textOf("/list?wave=beta-1")).toContain('<option value="oldest">Z to A');
	});

	it("shows each person once while others join and are erased", async () => {
		const office = await openOffice(kind, cluster());
		const people = await addPeople(office, 240);
		const session = await office.signIn();
		let joined = 0;
		const seen = await seenIn(office, session, "/list", async () => {
			joined += 1;
			const key = `new-${joined}@example.com`;
			const person = { key, email: key, source: "fair", terms: "", flags: "" };
			await office.database.add([{ ...person, createdAt: "2026-11-30T00:00:00.000Z" }]);
			await office.database.query("DELETE FROM registration WHERE email_key = $1", [
				`new-${joined - 1}@example.com`,
			]);
		});
		expect(joined).toBeGreaterThan(3);
		expect(seen.toSorted()).toEqual(people.map(({ key }) => key).sort());
	});

	it("looks at few of many for one page, says so and goes on, and the file has all who fit", async () => {
		const office = await openOffice(kind, cluster());
		const person = { source: "fair", terms: "", flags: "trap", createdAt: TIMES[0]! };
		const all = Array.from({ length: 5000 }, (_, n) => `q${n}@example.com`);
		await office.database.add(all.map((key) => ({ ...person, key, email: key })));
		const first = { ...person, key: "a@example.com", email: "a@example.com", flags: "crowd" };
		await office.database.add([first]);
		const session = await office.signIn();
		const { text } = await office.get("/list?mark=crowd", session);
		expect(text).toContain("Nobody of those who were looked at fits.");
		expect(text).toContain(">Next<");
		expect(await seenIn(office, session, "/list?mark=crowd")).toEqual(["a@example.com"]);
		const lines = (await office.get("/list.jsonl?mark=crowd", session)).text.trim();
		expect(JSON.parse(lines).key).toBe("a@example.com");
	});

	const MADE_UP = 300;
	it(`${MADE_UP} made-up filters change nothing and are no fault (seed ${SEED})`, async () => {
		const office = await openOffice(kind, cluster());
		const people = await addPeople(office, 60);
		const session = await office.signIn();
		const random = createRandom(SEED + 1);
		const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
		const names = [
			"source",
			"since",
			"until",
			"state",
			"wave",
			"mark",
			"order",
			"after",
			"limit",
			"email_key",
			"__proto__",
			"constructor",
			"",
		];
		const pieces = [
			...[
				"' OR 1=1 --",
				"; DROP TABLE registration",
				"$1",
				"\0",
				"%",
				"_",
				"fair",
				"confirmed",
				"left",
				"trap",
			],
			...[
				"2026-11-12",
				"2026-11-12T09:30:00.000Z p9@example.com",
				" p9@example.com",
				"\u202e",
				"<b>",
				'"',
				"beta-1",
			],
			...[
				"UNION SELECT hash FROM office_session",
				"9".repeat(300),
				"😀",
				"none",
				"oldest",
				")",
				"\\",
				"{}",
				"",
			],
		];
		const statuses = new Set<number>();
		for (let n = 0; n < MADE_UP; n++) {
			const search = new URLSearchParams();
			const fields = 1 + Math.floor(random() * 3);
			for (let field = 0; field < fields; field++) {
				search.append(
					one(names),
					Array.from({ length: 1 + (random() < 0.4 ? 1 : 0) }, () => one(pieces)).join(""),
				);
			}
			const path = random() < 0.3 ? "/list.jsonl" : "/list";
			const { status, text } = await office.get(`${path}?${search}`, session);
			statuses.add(status);
			expect([200, 400], `${search}`).toContain(status);
			const isKnown = ([name, value]: [string, string]) => value === "" || KNOWN.has(name);
			if (![...search].every(isKnown)) expect(status, `${search}`).toBe(400);
			if (status === 200 && path === "/list.jsonl") {
				search.delete("after");
				const keys = text
					.split("\n")
					.filter(Boolean)
					.map((line) => JSON.parse(line).key);
				const times = ["since", "until"].filter((name) => search.get(name)?.length === 10);
				for (const name of times) search.set(name, `${search.get(name)}T00:00:00.000Z`);
				expect(keys.sort(), `${search}`).toEqual(keysOf(people, search));
			}
		}
		expect(statuses).toEqual(new Set([200, 400]));
		expect(office.log.mock.calls.filter(([, event]) => event === "request failed")).toEqual([]);
		const rows = await office.database.query("SELECT email_key FROM registration");
		expect(rows).toHaveLength(people.length);
	});
});

/** Each kind of filter, and the index that serves it. */
const PLANS: [ListFilter, string][] = [
	[{}, "registration_by_time"],
	[{ since: TIMES[2]!, until: TIMES[5]! }, "registration_by_time"],
	[{ mark: "none" }, "registration_by_time"],
	[{ state: "unconfirmed" }, "registration_by_time"],
	[{ source: "fair" }, "registration_by_source"],
	[{ source: "fair", since: TIMES[2]! }, "registration_by_source"],
	[{ mark: "trap" }, "registration_flagged_by_time"],
	[{ state: "left" }, "recipient_by_leaving"],
	[{ state: "bounced" }, "recipient_bounced"],
	[{ state: "confirmed", source: "fair" }, "recipient_confirmed"],
	[{ wave: "beta-1", state: "left" }, "letter_of_wave_by_person"],
];

it("reads a page of every kind of filter by an index, in its order", async () => {
	const { database } = await openOffice("SQLite", cluster());
	for (const [filter, index] of PLANS) {
		for (const oldest of [false, true]) {
			for (const after of [
				undefined,
				{ at: filter.wave ? "" : TIMES[4]!, key: "p1@example.com" },
			]) {
				const { sql, parameters } = windowStatement({ ...filter, oldest }, after, 51);
				const plan = await database.query<{ detail: string }>(
					`EXPLAIN QUERY PLAN ${sql}`,
					parameters,
				);
				const steps = plan.map(({ detail }) => detail).join("\n");
				expect(steps, JSON.stringify(filter)).toMatch(
					new RegExp(`USING (COVERING )?INDEX ${index}\\b`),
				);
				expect(steps, JSON.stringify(filter)).not.toMatch(
					/SCAN (?!page|registration USING|recipient USING)/,
				);
			}
		}
	}
});
