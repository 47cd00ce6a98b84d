import type { Command } from "commander";
import { countHeld, type Released, releaseLetters } from "../letters/held.ts";
import { countToSend } from "../letters/overview.ts";
import { readSlowed, type Slowed, slowedAsText } from "../letters/pace/brake.ts";
import { endPause } from "../letters/sending/outbox.ts";
import type { Operation } from "../waitlist/operation.ts";
import { findPeople } from "../waitlist/registrations.ts";
import {
	EXIT,
	JSON_HELP,
	notFoundAsText,
	number,
	print,
	time,
	withDatabase,
} from "./terminal/command.ts";
import { DESPITE_GAP_HELP, refuseInGap } from "./terminal/despite-gap.ts";
import { reasonsOf, unchangedAsText } from "./terminal/reasons.ts";

/** Adds `waitlist release`: what was stopped goes on, and whoever was not asked is. */
export function addRelease(program: Command): void {
	program
		.command("release [emails...]")
		.summary("end a pause, or let letters go")
		.description(
			"Ends the pause of all letters, and lets slowed ones go at the whole rate. With addresses or options, lets the held letters of these " +
				"people go, and asks those to confirm who were never asked: who were marked by the trap or " +
				"imported, or joined before letters were sent. Whoever has left, bounced or confirmed gets none.",
		)
		.option("--held", "let held letters go, of anybody, and ask nobody else")
		.option(
			"--flagged",
			"those that the trap has marked; without this only an address selects them",
		)
		.option("--source <label>", "those who joined through this site")
		.option("--since <time>", "joined then or later, as in 2026-11-21 or 2026-11-21T09:30Z", time)
		.option("--despite-gap", DESPITE_GAP_HELP)
		.option("--dry-run", "only say how many")
		.option("--json", JSON_HELP)
		.action(async (emails: string[], options, command: Command) => {
			const { json, dryRun = false, despiteGap = false, ...chosen } = options;
			const choosing = Object.keys(chosen).length > 0;
			if (choosing && emails.length > 0) {
				command.error("error: name addresses, or choose by options, but not both");
			}
			if (dryRun && !choosing && emails.length === 0) {
				command.error("error: --dry-run needs addresses or options");
			}
			await withDatabase(async (operation) => {
				if (!choosing && emails.length === 0) {
					const ended = await goOn(operation);
					print(json, ended, () => endedAsText(ended));
					return;
				}
				const { keys, notFound } = await findPeople(operation.database, emails);
				const selection = choosing ? chosen : { keys };
				const asking = choosing && !chosen.held && !dryRun;
				if (asking && !despiteGap) await refuseInGap(operation.database.query, chosen.since);
				const { changed, ...released } = await releaseLetters(operation, selection, { dryRun });
				const others = keys.filter((key) => !changed.has(key));
				const unchanged = await reasonsOf(operation.database, others);
				print(json, { ...released, unchanged, notFound }, () =>
					[
						releasedAsText(released, dryRun),
						...(choosing && released.letGo + released.asked === 0 ? [NOBODY] : []),
						...unchangedAsText(unchanged),
						...notFoundAsText(notFound),
					].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

/** Why a choice by options released nothing. */
const NOBODY =
	"Of those who fit nobody has a letter that is held, and nobody is still to be asked. Whoever has " +
	"left, bounced or confirmed gets none.";

/** What `release` without addresses and options has ended. */
interface Ended {
	/** Whether there was a pause. */
	ended: boolean;
	/** The streams that were slowed. */
	slowed: Slowed[];
	/** Letters that something else keeps: the operator's hold, and the pause of their wave. */
	held: number;
	ofPausedWaves: number;
	/** Letters that only wait for the rate. */
	waiting: number;
}

async function goOn({ database, now }: Operation): Promise<Ended> {
	const { query } = database;
	const slowed = await readSlowed(query);
	const ended = await endPause(database, now);
	const { byOperator, byWave } = await countHeld(query);
	const waiting = await countToSend(query);
	return { ended, slowed, held: byOperator, ofPausedWaves: byWave, waiting };
}

function endedAsText({ ended, slowed, held, ofPausedWaves, waiting }: Ended): string {
	return [
		...(ended ? ["Letters go out again."] : []),
		...slowed.map((stream) => slowedAsText({ ...stream, slowed: 1 })),
		...(ended || slowed.length > 0 ? [] : ["There was no pause, and nothing was slowed."]),
		...(held > 0 ? [`Held until \`waitlist release --held\`: ${number(held)} letters.`] : []),
		...(ofPausedWaves > 0
			? [`In paused waves, until \`waitlist resume\`: ${number(ofPausedWaves)} letters.`]
			: []),
		`To be sent as the rate allows: ${number(waiting)} letters.`,
	].join("\n");
}

function releasedAsText({ letGo, asked }: Omit<Released, "changed">, dryRun: boolean): string {
	const would = dryRun ? "would be " : "";
	return `${would}let go: ${letGo} held letters\n${would}asked to confirm: ${asked}`;
}
