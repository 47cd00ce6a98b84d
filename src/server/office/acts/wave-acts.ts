import type { Finding, SharedDatabase } from "../../database/database.ts";
import { refuseInGap } from "../../letters/gaps.ts";
import { lastBackup } from "../../moving/last-backup.ts";
import type { MailSettings, Settings } from "../../settings.ts";
import { noteInAudit } from "../../waitlist/audit.ts";
import { type Operation, Refusal } from "../../waitlist/operation.ts";
import { addWave } from "../../waves/add-wave.ts";
import { changes, changeWave } from "../../waves/change-wave.ts";
import { writeExampleOf } from "../../waves/example-letter.ts";
import { refuseWithoutImprint } from "../../waves/imprint.ts";
import { beforeTheWave } from "../../waves/launch.ts";
import { type Plan, planWave } from "../../waves/plan-wave.ts";
import { type Draft, isAsSeen, seenOf } from "../waves/drafts.ts";

/** What can be done to a wave that goes out. */
export type ChangeVerb = keyof typeof changes;

/** What is done about a wave. */
export type WaveAct =
	| { does: "plan"; draft: Draft }
	| { does: "add"; draft: Draft; seen: string; despiteGap: boolean; imprint: boolean }
	| { does: ChangeVerb; wave: string };

/** A wave before it is confirmed. */
export interface ShownPlan extends Plan {
	/** What is not there that it needs. */
	open: Finding[];
	/** What its form sends back: see drafts.ts. */
	seen: string;
}

export type WaveOutcome =
	| { planned: ShownPlan }
	/** How many letters were added or changed. */
	| { letters: number }
	/** It is not what was seen any more: nothing was done. */
	| { changed: true };

/** Plans a wave, adds its letters, or changes them, and notes it in the same transaction. */
export async function actOnWave(
	operation: Operation<SharedDatabase>,
	act: { session: string } & WaveAct,
): Promise<WaveOutcome> {
	const { session } = act;
	const noteOf = (action: string, details: string) =>
		noteInAudit({ session, action, details }, operation.now);
	if (act.does === "plan") return { planned: (await show(operation, act.draft)).shown };
	if (act.does !== "add") {
		const { does, wave } = act;
		const note = noteOf(noted[does], wave);
		return { letters: await changeWave(operation, wave, changes[does], [note]) };
	}
	const { draft, seen, despiteGap, imprint } = act;
	const { asked, selection, seed } = draft;
	const { shown, isSeen } = await show(operation, draft, seen);
	if (!isSeen) return { changed: true };
	if (!despiteGap) await refuseInGap(operation.database.query, { otherwise: TICK });
	if (imprint) refuseWithoutImprint(shown.open, TICK);
	const note = noteOf("wave confirmed", `${asked.name}: ${shown.adding}`);
	return { letters: await addWave(operation, asked, selection, seed, { note }) };
}

/** What helps where a box has to be ticked first. */
const TICK = "Or go back, and tick the box above the button, which sends them all the same.";

const noted = { pause: "wave paused", resume: "wave resumed", cancel: "wave cancelled" } as const;

/** Plans a wave as of the time at which it was written down. */
async function show(
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
