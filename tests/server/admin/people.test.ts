import { describe, expect, it } from "vitest";
import { STATES } from "../../../src/server/mail/people/list.ts";
import { given, peopleOf, remove } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { fractions } from "../chance.ts";
import { usePostgres } from "../registrations/databases.ts";
import { openAdmin } from "./open-admin.ts";

const cluster = usePostgres();

function createRandom(seed: number): () => number {
	const random = fractions(seed);
	return () => random.next().value;
}

const SOURCES = ["landing-page", "fair", "x' OR '1'='1", "<b>bold</b>", "100%"];
const TIMES = Array.from({ length: 12 }, (_, n) => `2026-11-${10 + n}T09:30:00.000Z`);
const WAVES = ["beta-1", "beta-2", "nobody"];

interface Person {
	key: string;
	source: string;
	joinedAt: string;
	flag: string;
	state: string;
	waves: string[];
}

type Admin = Awaited<ReturnType<typeof openAdmin>>;

/** People of every kind: some joined in the same millisecond, some have an address that is markup. */
async function addPeople({ database }: Admin, count: number): Promise<Person[]> {
	const pick = createRandom(7);
	const one = <Item>(items: readonly Item[]): Item => items[Math.floor(pick() * items.length)]!;
	const people = Array.from({ length: count }, (_, n): Person => {
		const key = n === 0 ? "a&b'<i>@example.com" : `p${n}@example.com`;
		return {
			key,
			source: one(SOURCES),
			joinedAt: one(TIMES),
			flag: one(["", "", "", "honeypot", "burst", "operator"]),
			state: one(STATES),
			waves: WAVES.slice(0, 2).filter(() => pick() < 0.3),
		};
	});
	const time = (person: Person, is: string) =>
		person.state === is ? TIMES[person.key.length % 3]! : "";
	await given.people(
		database,
		people.map((person) => ({
			key: person.key,
			source: person.source,
			joined: person.joinedAt,
			flag: person.flag,
			// A person who unsubscribed may have confirmed, and bounced before.
			...((person.state !== "unconfirmed" || person.key.length % 2) && {
				confirmed: person.state === "unconfirmed" ? "" : TIMES[person.key.length % 4]!,
				unsubscribed: time(person, "left"),
				bounced: time(person, "bounced") || (person.state === "left" ? TIMES[1]! : ""),
			}),
		})),
	);
	for (const name of WAVES) await given.wave(database, { name });
	await given.emails(
		database,
		people.flatMap(({ key, waves }) =>
			waves.flatMap((wave) => ["invitation", "news"].map((kind) => ({ to: key, kind, wave }))),
		),
	);
	return people;
}

