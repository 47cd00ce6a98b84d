import type { Command } from "commander";
import { readSlowed, type Slowed } from "../letters/brake.ts";
import { UNSENT } from "../letters/letter.ts";
import { type Pause, readPause } from "../letters/pause.ts";
import { MOST_TRIES } from "../letters/sender.ts";
import { HELD } from "../letters/wave.ts";
import type { Operation } from "../waitlist/operation.ts";
import { JSON_HELP, number, print, withDatabase } from "./terminal/command.ts";
import { heldAsText, pauseAsText, slowedForOperator } from "./terminal/letters-as-text.ts";

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
	/** Those that the mail server puts off, or put off until they were given up: the latest first. */
	troubled: TroubledLetter[];
	/** Why nothing is sent now, and until when. */
	pause: Pause | null;
	/** The streams that go out more slowly than the rate. */
	slowed: Slowed[];
}

interface TroubledLetter {
	email: string;
	kind: string;
	state: string;
	/** The codes of the last answer, as in `550 5.7.1`, or the name of an error. */
	code: string;
	attempts: number;
	/** When it is tried again, or was given up, ISO 8601. */
	time: string;
}

/** So many letters are named. */
const MOST_TROUBLED = 20;

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
	const troubled = await query<TroubledLetter>(
		`SELECT email, kind, state, code, attempts, next_at AS time FROM letter
		JOIN registration ON registration.email_key = letter.email_key
		WHERE state = 'deferred' OR (state = 'refused' AND attempts >= ${MOST_TRIES})
		ORDER BY next_at DESC, email LIMIT ${MOST_TROUBLED}`,
	);
	const [pause, slowed] = [await readPause(query, now), await readSlowed(query)];
	return { letters, ...waiting!, troubled, pause, slowed };
}

function lettersAsText({ letters, held, oldestWaiting, troubled, pause, slowed }: Letters): string {
	return [
		...(letters.length === 0 ? ["No letters."] : []),
		...letters.map(({ kind, state, count }) => `${kind}, ${state}: ${number(count)}`),
		...(held > 0 ? [heldAsText(held)] : []),
		...(oldestWaiting === null ? [] : [`The oldest that waits was asked for on ${oldestWaiting}.`]),
		...troubled.map(troubledAsText),
		...(pause ? [pauseAsText(pause)] : []),
		...slowedForOperator(slowed),
	].join("\n");
}

function troubledAsText({ email, kind, state, code, attempts, time }: TroubledLetter): string {
	const next = state === "deferred" ? `tried again on ${time}` : `given up on ${time}`;
	const tries = attempts === 1 ? "1 try" : `${attempts} tries`;
	return `${kind} to ${email}: ${code}, ${tries}, ${next}`;
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
