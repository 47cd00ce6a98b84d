import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../../src/server/database/sql.ts";
import { given, readEmails } from "../../given/given.ts";
import { openEmailSetup } from "../commands/email-setup.ts";
import type { DatabaseKind } from "../registrations/databases.ts";

/** Nothing listens at this URL, because commands do not send. */
export const MAIL_SETTINGS = {
	SMTP_URL: "smtp://127.0.0.1:1",
	WAITLIST_MAIL_FROM: "hello@orbit.example",
	SITE_ORIGIN: "https://orbit.example",
};

/** The brand may lack the postal address that these commands require. */
const withoutImprint = (args: string) =>
	/^(?:invite|news) /.test(args) ? `${args} --no-imprint` : args;

export async function openWaveSetup(kind: DatabaseKind) {
	const setup = await openEmailSetup(kind);
	Object.assign(setup.env, MAIL_SETTINGS);
	await setup.all(sql`SELECT 1`);
	return {
		...setup,
		run: (args: string, input?: string) => setup.run(withoutImprint(args), input),
		json: (args: string, input?: string) => setup.json(withoutImprint(args), input),
		people: (count: number, from = 1) =>
			given.people(
				setup,
				Array.from({ length: count }, (_, n) => {
					const joined = new Date(Date.UTC(2026, 0, 1) + 1000 * (from + n));
					const email = `P${from + n}@Example.com`;
					return { email, source: "fair", joined, confirmed: joined };
				}),
			),
		async message(text: string, name = "letter.txt") {
			const file = join(setup.folder, name);
			await writeFile(file, text);
			return file;
		},
		async inWave(wave: string, state = "waiting") {
			const emails = await readEmails(setup, { wave, state });
			const numbers = emails.map(({ to }) => Number(/^p(\d+)@/.exec(to)?.[1]));
			return numbers.sort((a, b) => a - b);
		},
		async counts(wave: string): Promise<Record<string, number>> {
			const { waves } = await setup.json(`waves ${wave}`);
			const counts = Object.entries(waves[0].emails).filter(([, count]) => count !== 0);
			return Object.fromEntries(counts) as Record<string, number>;
		},
	};
}
