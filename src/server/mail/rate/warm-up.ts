import { countRows } from "../../database/rows.ts";
import { sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import type { Rate } from "../../settings/rates.ts";
import type { MailSettings } from "../../settings.ts";
import { DAY_MS, isoOf } from "../../time.ts";
import { type OutboxRow, readOutbox } from "./outbox-row.ts";
import { outcomesOf } from "./outcomes.ts";
import { STREAMS } from "./queues.ts";

/** Above this share of addresses that do not exist a ramp stays where it is. */
const MOST_DEAD = 0.02;

/** A ramp as the operator reads of it. */
export interface Ramp {
	/** From 1, of so many. */
	step: number;
	steps: number;
	/** Emails a day by this step. */
	letters: number;
	/** When the next step begins, ISO 8601; null before an email of this one went out, and at the last one. */
	nextAt: string | null;
	/** What keeps the ramp at this step. */
	stays: Stays;
}

interface Stays {
	/** The last emails with a final answer, and how many of their addresses do not exist. */
	letters: number;
	dead: number;
	/** People who complained within a day. */
	complaints: number;
}

/** The limits at a step: the overall rate, and the step's own. */
export function ratesAt({ rate, ramp }: Pick<MailSettings, "rate" | "ramp">, step: number): Rate[] {
	const count = ramp?.[Math.min(step, ramp.length - 1)];
	return [...(rate ? [rate] : []), ...(count ? [{ count, periodMs: DAY_MS }] : [])];
}

/** Takes the next step a day after the first email of this one, unless something keeps the ramp here. */
export async function climb(
	tx: Tx,
	outbox: OutboxRow,
	ramp: readonly number[],
	ms: number,
): Promise<OutboxRow> {
	const { step, steppedAt } = outbox;
	const isOver = steppedAt !== "" && step < ramp.length - 1 && steppedAt <= isoOf(ms - DAY_MS);
	if (!isOver || isKept(await readStays(tx, ms))) return outbox;
	return { ...outbox, step: step + 1, steppedAt: "" };
}

/** Tells the operator where the ramp is; null where none is set. */
export async function readRamp(
	tx: Tx,
	mail: Pick<MailSettings, "ramp"> | undefined,
	now: Date,
): Promise<Ramp | null> {
	const { ramp } = mail ?? {};
	if (!ramp) return null;
	const { step, steppedAt } = await readOutbox(tx);
	const place = Math.min(step, ramp.length - 1);
	const isLast = place === ramp.length - 1;
	return {
		step: place + 1,
		steps: ramp.length,
		letters: ramp[place]!,
		nextAt: steppedAt === "" || isLast ? null : isoOf(Date.parse(steppedAt) + DAY_MS),
		stays: await readStays(tx, now.getTime()),
	};
}

/** Says to the operator where the ramp is, and what keeps it there. */
export function rampAsText({ step, steps, letters, nextAt, stays }: Ramp): string {
	const why = [
		...(isDead(stays) ? [`of the last ${stays.letters} addresses ${stays.dead} do not exist`] : []),
		...(stays.complaints > 0 ? [`complaints within a day: ${stays.complaints}`] : []),
	];
	const next =
		step === steps
			? "which is the last"
			: why.length > 0
				? `and it stays there: ${why.join(", ")}`
				: nextAt === null
					? "and the next one begins a day after its first letter"
					: `and the next one begins on ${nextAt}`;
	return `Step ${step} of ${steps} of WAITLIST_MAIL_WARM_UP, ${letters} letters a day, ${next}.`;
}

const isDead = ({ letters, dead }: Stays) => dead > letters * MOST_DEAD;
const isKept = (stays: Stays) => isDead(stays) || stays.complaints > 0;

/** Emails that are judged. */
const LATEST = 1000;

/**
 * Counts the people who called an email spam since a time: that of their unsubscribing, because an email has
 * no column for it.
 */
const countComplainers = (tx: Tx, since: string) =>
	countRows(
		tx,
		sql`registration WHERE unsubscribed_at <> '' AND unsubscribed_at > ${since} AND EXISTS (
			SELECT 1 FROM email WHERE email.email_key = registration.email_key AND reason = 'complaint'
		)`,
	);

async function readStays(tx: Tx, ms: number): Promise<Stays> {
	const [one, other] = [
		await outcomesOf(tx, STREAMS[0], "", LATEST),
		await outcomesOf(tx, STREAMS[1], "", LATEST),
	];
	const latest = [...one, ...other]
		.sort((a, b) => (a.endedAt < b.endedAt ? 1 : -1))
		.slice(0, LATEST);
	return {
		letters: latest.length,
		dead: latest.filter(({ bouncedAt }) => bouncedAt !== "").length,
		complaints: await countComplainers(tx, isoOf(ms - DAY_MS)),
	};
}
