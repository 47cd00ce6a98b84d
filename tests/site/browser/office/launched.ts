import type { openOfficeDesk } from "../../../server/office/office-desk.ts";

type Desk = Awaited<ReturnType<typeof openOfficeDesk>>["desk"];

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

const SOURCES = ["landing-page", "newsletter", "producthunt", "a friend’s long letter", "hn"];

/**
 * Fills a list as it is on the day of a launch: four weeks of joins with visits, a wave that went out,
 * letters of which nobody knows, bounces, marks. The people of `people()` have had a place before.
 */
export async function launch({ read, people, json }: Pick<Desk, "read" | "people" | "json">) {
	await people(60);
	await read("UPDATE registration SET created_at = $1", ago(24 * 20));
	const joined: [email: string, source: string, at: string, flags: string][] = [];
	for (let n = 0; n < 600; n++) {
		// Half of them on the last two days, and more by day than by night.
		const hours = n < 300 ? (n / 300) ** 1.4 * 46 : 48 + ((n - 300) / 300) ** 1.2 * 24 * 26;
		const flags = n % 97 === 5 ? "trap" : n % 41 === 3 ? "crowd" : "";
		const name = ["ada", "grace.hopper", "l.m.montgomery-of-green-gables", "jürgen"][n % 4]!;
		const domain = ["example.com", "mail.example.org", "a-rather-long-company.example.net"][n % 3]!;
		joined.push([`${name}${n}@${domain}`, SOURCES[(n * n) % 5]!, ago(hours), flags]);
	}
	await read(
		`INSERT INTO registration (email_key, email, source, created_at, terms, flags)
		SELECT value->>0, value->>0, value->>1, value->>2, '2026-11-01', value->>3 FROM json_each($1)`,
		JSON.stringify(joined),
	);
	await read(
		`INSERT INTO letter (kind, wave, email_key, id, state, asked_at, next_at, ended_at, code)
		SELECT 'confirm', '', email_key, hex(randomblob(8)),
			CASE WHEN rowid % 50 = 7 THEN 'unknown' WHEN rowid % 29 = 3 THEN 'refused' ELSE 'accepted' END,
			created_at, created_at, created_at, CASE WHEN rowid % 29 = 3 THEN '550 5.1.1' ELSE '250' END
		FROM registration WHERE flags = '' AND source <> 'fair'`,
	);
	await read(
		`INSERT INTO recipient (email_key, id, confirmed_at, confirmed_by, left_at, bounced_at, bounce)
		SELECT email_key, hex(randomblob(8)), CASE WHEN rowid % 3 > 0 THEN created_at ELSE '' END,
			CASE WHEN rowid % 3 > 0 THEN 'button' ELSE '' END,
			CASE WHEN rowid % 37 = 1 THEN created_at ELSE '' END,
			CASE WHEN rowid % 29 = 3 THEN created_at ELSE '' END,
			CASE WHEN rowid % 29 = 3 THEN '550 5.1.1 no such user' ELSE '' END
		FROM registration WHERE flags = '' AND source <> 'fair'`,
	);
	for (let day = 0; day < 24; day++) {
		const visits = `${Math.round(4000 / (1 + day) + 90 + ((day * 37) % 50))}`;
		await read(
			`INSERT INTO visit_day (day, visits) VALUES ($1, CAST($2 AS INTEGER))
			ON CONFLICT (day) DO NOTHING`,
			...[ago(24 * day).slice(0, 10), visits],
		);
	}
	await json("invite 40 --wave beta-1 --yes");
	await json("invite 30 --wave beta-2 --at 2099-01-01 --yes");
	await json("pause beta-2");
}
