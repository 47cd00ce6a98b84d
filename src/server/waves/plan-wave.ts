import type { SharedDatabase } from "../database/database.ts";
import { readLastBackup } from "../database/notes.ts";
import type { Tx } from "../database/sql.ts";
import { findUnsettledRestoreGap, restoreGapWarning } from "../mail/emails/unknown-emails.ts";
import { countWaveEmails, readBacklog, sendingDelaysAsText } from "../mail/overview.ts";
import { readPause } from "../mail/rate/pauses.ts";
import { readThrottledStreams } from "../mail/rate/throttle.ts";
import { findWave, type Wave } from "../mail/waves.ts";
import type { Operation } from "../registrations/operation.ts";
import type { MailSettings } from "../settings.ts";
import { isoOf, shownTime } from "../time.ts";
import { mergeWaveRequest, type WaveRequest } from "./add-wave.ts";
import { countEligiblePeople, type WaveSelection } from "./audience.ts";
import { checkBeforeWave } from "./launch.ts";
import { renderWaveExample } from "./message.ts";

interface Planned {
	wave: Wave;
	selection: WaveSelection;
	mail: Pick<MailSettings, "rate" | "warmUp">;
	now: Date;
}

export async function readWavePlan(tx: Tx, { wave, selection, mail, now }: Planned) {
	return {
		emails: await countWaveEmails(tx, wave.name),
		...(await countEligiblePeople(tx, wave, selection)),
		waiting: await readBacklog(tx, mail, now),
		gap: await findUnsettledRestoreGap(tx),
		pause: await readPause(tx, now),
		slowed: await readThrottledStreams(tx, now),
	};
}

export type WavePlan = Awaited<ReturnType<typeof planWave>>;

export async function planWave(
	operation: Operation<SharedDatabase>,
	asked: WaveRequest,
	selection: WaveSelection,
	mail: MailSettings,
) {
	const { database, now } = operation;
	const wave = mergeWaveRequest(asked, await findWave(database, asked.name), now);
	const { rate, warmUp } = mail;
	const numbers = await database.read(readWavePlan, {
		wave,
		selection,
		mail: { rate, warmUp },
		now,
	});
	const { emails, eligible, waiting } = numbers;
	const lacks = asked.size === 0 ? Number.POSITIVE_INFINITY : Math.max(0, asked.size - emails);
	const adding = Math.min(lacks, eligible);
	const checked = checkBeforeWave(operation, await readLastBackup(database), asked.kind);
	return {
		...numbers,
		wave,
		adding,
		/** Time to send all waiting emails and the added ones at today's rate; 0 without a rate. */
		takesMs: adding > 0 ? Math.ceil((waiting.emails + adding) * waiting.spreadMs) : 0,
		example: renderWaveExample(wave, mail, now),
		open: checked.filter(({ ok }) => !ok),
	};
}

const AT_ONCE = "as fast as the mail server accepts the emails";

export function describeWavePlan(
	{ wave, waiting, takesMs, pause, slowed, gap, ...plan }: WavePlan,
	now: Date,
) {
	const starts = Math.max(Date.parse(wave.startsAt), now.getTime());
	const who: [string, number][] = [
		["Selected", plan.selected],
		["Eligible", plan.eligible],
		["Unsubscribed", plan.unsubscribed],
		["Bounced", plan.bounced],
		["Flagged", plan.flagged],
		["Flagged as burst", plan.burst],
		[
			wave.kind === "news" ? "Already in this wave, or left out as invited" : "Already invited",
			plan.had,
		],
		["Not confirmed", plan.unconfirmed],
		["Emails already waiting", waiting.emails],
	];
	const when: [string, string][] = [
		["Starts", shownTime(isoOf(starts))],
		takesMs > 0 ? ["Finishes by", shownTime(isoOf(starts + takesMs))] : ["Finishes", AT_ONCE],
	];
	if (wave.validDays > 0) when.push(["Codes are valid for", `${wave.validDays} days`]);
	const warnings: string[] = [];
	if (wave.state === "paused") {
		warnings.push("This wave is paused: nothing is sent until you resume it.");
	}
	warnings.push(...sendingDelaysAsText({ pause, slowed }));
	if (gap) warnings.push(restoreGapWarning(gap));
	return { who, when, warnings };
}
