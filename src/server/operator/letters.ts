import type { Command } from "commander";
import { type Pause, UNSENT, UNTIL_RELEASED } from "../letters/outbox.ts";
import { HELD } from "../letters/wave.ts";
import type { Query } from "./database/database.ts";

import { JSON_HELP, number, type Operation, print, withDatabase } from "./operation.ts";

/** Adds `waitlist letters`: how many letters there are, and where they are on their way. */
export function addLetters(program: Command): void {
	program
		.command("letters")
		.description("how many letters wait, went out or came back, and whether anything stops them")
		.option("--unknown", "list the letters of which nobody knows whether they arrived")
		.option("--json", JSON_HELP)
		.action(async ({ unknown = false, json }) => {
			await withDatabase(async (operation) => {
				if (unknown) {
					const letters = await readUnknown(operation);
					print(json, { letters }, () => unknownAsText(letters));
					return;
				}
				const letters = await readLetters(operation);
				print(json, letters, () => lettersAsText(letters));
			});
		});
}

/** The letters in numbers. */
interface Letters {
	letters: { kind: string; state: string; count: number }[];
	/** Of those that are still to be sent, how many the operator has to let go. */
	held: number;
	/** When the oldest letter was asked for that waits and is not held, ISO 8601. */
	oldestWaiting: string | null;
	/** Why nothing is sent now, and until when. */
	pause: Pause | null;
}

async function readLetters({ database, now }: Operation): Promise<Letters> {
	const { query } = database;
	const letters = await query<Letters["letters"][number]>(
		`SELECT kind, state, CAST(count(*) AS INTEGER) AS count FROM letter
		GROUP BY kind, state ORDER BY kind, state`,
	);
	const [waiting] = await query<Pick<Letters, "held" | "oldestWaiting">>(
		`SELECT CAST(count(CASE WHEN held & ${HELD.byOperator} <> 0 THEN 1 END) AS INTEGER) AS held,
			min(CASE WHEN held = 0 THEN asked_at END) AS "oldestWaiting"
		FROM letter WHERE ${UNSENT}`,
	);
	return { letters, ...waiting!, pause: await readPause(query, now) };
}

/** Why nothing is sent now, and until when. */
export async function readPause(query: Query, now: Date): Promise<Pause | null> {
	const [pause] = await query<Pause>(
		"SELECT paused_until AS until, reason FROM outbox WHERE paused_until > $1",
		[now.toISOString()],
	);
	return pause ?? null;
}

/** Says to the operator why nothing is sent, and what helps. */
export function pauseAsText({ until, reason }: Pause): string {
	if (until === UNTIL_RELEASED) return `Nothing is sent until \`waitlist release\`. ${reason}`;
	return (
		`Nothing is sent until ${until}. ${reason} ` +
		"See `waitlist check --mail`, and `waitlist release` to go on sooner."
	);
}

function lettersAsText({ letters, held, oldestWaiting, pause }: Letters): string {
	return [
		...(letters.length === 0 ? ["No letters."] : []),
		...letters.map(({ kind, state, count }) => `${kind}, ${state}: ${number(count)}`),
		...(held > 0 ? [`held until \`waitlist release --held\`: ${number(held)}`] : []),
		...(oldestWaiting === null ? [] : [`The oldest that waits was asked for on ${oldestWaiting}.`]),
		...(pause ? [pauseAsText(pause)] : []),
	].join("\n");
}

/** A letter that may have arrived. */
interface UnknownLetter {
	email: string;
	kind: string;
	/** When its sender was last heard of, ISO 8601. */
	time: string;
}

function readUnknown({ database }: Operation): Promise<UnknownLetter[]> {
	return database.query(
		`SELECT email, kind, ended_at AS time FROM letter
		JOIN registration ON registration.email_key = letter.email_key
		WHERE state = 'unknown' ORDER BY ended_at, letter.email_key`,
	);
}

function unknownAsText(letters: readonly UnknownLetter[]): string {
	if (letters.length === 0) return "None.";
	return letters.map(({ email, kind, time }) => `${time}  ${kind}  ${email}`).join("\n");
}