/** The obvious answer. */
function keysOf(people: readonly Person[], search: URLSearchParams): string[] {
	const is = (name: string, holds: (value: string) => boolean) =>
		!search.get(name) || holds(search.get(name)!);
	const some = people.filter(
		({ source, joinedAt, state, waves, flag }) =>
			is("source", (value) => source === value) &&
			is("since", (value) => joinedAt >= value) &&
			is("until", (value) => joinedAt < value) &&
			is("state", (value) => state === value) &&
			is("wave", (value) => waves.includes(value)) &&
			is("flag", (value) => flag === (value === "none" ? "" : value)),
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
	{ get }: Admin,
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

/** The keys of an export, in its order. */
async function exportedBy({ get }: Admin, session: Record<string, string>, search: string) {
	const [head, ...lines] = (await get(`/people.csv?${search}`, session)).text.trim().split("\r\n");
	const column = head!.split(",").indexOf("key");
	return lines.map((line) => line.split(",")[column]!);
}

function searchOf(random: () => number): URLSearchParams {
	const one = (items: readonly string[]) => items[Math.floor(random() * items.length)]!;
	const values: Record<string, readonly string[]> = {
		source: SOURCES,
		since: TIMES,
		until: TIMES,
		state: STATES,
		wave: WAVES,
		flag: ["honeypot", "burst", "operator", "any", "none"],
	};
	const search = new URLSearchParams();
	for (const [name, items] of Object.entries(values))
		if (random() < 0.3) search.set(name, one(items));
	return search;
}

const FILTERS = 30;
const SEED = 2026;

describe(`the page People on ${kind}`, () => {
	it(`and its export have the same people in the same order, for ${FILTERS} filters (seed ${SEED})`, async () => {
		const admin = await openAdmin(kind, cluster());
		const people = await addPeople(admin, 300);
		const session = await admin.signIn();
		const random = createRandom(SEED);
		for (let n = 0; n < FILTERS; n++) {
			const search = n === 0 ? new URLSearchParams() : searchOf(random);
			const seen = await seenIn(admin, session, `/people?${search}`);
			const joined = seen.map((key) => people.find((one) => one.key === key)!.joinedAt);
			expect(joined, `${search}`).toEqual(joined.toSorted().reverse());
			expect([...seen].sort(), `${search}`).toEqual(keysOf(people, search));
			const page = (await admin.get(`/people?${search}`, session)).text;
			const [, count] = />(\d+) (?:people|person), the latest/.exec(page) ?? [];
			expect(count, `${search}`).toBe(seen.length > 0 ? `${seen.length}` : undefined);
			expect(await exportedBy(admin, session, `${search}`), `${search}`).toEqual(seen);
		}
		const search = new URLSearchParams({ source: `../"x"; ü💌`, since: "2026-11-21T09:30Z" });
		const { text, headers } = await admin.get(`/people.csv?${search}`, session);
		expect(headers["content-disposition"]).toBe('attachment; filename="waitlist-2026-11-23.csv"');
		expect(text.split("\r\n")[0]).toBe(
			"email,source,joinedAt,terms,flag,key,confirmedAt,unsubscribedAt,bouncedAt,wave,invitedAt,expiresAt,redeemedAt,unknownAt",
		);
		expect((await admin.get("/people", session)).text).not.toMatch(/<b>bold|<i>@/);
	});

	it("shows each person once while others join and are erased", async () => {
		const admin = await openAdmin(kind, cluster());
		const people = await addPeople(admin, 240);
		const session = await admin.signIn();
		let joined = 0;
		const seen = await seenIn(admin, session, "/people", async () => {
			joined += 1;
			const email = `new-${joined}@example.com`;
			await given.person(admin.database, { email, joined: "2026-11-30T00:00:00.000Z" });
			await remove(admin.database, "people", { key: `new-${joined - 1}@example.com` });
		});
		expect(joined).toBeGreaterThan(3);
		expect(seen.toSorted()).toEqual(people.map(({ key }) => key).sort());
	});

	it("refuses an unknown filter, and takes any value of a known one as a value", async () => {
		const admin = await openAdmin(kind, cluster());
		const people = await addPeople(admin, 60);
		const session = await admin.signIn();
		const statusOf = async (search: Record<string, string>) =>
			(await admin.get(`/people?${new URLSearchParams(search)}`, session)).status;
		for (const name of ["limit", "email_key", "__proto__", "constructor"]) {
			expect(await statusOf({ source: "fair", [name]: "1" }), name).toBe(409);
		}
		const values = ["' OR 1=1 --", "; DROP TABLE registration", "$1", "\0", "%", "\u202e", "{}"];
		for (const name of ["source", "since", "state", "wave", "flag", "after"]) {
			for (const value of [...values, "9".repeat(300), "2026-11-12 p9@example.com"]) {
				expect(await statusOf({ [name]: value }), `${name}=${value}`).toBeOneOf([200, 400, 409]);
			}
		}
		const search = new URLSearchParams({ source: values[0]! });
		expect(await exportedBy(admin, session, `${search}`)).toEqual([]);
		expect(admin.log.mock.calls.filter(([, event]) => event === "request failed")).toEqual([]);
		expect(await peopleOf(admin.database)).toHaveLength(people.length);
	});
});
