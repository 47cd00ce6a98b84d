import type { Tx } from "../../database/transaction.ts";
import type { Rate } from "../../settings/rates.ts";
import type { MailSettings } from "../../settings.ts";
import { DAY_MS, isoOf } from "../../time.ts";
import { type OutboxRow, readOutbox } from "./outbox-row.ts";

/** The state of the warm-up, for the founder. */
export interface Ramp {
	/** From 1. */
	step: number;
	steps: number;
	/** Emails a day. */
	letters: number;
	/** When the next step begins, ISO 8601; null before the first email of this one, and at the last one. */
	nextAt: string | null;
	/** Whether a throttle keeps it at this step. */
	isThrottled: boolean;
}

/** The limits at a step: the overall rate, and the step's own. */
export function ratesAt({ rate, ramp }: Pick<MailSettings, "rate" | "ramp">, step: number): Rate[] {
	const count = ramp?.[Math.min(step, ramp.length - 1)];
	return [...(rate ? [rate] : []), ...(count ? [{ count, periodMs: DAY_MS }] : [])];
}

const isThrottled = ({ confirmedSlowed, unconfirmedSlowed }: OutboxRow) =>
	confirmedSlowed > 1 || unconfirmedSlowed > 1;

/** Takes the next step a day after the first email of this one, unless a stream is throttled. */
export function climb(outbox: OutboxRow, ramp: readonly number[], ms: number): OutboxRow {
	const { step, steppedAt } = outbox;
	const isOver = steppedAt !== "" && step < ramp.length - 1 && steppedAt <= isoOf(ms - DAY_MS);
	return isOver && !isThrottled(outbox) ? { ...outbox, step: step + 1, steppedAt: "" } : outbox;
}

/** @returns null without WAITLIST_MAIL_WARM_UP */
export async function readRamp(
	tx: Tx,
	mail: Pick<MailSettings, "ramp"> | undefined,
): Promise<Ramp | null> {
	const { ramp } = mail ?? {};
	if (!ramp) return null;
	const outbox = await readOutbox(tx);
	const place = Math.min(outbox.step, ramp.length - 1);
	const isLast = place === ramp.length - 1;
	const { steppedAt } = outbox;
	return {
		step: place + 1,
		steps: ramp.length,
		letters: ramp[place]!,
		nextAt: steppedAt === "" || isLast ? null : isoOf(Date.parse(steppedAt) + DAY_MS),
		isThrottled: isThrottled(outbox),
	};
}

export function rampAsText({ step, steps, letters, nextAt, isThrottled }: Ramp): string {
	const next =
		step === steps
			? "which is the last"
			: isThrottled
				? "and stays there while emails are throttled"
				: nextAt === null
					? "and the next one begins a day after its first email"
					: `and the next one begins on ${nextAt}`;
	return `Step ${step} of ${steps} of WAITLIST_MAIL_WARM_UP, ${letters} emails a day, ${next}.`;
}
