import type { Finding, SharedDatabase } from "../database/database.ts";
import { lastBackup } from "../database/notes.ts";
import type { Tx } from "../database/sql.ts";
import { despiteGapAsText, findGap, type Gap } from "../mail/emails/gaps.ts";
import { countEmailsOf } from "../mail/emails/overview.ts";
import { pauseAsText } from "../mail/outgoing.ts";
import { type Pause, readPause } from "../mail/rate/pauses.ts";
import { type Backlog, readBacklog } from "../mail/rate/sending-rate.ts";
import { findWave, type Wave } from "../mail/waves.ts";
import type { Operation } from "../registrations/operation.ts";
import type { MailSettings } from "../settings.ts";
import { isoOf, shownTime } from "../time.ts";
import { type AskedWave, waveOf } from "./add-wave.ts";
import { countEligible, type Eligibility } from "./eligibility.ts";
import { writeExampleOf } from "./example-email.ts";
import { beforeTheWave } from "./launch.ts";
import { type Selection, selectedBy } from "./selection.ts";

/** A wave before it goes out, in numbers. */
export interface Plan extends Eligibility {
	wave: Wave;
	/** Emails that the wave has, and how many it would get now. */
	emails: number;
	adding: number;
	/** Emails of all kinds that wait already. */
	waiting: Backlog;
	/** How long sending all of these takes at today's rate; 0 without a rate. */
	takesMs: number;
	pause?: Pause;
	gap?: Gap;
	example: ReturnType<typeof writeExampleOf>;
	/** Missing points of the checklist before a wave. */
	open: Finding[];
}

/** Takes seconds for a million people. */
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
		emails: await countEmailsOf(tx, wave.name),
		eligibility: await countEligible(tx, wave, selection, selectedBy(selection)),
		waiting: await readBacklog(tx, mail, now),
		gap: await findGap(tx),
		pause: await readPause(tx, now),
	};
}

type Rates = Pick<MailSettings, "rate" | "ramp">;

/** Plans a wave as if its emails were added now. */
export async function planWave(
	operation: Pick<Operation<SharedDatabase>, "database" | "now" | "settings" | "places">,
	asked: AskedWave,
	selection: Selection,
	mail: MailSettings,
): Promise<Plan> {
	const { database, now } = operation;
	const wave = waveOf(asked, await findWave(database, asked.name), now);
	const { rate, ramp } = mail;
	const planned = { wave, selection, mail: { rate, ramp }, now };
	const { emails, eligibility, waiting, gap, pause } = await database.read(readPlan, planned);
	const lacks = asked.size === 0 ? Number.POSITIVE_INFINITY : Math.max(0, asked.size - emails);
	const adding = Math.min(lacks, eligibility.eligible);
	const { pace } = waiting;
	const checked = beforeTheWave(operation, await lastBackup(database), asked.kind);
	return {
		wave,
		emails,
		...eligibility,
		adding,
		waiting,
		takesMs: adding > 0 && pace ? Math.ceil((waiting.emails + adding) / pace) : 0,
		...(gap && { gap }),
		...(pause && { pause }),
		example: writeExampleOf(wave, mail, now),
		open: checked.filter(({ ok }) => !ok),
	};
}

/** The latest time whose year has four digits. */
const LATEST_MS = Date.parse("9999-12-31T23:59Z");

/** Describes a plan in rows of a name and a number or time, and in warnings. */
export function describePlan(plan: Plan, now: Date) {
	const { wave, waiting, takesMs, pause, gap } = plan;
	const starts = Math.max(Date.parse(wave.startsAt), now.getTime());
	const last = shownTime(isoOf(Math.min(starts + takesMs, LATEST_MS)));
	const who: [string, number][] = [
		["Selected", plan.selected],
		["Eligible", plan.eligible],
		["Unsubscribed", plan.left],
		["Bounced", plan.bounced],
		["Flagged", plan.flagged],
		["In a burst", plan.burst],
		["Had one before", plan.had],
		["Not confirmed", plan.unconfirmed],
		["Emails already waiting", waiting.emails],
	];
	const when: [string, string][] = [
		["Not before", shownTime(wave.startsAt)],
		...(waiting.lastAt
			? [["The last of those waiting", shownTime(waiting.lastAt)] as [string, string]]
			: []),
		["The last of this wave", takesMs > 0 ? last : "as fast as the mail server accepts them"],
	];
	if (wave.validDays > 0) when.push(["Codes are valid for", `${wave.validDays} days`]);
	const warnings = [
		...(wave.state === "paused"
			? ["This wave is paused: nothing is sent before you resume it."]
			: []),
		...(pause ? [pauseAsText(pause)] : []),
		...(gap ? [despiteGapAsText(gap)] : []),
	];
	return { who, when, warnings };
}
