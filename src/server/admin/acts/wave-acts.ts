import type { Finding, SharedDatabase } from "../../database/database.ts";
import { refuseInGap } from "../../mail/emails/gaps.ts";
import { Refusal } from "../../refusal.ts";
import type { Operation } from "../../registrations/operation.ts";
import type { MailSettings, Settings } from "../../settings.ts";
import { lastBackup } from "../../transfer/last-backup.ts";
import { addWave } from "../../waves/add-wave.ts";
import { writeExampleOf } from "../../waves/example-email.ts";
import { refuseWithoutImprint } from "../../waves/imprint.ts";
import { beforeTheWave } from "../../waves/launch.ts";
import { type Plan, planWave } from "../../waves/plan-wave.ts";
import type { WrittenWave } from "../waves/wave-form.ts";
import type { Acting } from "./acts.ts";

/** A wave before it is confirmed. */
export interface ShownPlan extends Plan {
	/** What is not there that it needs. */
	open: Finding[];
	/** The letter in its frame. */
	html: string;
}

/** People join while somebody reads: so large a part of the letters may come or go unseen. */
const UNSEEN = 0.01;

/** What the founder confirms. */
export interface Confirmed {
	/** The number of letters that the page showed; -1 where it names none. */
	adding: number;
	despiteGap: boolean;
	imprint: boolean;
}

/**
 * Plans a wave again, and adds its letters if they are as many as the page showed.
 *
 * @returns undefined once they are added; otherwise the plan to show, and why nothing was done
 */
export async function confirmWave(
	acting: Acting,
	written: WrittenWave,
	{ adding, despiteGap, imprint }: Confirmed,
): Promise<{ shown: ShownPlan; refused?: string } | undefined> {
	const { asked, selection, seed } = written;
	const shown = await showWave(acting, written);
	if (Math.abs(shown.adding - adding) > Math.floor(adding * UNSEEN)) return { shown };
	try {
		if (!despiteGap) await refuseInGap(acting.database.query, { otherwise: TICK });
		if (imprint) refuseWithoutImprint(shown.open, TICK);
	} catch (error) {
		if (error instanceof Refusal) return { shown, refused: error.message };
		throw error;
	}
	const note = acting.note("wave confirmed", `${asked.name}: ${shown.adding}`);
	await addWave(acting, asked, selection, seed, { note });
	return undefined;
}

/** What helps where a box has to be ticked first. */
const TICK = "Or tick the box above the button, which sends them all the same.";

/** Plans a wave as of now. */
export async function showWave(
	operation: Operation<SharedDatabase>,
	{ asked, selection }: WrittenWave,
): Promise<ShownPlan> {
	const { database, settings, now } = operation;
	const mail = mailOf(settings);
	const plan = await planWave(operation, asked, selection, mail);
	const { html } = writeExampleOf(plan.wave, mail, now);
	const last = await lastBackup(database.query);
	const open = beforeTheWave(operation, last, asked.kind).filter(({ ok }) => !ok);
	return { ...plan, open, html };
}

function mailOf({ mail }: Settings): MailSettings {
	if (mail) return mail;
	throw new Refusal("No mail is set up: nobody is written to.");
}
