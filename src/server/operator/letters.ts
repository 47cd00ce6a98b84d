import type { Command } from "commander";
import { countHeld } from "../letters/held.ts";
import {
	type CountedLetters,
	countByState,
	type TroubledLetter,
	troubledLetters,
} from "../letters/overview.ts";
import { type Backlog, readBacklog } from "../letters/pace/backlog.ts";
import { readSlowed, type Slowed } from "../letters/pace/brake.ts";
import { type Pause, readPause } from "../letters/pace/pause.ts";
import { type Ramp, rampAsText, readRamp } from "../letters/pace/ramp.ts";
import { type UnknownLetter, unknownLetters } from "../letters/retry.ts";
import { isAppleRelay } from "../letters/smtp/status.ts";
import type { Operation } from "../waitlist/operation.ts";
import { JSON_HELP, number, print, withDatabase } from "./terminal/command.ts";
import {
	backlogAsText,
	heldAsText,
	pauseAsText,
	REGISTER_WITH_APPLE,
	slowedForOperator,
} from "./terminal/letters-as-text.ts";

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
					const letters = await unknownLetters(operation.database.query);
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
	letters: CountedLetters[];
	/** Of those that are still to be sent, how many the operator has to let go. */
	held: number;
	/** What waits and is not held, and until when. */
	waiting: Backlog;
	/** When the oldest of these was asked for, ISO 8601. */
	oldestWaiting: string | null;
	/** Those that the mail server puts off, or put off until they were given up: the latest first. */
	troubled: TroubledLetter[];
	/** Why nothing is sent now, and until when. */
	pause: Pause | null;
	/** The streams that go out more slowly than the rate. */
	slowed: Slowed[];
	/** Where WAITLIST_MAIL_RAMP is; null without one. */
	ramp: Ramp | null;
}

/** So many letters are named. */
const MOST_TROUBLED = 20;

async function readLetters({ database, settings, now }: Operation): Promise<Letters> {
	const { query } = database;
	const waiting = await readBacklog(query, settings.mail, now);
	return {
		letters: await countByState(query),
		held: (await countHeld(query)).byOperator,
		waiting,
		oldestWaiting: waiting.oldest,
		troubled: await troubledLetters(query, MOST_TROUBLED),
		pause: await readPause(query, now),
		slowed: await readSlowed(query),
		ramp: await readRamp(query, settings.mail, now),
	};
}

function lettersAsText(all: Letters): string {
	const { letters, held, waiting, troubled, pause, slowed, ramp } = all;
	return [
		...(letters.length === 0 ? ["No letters."] : []),
		...letters.map(({ kind, state, count }) => `${kind}, ${state}: ${number(count)}`),
		...(held > 0 ? [heldAsText(held)] : []),
		...backlogAsText(waiting),
		...troubled.map(troubledAsText),
		...(troubled.some(({ email }) => isAppleRelay(email)) ? [REGISTER_WITH_APPLE] : []),
		...(pause ? [pauseAsText(pause)] : []),
		...slowedForOperator(slowed),
		...(ramp ? [rampAsText(ramp)] : []),
	].join("\n");
}

function troubledAsText({ email, kind, state, code, attempts, time }: TroubledLetter): string {
	const next = state === "deferred" ? `tried again on ${time}` : `given up on ${time}`;
	const tries = attempts === 1 ? "1 try" : `${attempts} tries`;
	return `${kind} to ${email}: ${code}, ${tries}, ${next}`;
}

function unknownAsText(letters: readonly UnknownLetter[]): string {
	if (letters.length === 0) return "None.";
	return letters.map(({ email, kind, time }) => `${time}  ${kind}  ${email}`).join("\n");
}
