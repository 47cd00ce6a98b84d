/** @module-tag slow */
import { readFile } from "node:fs/promises";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { LEAVE_FIELD, leaveActions } from "#shared/letters.ts";
import { createLinks } from "../../../../src/server/letters/links/links.ts";
import { MOST_WAITING } from "../../../../src/server/letters/links/on-request.ts";
import { kind } from "../../../given/kind.ts";
import { ERASURE_KEY } from "../../operator/desk.ts";
import { type DatabaseKind, usePostgres } from "../../waitlist/databases.ts";
import { openMailDesk } from "../../waves/mail-desk.ts";

const cluster = usePostgres();

const links = createLinks(ERASURE_KEY, {
	origin: "",
	from: { name: "", address: "" },
	bounces: undefined,
});

const personOf = (n: number) => n.toString(16).padStart(32, "0");

/** A server, and so many people who have a letter of it. */
async function open(kind: DatabaseKind, people: number) {
	const { env, read, settings, start } = await openMailDesk(kind, cluster());
	const server = await start();
	const keys = Array.from({ length: people }, (_, n) => [`p${n}@example.com`, personOf(n)]);
	const rows = kind === "SQLite" ? "json_each($1)" : "json_array_elements($1::json) AS rows(value)";
	const [registrations, recipients] = [
		`INSERT INTO registration (email_key, email, source, created_at, terms)
		SELECT value->>0, value->>0, '', '2026-01-01T00:00:00.000Z', '' FROM ${rows}`,
		`INSERT INTO recipient (email_key, id) SELECT value->>0, value->>1 FROM ${rows}`,
	];
	for (const sql of [registrations, recipients]) await read(sql, JSON.stringify(keys));
	const post = (path: string, action?: string) =>
		fetch(new URL(path, server.url), {
			method: "POST",
			body: new URLSearchParams(action ? { [LEAVE_FIELD]: action } : {}),
		});
	return { post, read, server, settings, proofsFile: env.WAITLIST_ERASURES! };
}

const leavePath = (n: number) => links.leaveUrl(personOf(n));
const confirmPath = (n: number) => links.confirmUrl(personOf(n), Date.now());

describe(`the links of one person on ${kind}`, () => {
	it("leave at any time, come back three times a day, and keep one proof", async () => {
		const { post, proofsFile, read } = await open(kind, 1);
		const came: number[] = [];
		for (let n = 0; n < 30; n++) {
			expect((await post(leavePath(0))).status).toBe(200);
			const answer =
				n % 2 === 0 ? await post(confirmPath(0)) : await post(leavePath(0), leaveActions.comeBack);
			came.push(answer.status);
			if (answer.status === 429) {
				expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3600);
			}
		}
		expect(came.filter((status) => status === 200)).toHaveLength(3);
		expect(new Set(came)).toEqual(new Set([200, 429]));
		expect(await read("SELECT reason FROM erasure")).toEqual([{ reason: "left by one-click" }]);
		// One each time that they had come back, and one for the first time.
		expect((await readFile(proofsFile, "utf8")).trim().split("\n")).toHaveLength(4);
		expect(await read("SELECT 1 AS one FROM recipient WHERE left_at <> ''")).toHaveLength(1);
	});

	it("bring back who left, from the page that says so", async () => {
		const { post, read } = await open(kind, 1);
		const left = await post(leavePath(0));
		expect(await left.text()).toContain(`value="${leaveActions.comeBack}"`);
		const back = await post(leavePath(0), leaveActions.comeBack);
		expect(await back.text()).toContain("Now we know where to find you");
		expect(await read("SELECT left_at, confirmed_by FROM recipient")).toEqual([
			{ left_at: "", confirmed_by: "button" },
		]);
	});

	it("are limited in number, but never to leave", async () => {
		const { post, server } = await open(kind, 2);
		const statuses = async (ask: () => Promise<Response>) =>
			new Set((await Promise.all(Array.from({ length: 70 }, ask))).map(({ status }) => status));
		expect(await statuses(() => fetch(new URL(confirmPath(0), server.url)))).toEqual(
			new Set([200, 429]),
		);
		expect(await statuses(() => post(leavePath(0)))).toEqual(new Set([200]));
		expect((await fetch(new URL(leavePath(1), server.url))).status).toBe(200);
	});
});

describe("people who leave while nobody is answered", () => {
	it("wait in a bounded queue, and the others are asked to try again", async () => {
		const more = 20;
		const { post, read, settings } = await open("PostgreSQL", MOST_WAITING + more);
		// Leaving waits for this row.
		await read("INSERT INTO outbox (one) VALUES (1) ON CONFLICT DO NOTHING");
		const holder = new pg.Client({ connectionString: (settings as { url: string }).url });
		await holder.connect();
		onTestFinished(() => holder.end());
		await holder.query("BEGIN; UPDATE outbox SET one = 1");
		const answers: Response[] = [];
		const asked = Array.from({ length: MOST_WAITING + more }, async (_, n) => {
			answers.push(await post(leavePath(n)));
		});
		onTestFinished(() => void Promise.allSettled(asked));
		await expect.poll(() => answers.length).toBe(more);
		expect(answers.map(({ status }) => status)).toEqual(Array(more).fill(503));
		expect(answers[0]!.headers.get("retry-after")).toBe("5");
		await holder.query("COMMIT");
		await Promise.all(asked);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(MOST_WAITING);
		const left = await read("SELECT 1 AS one FROM recipient WHERE left_at <> ''");
		expect(left).toHaveLength(MOST_WAITING);
	});
});
