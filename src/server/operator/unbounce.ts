import type { Command } from "commander";
import type { Database } from "../database/database.ts";
import { keysAsJson, keysOf } from "../database/dialect.ts";
import { judgeStreams } from "../letters/brake.ts";
import { UNWANTED } from "../letters/letters.ts";
import { LOCK } from "../letters/outbox.ts";
import { findPeople } from "../waitlist/registrations.ts";
import { EXIT, JSON_HELP, notFoundAsText, print, withDatabase } from "./terminal/command.ts";
import { reasonsOf, type Unchanged, unchangedAsText } from "./terminal/reasons.ts";

/** Adds `waitlist unbounce`: an address exists after all. */
export function addUnbounce(program: Command): void {
	program
		.command("unbounce <emails...>")
		.summary("write again to people whose address exists after all")
		.description(
			"Takes back that these addresses do not exist, where a mail server was wrong. These people get " +
				"letters again from now on. Nothing is sent by this: `waitlist retry` with an address sends " +
				"again what was refused.",
		)
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { json }) => {
			await withDatabase(async ({ database, now }) => {
				const { keys, notFound } = await findPeople(database, emails);
				const { unbounced, unchanged } = await unbounce(database, keys, now);
				print(json, { unbounced, unchanged, notFound }, () =>
					[
						...unbounced.map(unbouncedAsText),
						...unchangedAsText(unchanged),
						...notFoundAsText(notFound),
					].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

/** A person whom letters can reach again. */
interface Unbounced {
	email: string;
	/** Whether they have left: then they get none all the same. */
	left: boolean;
	/** Letters that `retry` would send again. */
	refused: number;
}

/** Whoever has left stays left. Streams that these addresses slowed are judged again. */
async function unbounce(
	database: Database,
	keys: readonly string[],
	now: Date,
): Promise<{ unbounced: Unbounced[]; unchanged: Unchanged[] }> {
	const { dialect } = database;
	const some = `email_key IN (SELECT value->>0 FROM ${dialect.jsonRows})`;
	const changed = await database.transaction(async (query) => {
		await query(LOCK);
		return query<{ key: string; leftAt: string }>(
			`UPDATE recipient SET bounced_at = '', bounce = ''
			WHERE bounced_at <> '' AND ${some} RETURNING email_key AS "key", left_at AS "leftAt"`,
			[keysAsJson(keys)],
		);
	});
	await judgeStreams(database, now.getTime());
	const refused = await database.query<{ key: string; refused: number }>(
		`SELECT email_key AS "key", CAST(count(*) AS INTEGER) AS refused FROM letter
		WHERE state = 'refused' AND NOT ${UNWANTED} AND ${some} GROUP BY email_key`,
		[keysAsJson(keysOf(changed))],
	);
	const counts = new Map(refused.map((row) => [row.key, row.refused]));
	const others = keys.filter((key) => !keysOf(changed).includes(key));
	return {
		unbounced: changed.map(({ key: email, leftAt }) => ({
			...{ email, left: leftAt !== "", refused: counts.get(email) ?? 0 },
		})),
		unchanged: (await reasonsOf(database, others)).map(({ email, reason }) => ({
			email,
			reason: `this address has not bounced; ${reason}`,
		})),
	};
}

function unbouncedAsText({ email, left, refused }: Unbounced): string {
	if (left) return `Has left, and gets no letter: ${email}.`;
	const again =
		refused > 0
			? ` Refused letters, which \`waitlist retry ${email}\` sends again: ${refused}.`
			: "";
	return `Gets letters again: ${email}.${again}`;
}
