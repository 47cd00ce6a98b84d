import type { Command } from "commander";
import { type TroubledLetter, type UnknownLetter, unknownLetters } from "../mail/emails/letters.ts";
import { type Letters, readLetters } from "../mail/emails/overview.ts";
import { rampAsText } from "../mail/rate/warm-up.ts";
import { isAppleRelay } from "../mail/smtp/status.ts";
import { endAsText } from "../mail/wave/wave-counts.ts";
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
				const letters = await readLetters(
					operation.database.query,
					operation.settings.mail,
					operation.now,
				);
				print(json, letters, () => lettersAsText(letters));
			});
		});
}

function lettersAsText(all: Letters): string {
	const { letters, held, waiting, troubled, pause, slowed, ramp } = all;
	return [
		...(letters.length === 0 ? ["No letters."] : []),
		...letters.map(({ kind, state, count }) => `${kind}, ${endAsText(state)}: ${number(count)}`),
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
