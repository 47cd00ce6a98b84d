import { describe, expect, it } from "vitest";
import { given, readPeople, removeRows } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import type { RowInput } from "../../given/rows.ts";
import { openSignedInAdmin, unescapeHtml } from "./open-admin.ts";

const PEOPLE = {
	ada: { source: "fair", joined: "2026-11-10T09:30:00.000Z", confirmed: true },
	bob: { source: "fair", joined: "2026-11-11T09:30:00.000Z", confirmed: false },
	cyd: { source: "<b>bold</b>", joined: "2026-11-12T09:30:00.000Z", flag: "burst" },
	dan: { source: "100%", joined: "2026-11-12T09:30:00.000Z", confirmed: true, unsubscribed: true },
	eve: { source: "fair", joined: "2026-11-12T09:30:00.000Z", bounced: true, confirmed: true },
	"a&b'<i>": { joined: "2026-11-13T09:30:00.000Z", bounced: true, unsubscribed: true },
} satisfies Record<string, RowInput<"people">>;

/** Searches, and the names they find, latest join first. */
const FILTERS: [search: string, names: string][] = [
	["", "a&b'<i> eve dan cyd bob ada"],
	["source=fair", "eve bob ada"],
	["since=2026-11-12T09:30:00.000Z", "a&b'<i> eve dan cyd"],
	["until=2026-11-12T09:30:00.000Z", "bob ada"],
	["since=2026-11-11&until=2026-11-13&source=fair", "eve bob"],
	["state=confirmed", "ada"],
	["state=unconfirmed", "cyd bob"],
	["state=bounced", "eve"],
	["state=unsubscribed", "a&b'<i> dan"],
	["wave=beta-1", "bob ada"],
	["wave=beta-1&state=confirmed", "ada"],
	["wave=nobody", ""],
	["flag=burst", "cyd"],
	["flag=any", "cyd"],
	["flag=none&source=fair", "eve bob ada"],
	["flag=honeypot", ""],
];

type Admin = Awaited<ReturnType<typeof openSignedInAdmin>>;

async function seenIn({ get }: Admin, first: string, onPage = async () => {}) {
	const keys: string[] = [];
	for (let path = first; path; ) {
		const { status, text } = await get(path);
		expect(status, path).toBe(200);
		for (const [, key] of text.matchAll(/<th scope="row"><a href="\/people\/([^"]+)"/g)) {
			keys.push(decodeURIComponent(unescapeHtml(key!)));
		}
		const [, next] = /href="([^"]+)">Next</.exec(text) ?? [];
		path = next ? unescapeHtml(next) : "";
		await onPage();
	}
	return keys;
}

async function exportedBy({ get }: Admin, search: string) {
	const [head, ...lines] = (await get(`/people.csv?${search}`)).text.trim().split("\r\n");
	const column = head!.split(",").indexOf("key");
	return lines.map((line) => line.split(",")[column]!);
}

describe(`the page People on ${kind}`, () => {
	it("and its export have the same people in the same order, with any filter", async () => {
		const admin = await openSignedInAdmin(kind);
		const { database, get } = admin;
		await given.people(
			database,
			Object.entries(PEOPLE).map(([name, person]) => ({ email: `${name}@example.com`, ...person })),
		);
		for (const kind of ["invitation", "news"]) {
			const wave = { kind, wave: "beta-1" };
			await given.emails(database, ["ada@example.com", "bob@example.com"], wave);
		}
		for (const name of ["beta-1", "nobody"]) await given.wave(database, { name });
		for (const [search, names] of FILTERS) {
			const keys = names ? names.split(" ").map((name) => `${name}@example.com`) : [];
			expect(await seenIn(admin, `/people?${search}`), search).toEqual(keys);
			const page = (await get(`/people?${search}`)).text;
			const [, count] = />(\d+) (?:people|person), latest/.exec(page) ?? [];
			expect(count, search).toBe(keys.length > 0 ? `${keys.length}` : undefined);
			expect(await exportedBy(admin, search), search).toEqual(keys);
		}
		const search = new URLSearchParams({ source: `../"x"; ü💌`, since: "2026-11-21T09:30Z" });
		const { text, headers } = await get(`/people.csv?${search}`);
		expect(headers["content-disposition"]).toBe('attachment; filename="waitlist-2026-11-23.csv"');
		expect(text.split("\r\n")[0]).toBe(
			"email,source,joinedAt,terms,flag,key,confirmedAt,unsubscribedAt,bouncedAt,wave,invitedAt,expiresAt,redeemedAt,unknownAt",
		);
		const unsubscribed = (await get("/people.csv?state=unsubscribed")).text.split("\r\n")[1]!;
		expect(unsubscribed.split(",")[7]).toMatch(/^20/);
		expect((await get("/people")).text).not.toMatch(/<b>bold|<i>@/);
	});

	it("shows each person once while others join and are deleted", async () => {
		const admin = await openSignedInAdmin(kind);
		const emails = Array.from({ length: 240 }, (_, n) => `p${n}@example.com`);
		const joinedAt = (n: number) => `2026-11-${10 + (n % 12)}T09:30:00.000Z`;
		await given.people(
			admin.database,
			emails.map((email, n) => ({ email, joined: joinedAt(n) })),
		);
		let joined = 0;
		const seen = await seenIn(admin, "/people", async () => {
			joined += 1;
			const email = `new-${joined}@example.com`;
			await given.person(admin.database, { email, joined: "2026-11-30T00:00:00.000Z" });
			await removeRows(admin.database, "people", { key: `new-${joined - 1}@example.com` });
		});
		expect(joined).toBeGreaterThan(3);
		expect(seen.toSorted()).toEqual(emails.sort());
	});

	it("refuses unknown filters, and escapes the values of known ones", async () => {
		const admin = await openSignedInAdmin(kind);
		await given.person(admin.database);
		const statusOf = async (search: Record<string, string>) =>
			(await admin.get(`/people?${new URLSearchParams(search)}`)).status;
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
		expect(await exportedBy(admin, `${search}`)).toEqual([]);
		expect(admin.log.mock.calls.filter(([, event]) => event === "request failed")).toEqual([]);
		expect(await readPeople(admin.database)).toHaveLength(1);
	});
});
