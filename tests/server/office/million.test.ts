/** @module-tag slow */
/*
 * The office of a list of a million people and two years: how long its pages take.
 */
import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import type { DatabaseKind } from "../waitlist/databases.ts";
import { usePostgres } from "../waitlist/databases.ts";
import type { openMailDesk } from "../waves/mail-desk.ts";
import { openOfficeDesk } from "./office-desk.ts";

const cluster = usePostgres();

type Desk = Awaited<ReturnType<typeof openMailDesk>>;

const PEOPLE = Number(process.env.OFFICE_PEOPLE ?? 1_000_000);
const DAYS = 730;

/** SQL for the time so many seconds ago. */
const AGO: Record<DatabaseKind, (seconds: string) => string> = {
	SQLite: (seconds) => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (${seconds}) || ' seconds')`,
	PostgreSQL: (seconds) =>
		`to_char(now() AT TIME ZONE 'UTC' - (${seconds}) * INTERVAL '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/** Nearly everybody was asked, three of five confirmed, and a wave has gone to every tenth. */
async function fill({ env, read, inDatabase }: Desk, kind: DatabaseKind): Promise<void> {
	const { randomId } = await inDatabase(async ({ dialect }) => dialect);
	const ago = AGO[kind];
	const numbers = (most: number) =>
		`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${most})`;
	await read(`INSERT INTO registration (email_key, email, source, created_at, terms, flags)
		${numbers(PEOPLE)} SELECT 'p' || n || '@example.com', 'P' || n || '@example.com',
			'source-' || ((n % 40) * (n % 3)), ${ago(`n * ${(DAYS * 86_400) / PEOPLE}`)}, '2026-11-01',
			CASE WHEN n % 200 = 3 THEN 'trap' WHEN n % 200 = 7 THEN 'crowd' ELSE '' END FROM n`);
	const state = (of: string) => `CASE WHEN ${of} THEN created_at ELSE '' END`;
	const number = "CAST(substr(email_key, 2, length(email_key) - 13) AS INTEGER)";
	await read(`INSERT INTO recipient (email_key, id, confirmed_at, confirmed_by, left_at, bounced_at, bounce)
		SELECT email_key, ${randomId}, ${state(`${number} % 5 > 1`)}, '', ${state(`${number} % 50 = 1`)},
			${state(`${number} % 100 = 2`)}, '' FROM registration WHERE flags = ''`);
	const letter =
		"INSERT INTO letter (kind, wave, email_key, id, state, asked_at, next_at, ended_at, code)";
	await read(`${letter} SELECT 'confirm', '', email_key, ${randomId},
		CASE WHEN ${number} % 1000 = 9 THEN 'unknown' WHEN ${number} % 100 = 2 THEN 'refused' ELSE 'accepted' END,
		created_at, created_at, created_at, '250' FROM registration WHERE flags = ''`);
	await read(`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at, valid_days, subject, message)
		VALUES ('beta-1', 'invitation', 'open', '2026', '2026', 0, '2026', 14, '', '')`);
	await read(`${letter} SELECT 'invitation', 'beta-1', email_key, ${randomId}, 'accepted',
		created_at, created_at, created_at, '250' FROM registration WHERE flags = '' AND ${number} % 10 = 0`);
	await read(`INSERT INTO visit_day (day, visits)
		${numbers(DAYS)} SELECT substr(${ago("n * 86400")}, 1, 10), 1000 + n FROM n`);
	// PostgreSQL does so by itself after so many rows.
	await read(kind === "SQLite" ? "ANALYZE" : "VACUUM ANALYZE");
	// The joins are measured, and not the letters that they bring.
	delete env.SMTP_URL;
	delete env.WAITLIST_MAIL_FROM;
	delete env.WAITLIST_MAIL_RATE;
}

const PAGES = [
	...["/", "/list", "/list?order=oldest", "/list?source=source-7", "/list?source=nobody"],
	...[
		"/list?since=2025-12-01&until=2026-01-01",
		"/list?mark=trap",
		"/list?mark=crowd",
		"/list?mark=none",
	],
	...[
		"/list?state=unconfirmed",
		"/list?state=confirmed",
		"/list?state=bounced",
		"/list?state=left",
	],
	...["/list?wave=beta-1", "/list?wave=beta-1&state=left", "/list?state=confirmed&source=source-7"],
	...["/list?state=unconfirmed&mark=crowd&source=source-7&until=2025-06-01"],
	...[
		`/person/p${PEOPLE / 2}%40example.com`,
		"/letters",
		"/letters/unknown",
		"/audit",
		"/sessions",
	],
];

/** Requests of each page. */
const TIMES = 8;

const median = (numbers: readonly number[]) =>
	numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** CPU time that a process has taken, in ms: what a busy machine changes least. Linux counts in ticks of 10 ms. */
async function cpuOf(pid: number): Promise<number> {
	const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]!.split(" ");
	return 10 * (Number(fields[11]) + Number(fields[12]));
}

it(`with a million people on ${kind} every page is there at once`, async () => {
	const env = { TRUSTED_PROXIES: "127.0.0.1" };
	const { get, server } = await openOfficeDesk(kind, cluster(), env, (desk) => fill(desk, kind));
	const times: Record<string, string> = {};
	for (const path of PAGES) {
		const took: number[] = [];
		const cpu = await cpuOf(server.process.pid!);
		for (let n = 0; n < TIMES; n++) {
			const start = performance.now();
			const { status, text } = await get(path);
			took.push(performance.now() - start);
			expect([status, text.length < 60_000], path).toEqual([200, true]);
		}
		const cpuMs = (await cpuOf(server.process.pid!)) - cpu;
		times[path] =
			`${median(took).toFixed(0)} ms, first ${took[0]!.toFixed(0)}, CPU of the server ${(cpuMs / TIMES).toFixed(0)}`;
	}
	console.log(kind, times);
});
