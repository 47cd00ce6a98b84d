import type { Finding, SharedDatabase } from "../../database/database.ts";
import { refuseInGap } from "../../letters/gaps.ts";
import { lastBackup } from "../../moving/last-backup.ts";
import type { MailSettings, Settings } from "../../settings.ts";
import { type Operation, Refusal } from "../../waitlist/operation.ts";
import { addWave } from "../../waves/add-wave.ts";
import { writeExampleOf } from "../../waves/example-letter.ts";
import { refuseWithoutImprint } from "../../waves/imprint.ts";
import { beforeTheWave } from "../../waves/launch.ts";
import { type Plan, planWave } from "../../waves/plan-wave.ts";
import { type Draft, isAsSeen, seenOf } from "../waves/drafts.ts";
import type { Acting } from "./acts.ts";

/** A wave before it is confirmed. */
export interface ShownPlan extends Plan {
	/** What is not there that it needs. */
	open: Finding[];
	/** What its form sends back: see drafts.ts. */
	seen: string;
}

/** Adds the letters of a wave that was planned. @returns whether it is still what was `seen`: else nothing is done */
export async function confirmWave(
	acting: Acting,
	draft: Draft,
	{ seen, despiteGap, imprint }: { seen: string; despiteGap: boolean; imprint: boolean },
): Promise<boolean> {
	const { asked, selection, seed } = draft;
	const { shown, isSeen } = await showDraft(acting, draft, seen);
	if (!isSeen) return false;
	if (!despiteGap) await refuseInGap(acting.database.query, { otherwise: TICK });
	if (imprint) refuseWithoutImprint(shown.open, TICK);
	const note = acting.note("wave confirmed", `${asked.name}: ${shown.adding}`);
	await addWave(acting, asked, selection, seed, { note });
	return true;
}

/** What helps where a box has to be ticked first. */
const TICK = "Or go back, and tick the box above the button, which sends them all the same.";

/** Plans a wave as of the time at which it was written down. */
export async function showDraft(
	operation: Operation<SharedDatabase>,
	draft: Draft,
	seen = "",
): Promise<{ shown: ShownPlan; isSeen: boolean }> {
	const { database, settings } = operation;
	const asOfDraft = { ...operation, now: new Date(draft.madeAt) };
	const mail = mailOf(settings);
	const plan = await planWave(asOfDraft, draft.asked, draft.selection, mail);
	const { html } = writeExampleOf(plan.wave, mail, asOfDraft.now);
	const last = await lastBackup(database.query);
	const open = beforeTheWave(operation, last, draft.asked.kind).filter(({ ok }) => !ok);
	const shown = { ...plan, open, seen: seenOf(draft, plan, html, plan.adding) };
	return { shown, isSeen: isAsSeen(seen, draft, plan, html) };
}

function mailOf({ mail }: Settings): MailSettings {
	if (mail) return mail;
	throw new Refusal("No mail is set up: nobody is written to.");
}
