import { countEligible, type Eligibility } from "../letters/eligibility.ts";
import { findGap, type Gap } from "../letters/gaps.ts";
import { countLettersOf } from "../letters/table/letter-counts.ts";
import type { Wave } from "../letters/wave/wave.ts";
import { findWave } from "../letters/wave/waves.ts";
import { type Backlog, readBacklog } from "../mail/backlog.ts";
import { type Pause, readPause } from "../mail/pauses.ts";
import type { MailSettings } from "../settings.ts";
import type { Operation } from "../waitlist/operation.ts";
import { type AskedWave, waveOf } from "./add-wave.ts";
import { writeExampleOf } from "./example-letter.ts";
import { type Selection, selectedBy } from "./selection.ts";

/** A wave before it goes out, in numbers. */
export interface Plan extends Eligibility {
	wave: Wave;
	/** Letters that the wave has. */
	letters: number;
	/** Letters that it would get now. */
	adding: number;
	/** Letters that wait already. */
	waiting: Backlog;
	/** How long today's rate makes it take until the last one is out, in ms; 0 without a rate. */
	takesMs: number;
	/** Why nothing is sent now, and until when; absent where letters go out. */
	pause?: Pause;
	/** Of what time nobody knows what these people were sent; absent where all is known. */
	gap?: Gap;
	/** A letter of it, as a person gets it. */
	letter: { subject: string; text: string };
}

/** Says what a wave would be if its letters were added now. */
export async function planWave(
	{ database, now }: Pick<Operation, "database" | "now">,
	asked: AskedWave,
	selection: Selection,
	mail: MailSettings,
): Promise<Plan> {
	const there = await findWave(database.query, asked.name);
	const wave = waveOf(asked, there, now);
	const letters = there ? await countLettersOf(database.query, wave.name) : 0;
	const eligibility = await countEligible(
		database,
		wave,
		selection,
		selectedBy(selection, database.dialect),
	);
	const lacks = asked.size === 0 ? Number.POSITIVE_INFINITY : Math.max(0, asked.size - letters);
	const adding = Math.min(lacks, eligibility.eligible);
	const waiting = await readBacklog(database.query, mail, now);
	const { pace } = waiting;
	const takesMs = adding > 0 && pace ? Math.ceil((waiting.letters + adding) / pace) : 0;
	const { subject, text } = writeExampleOf(wave, mail, now);
	const gap = await findGap(database.query);
	const pause = await readPause(database.query, now);
	return {
		wave,
		letters,
		...eligibility,
		adding,
		waiting,
		takesMs,
		...(gap ? { gap } : {}),
		...(pause ? { pause } : {}),
		letter: { subject, text },
	};
}
