import { type Command, Option } from "commander";
import { refuseInGap } from "../mail/emails/gaps.ts";
import { type Released, releaseLetters } from "../mail/emails/held.ts";
import { countHeld, countToSend } from "../mail/emails/letter-counts.ts";
import { releaseEmails } from "../mail/rate/pauses.ts";
import { readThrottled, type Throttled, throttledAsText } from "../mail/rate/throttle.ts";
import type { Operation } from "../registrations/operation.ts";
import { changePeople } from "./terminal/change-people.ts";
import {
	DESPITE_GAP_HELP,
	JSON_HELP,
	number,
	print,
	time,
	withDatabase,
} from "./terminal/command.ts";

/** Adds `waitlist release`: letters go on, and people who were never asked to confirm are asked. */
export function addRelease(program: Command): void {
	program
		.command("release [emails...]")
		.summary("end a pause, or let letters go")
		.description(
			"Ends the pause of all letters, and lets slowed ones go at the whole rate. With addresses or options, lets the held letters of these " +
				"people go, and asks those to confirm who were never asked: who were marked or " +
				"imported, or joined before letters were sent. Whoever has left, bounced or confirmed gets none.",
		)
		.option("--held", "let held letters go, of anybody, and ask nobody else")
		.option(
			"--flagged",
			"those that are flagged, by the honeypot or by hand; without this only an address selects them",
		)
		.addOption(
			new Option(
				"--burst",
				"those who joined over the limit of their address or network; they lose the mark",
			).conflicts(["held", "flagged"]),
		)
		.option("--source <label>", "those who joined through this site")
		.option("--since <time>", "joined then or later, as in 2026-11-21 or 2026-11-21T09:30Z", time)
		.option("--until <time>", "joined before then", time)
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
				await changePeople(operation.database, { emails, json }, async (keys) => {
					const selection = choosing ? chosen : { keys };
					if (choosing && !chosen.held && !dryRun && !despiteGap) {
						await refuseInGap(operation.database.query, { since: chosen.since });
					}
					const { changed, ...released } = await releaseLetters(operation, selection, { dryRun });
					const nobody = choosing && released.letGo + released.asked === 0 ? [NOBODY] : [];
					return {
						changed,
						result: released,
						lines: [...releasedAsText(released, dryRun), ...nobody],
					};
				});
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
	slowed: Throttled[];
	/** Letters that wait for another reason: the operator's hold, or the pause of their wave. */
	held: number;
	ofPausedWaves: number;
	/** Letters that only wait for the rate. */
	waiting: number;
}

async function goOn({ database, now }: Operation): Promise<Ended> {
	const { query } = database;
	const slowed = await readThrottled(query, now);
	const ended = await database.transact(releaseEmails, { now });
	const { byOperator, byWave } = await countHeld(query);
	const waiting = await countToSend(query);
	return { ended, slowed, held: byOperator, ofPausedWaves: byWave, waiting };
}

function endedAsText({ ended, slowed, held, ofPausedWaves, waiting }: Ended): string {
	return [
		...(ended ? ["Letters go out again."] : []),
		...slowed.map((stream) => throttledAsText({ ...stream, slowed: 1 })),
		...(ended || slowed.length > 0 ? [] : ["There was no pause, and nothing was slowed."]),
		...(held > 0 ? [`Held until \`waitlist release --held\`: ${number(held)} letters.`] : []),
		...(ofPausedWaves > 0
			? [`In paused waves, until \`waitlist resume\`: ${number(ofPausedWaves)} letters.`]
			: []),
		`To be sent as the rate allows: ${number(waiting)} letters.`,
	].join("\n");
}

function releasedAsText(
	{ letGo, asked, unmarked }: Omit<Released, "changed">,
	dryRun: boolean,
): string[] {
	const would = dryRun ? "would be " : "";
	return [
		`${would}let go: ${letGo} held letters`,
		`${would}asked to confirm: ${asked}`,
		...(unmarked > 0 ? [`${would}taken out of a burst: ${unmarked}`] : []),
	];
}
