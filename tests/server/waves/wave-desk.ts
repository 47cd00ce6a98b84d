import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PostgresDatabases } from "../../../bench/harness/postgres-cluster.ts";
import { openLetterDesk } from "../operator/letter-desk.ts";
import type { DatabaseKind } from "../waitlist/databases.ts";

/** What a command needs that writes letters. Nothing listens there: only a server sends. */
export const MAIL = {
	SMTP_URL: "smtp://127.0.0.1:1",
	WAITLIST_MAIL_FROM: "hello@orbit.example",
	SITE_ORIGIN: "https://orbit.example",
};

/** The brand may have no postal address yet, for which these commands stop. */
const withoutImprint = (args: string) =>
	/^(?:invite|write) /.test(args) ? `${args} --no-imprint` : args;

/** A desk that may write to its people. */
export async function openWaveDesk(kind: DatabaseKind, cluster: PostgresDatabases) {
	const desk = await openLetterDesk(kind, cluster);
	Object.assign(desk.env, MAIL);
	// Makes the tables.
	await desk.read("SELECT 1");
	return {
		...desk,
		run: (args: string, input?: string) => desk.run(withoutImprint(args), input),
		json: (args: string, input?: string) => desk.json(withoutImprint(args), input),
		/** Adds people who joined one after the other and confirmed, from `p1@example.com` on. */
		async people(count: number, from = 1) {
			const numbers = `WITH RECURSIVE n(n) AS (
				SELECT ${from} UNION ALL SELECT n + 1 FROM n WHERE n < ${from + count - 1})`;
			const { randomId } = await desk.inDatabase(async ({ dialect }) => dialect);
			const digit = (place: number) => `substr(CAST(1000000 + n AS TEXT), ${place}`;
			const time = `'2026-01-01T0' || ${digit(2)}, 1) || ':0' || ${digit(3)}, 1) || ':0' ||
				${digit(4)}, 1) || '.' || ${digit(5)}) || 'Z'`;
			await desk.read(`INSERT INTO registration (email_key, email, source, created_at, terms)
				${numbers} SELECT 'p' || n || '@example.com', 'P' || n || '@Example.com', 'fair',
					${time}, '' FROM n`);
			await desk.read(`INSERT INTO recipient (email_key, id, confirmed_at)
				SELECT email_key, ${randomId}, created_at FROM registration WHERE source = 'fair'
				ON CONFLICT (email_key) DO NOTHING`);
		},
		/** Writes the letter of a wave, and gives its file. */
		async message(text: string, name = "letter.txt") {
			const file = join(desk.folder, name);
			await writeFile(file, text);
			return file;
		},
		/** The people of a wave whose letters are in a state, as the numbers in their addresses. */
		async inWave(wave: string, states = "waiting") {
			const rows = await desk.read<{ key: string }>(
				`SELECT email_key AS "key" FROM letter WHERE wave = $1 AND state IN ('${states}')
				ORDER BY length(email_key), email_key`,
				wave,
			);
			return rows.map(({ key }) => Number(/^p(\d+)@/.exec(key)?.[1] ?? key));
		},
		/** What `waves` counts of one wave. */
		async counts(wave: string): Promise<Record<string, number>> {
			const { waves } = await desk.json(`waves ${wave}`);
			const counts = Object.entries(waves[0].letters).filter(([, count]) => count !== 0);
			return Object.fromEntries(counts) as Record<string, number>;
		},
	};
}
