import type { Tx } from "../database/sql.ts";
import type { MailSettings } from "../settings.ts";
import { figure } from "../text/figure.ts";
import { shownTime } from "../time.ts";
import { type Pause, readPause, UNTIL_RELEASED } from "./rate/pauses.ts";
import { type Backlog, readBacklog } from "./rate/sending-rate.ts";
import { readThrottled, type Throttled, throttledAsText } from "./rate/throttle.ts";
import type { CountedWave } from "./waves.ts";

/** Emails that wait, and what stops or slows them. */
export interface Outgoing {
	/** Emails that can be sent, as far as their waves are concerned. */
	waiting: Backlog;
	/** Emails in paused waves, the oldest wave first. */
	paused: { wave: string; waiting: number }[];
	pause: Pause | null;
	slowed: Throttled[];
}

export async function readOutgoing(
	tx: Tx,
	{
		rates,
		waves,
		now,
	}: {
		rates: Pick<MailSettings, "rate" | "ramp"> | undefined;
		waves: readonly CountedWave[];
		now: Date;
	},
): Promise<Outgoing> {
	return {
		waiting: await readBacklog(tx, rates, now),
		paused: waves
			.filter(({ state, emails }) => state === "paused" && emails.waiting > 0)
			.map(({ name, emails }) => ({ wave: name, waiting: emails.waiting })),
		pause: await readPause(tx, now),
		slowed: await readThrottled(tx, now),
	};
}

/** `Waiting 76 (76 in the paused wave beta-1). …` */
export function waitingAsText({ waiting, paused, pause }: Outgoing): string {
	const total = waiting.emails + paused.reduce((sum, wave) => sum + wave.waiting, 0);
	if (total === 0) return "No email is waiting.";
	const parts = paused.map((wave) => `${figure(wave.waiting)} in the paused wave ${wave.wave}`);
	const of = parts.length > 0 ? ` (${parts.join(", ")})` : "";
	const last = waiting.lastAt
		? ` The oldest was requested on ${shownTime(waiting.oldest!)}. At today’s rate the last one goes out by ${shownTime(waiting.lastAt)}.`
		: waiting.emails > 0 && !pause
			? " No rate is set: they go out as fast as the mail server accepts them."
			: "";
	return `Waiting ${figure(total)}${of}.${last}`;
}

const CAUSES: Readonly<Record<Pause["cause"], string>> = {
	unreachable: "The mail server cannot be reached",
	refused: "The mail server refuses emails",
	quota: "The mail server’s quota is used up",
	operator: "Paused by you",
};

/** Explains why emails go out slowly or not at all: a sentence for each reason. */
export const stoppedAsText = ({ pause, slowed }: Pick<Outgoing, "pause" | "slowed">): string[] => [
	...(pause ? [pauseAsText(pause)] : []),
	...slowed.map(throttledAsText),
];

export function pauseAsText({ until, reason, cause }: Pause): string {
	const end =
		until === UNTIL_RELEASED
			? "Nothing is sent until you resume."
			: `Nothing is sent until ${shownTime(until)}. Resume to try again at once.`;
	return `${CAUSES[cause]}. ${end}${reason && ` ${reason}`}`;
}
