import type { SharedDatabase } from "../database/database.ts";
import type { Tx } from "../database/transaction.ts";
import { countEligible, type Eligibility } from "../mail/emails/eligibility.ts";
import { countEmailsOf } from "../mail/emails/email-counts.ts";
import { findGap, type Gap } from "../mail/emails/gaps.ts";
import { type Backlog, readBacklog } from "../mail/rate/backlog.ts";
import { type Pause, readPause } from "../mail/rate/pauses.ts";
import type { Wave } from "../mail/wave/wave.ts";
import { findWave } from "../mail/wave/waves.ts";
import type { Operation } from "../registrations/operation.ts";
import type { MailSettings } from "../settings.ts";
import { type AskedWave, waveOf } from "./add-wave.ts";
import { writeExampleOf } from "./example-email.ts";
import { type Selection, selectedBy } from "./selection.ts";

/** A wave before it goes out, in numbers. */
export interface Plan extends Eligibility {
	wave: Wave;
	/** Emails that the wave has. */
	letters: number;
	/** Emails that it would get now. */
	adding: number;
	/** Emails that wait already. */
	waiting: Backlog;
	/** How long today's rate makes it take until the last one is out, in ms; 0 without a rate. */
	takesMs: number;
	/** Why nothing is sent now, and until when; absent where emails go out. */
	pause?: Pause;
	/** Of what time nobody knows what these people were sent; absent where all is known. */
	gap?: Gap;
	/** An email of it, as a person gets it. */
	example: ReturnType<typeof writeExampleOf>;
}

/** A transaction that reads what the plan of a wave says. On a million people it takes seconds. */
export async function readPlan(
	tx: Tx,
	{
		wave,
		selection,
		mail,
		now,
	}: Pick<Plan, "wave"> & { selection: Selection; mail: Rates; now: Date },
) {
	return {
		letters: await countEmailsOf(tx, wave.name),
		eligibility: await countEligible(tx, wave, selection, selectedBy(selection)),
		waiting: await readBacklog(tx, mail, now),
		gap: await findGap(tx),
		pause: await readPause(tx, now),
	};
}

type Rates = Pick<MailSettings, "rate" | "ramp">;

/** Says what a wave would be if its emails were added now. */
export async function planWave(
	{ database, now }: Pick<Operation<SharedDatabase>, "database" | "now">,
	asked: AskedWave,
	selection: Selection,
	mail: MailSettings,
): Promise<Plan> {
	const wave = waveOf(asked, await findWave(database, asked.name), now);
	const { rate, ramp } = mail;
	const planned = { wave, selection, mail: { rate, ramp }, now };
	const { letters, eligibility, waiting, gap, pause } = await database.read(readPlan, planned);
	const lacks = asked.size === 0 ? Number.POSITIVE_INFINITY : Math.max(0, asked.size - letters);
	const adding = Math.min(lacks, eligibility.eligible);
	const { pace } = waiting;
	const takesMs = adding > 0 && pace ? Math.ceil((waiting.letters + adding) / pace) : 0;
	return {
		wave,
		letters,
		...eligibility,
		adding,
		waiting,
		takesMs,
		...(gap ? { gap } : {}),
		...(pause ? { pause } : {}),
		example: writeExampleOf(wave, mail, now),
	};
}
