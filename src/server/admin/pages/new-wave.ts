import { type Html, html } from "../../html.ts";
import { refuseInGap } from "../../mail/emails/gaps.ts";
import { Refusal } from "../../refusal.ts";
import { lastBackup } from "../../transfer/last-backup.ts";
import { addWave } from "../../waves/add-wave.ts";
import { writeExampleOf } from "../../waves/example-email.ts";
import { refuseWithoutImprint } from "../../waves/imprint.ts";
import { beforeTheWave } from "../../waves/launch.ts";
import { MOST_BYTES } from "../../waves/message.ts";
import { planWave } from "../../waves/plan-wave.ts";
import { sendTestEmail } from "../../waves/test-email.ts";
import type { PageRequest, Route } from "../page.ts";
import { attempt, notice, refusal } from "../parts.ts";
import { NO_MAIL } from "./emails.ts";
import { newWaveForm, readWaveForm, type WrittenWave } from "./wave-form.ts";
import { planPage, type ShownPlan } from "./wave-plan.ts";
import { doneAt, WAVES_PATH } from "./waves.ts";

/** A form escapes each byte of a message as three characters. Its other fields are short. */
const MOST_FORM_BYTES = 3 * MOST_BYTES + 16_384;

/** People join while the founder reads: this share of the emails may change unseen. */
const UNSEEN = 0.01;

const TITLE = "New wave";
const PATH = `${WAVES_PATH}/new`;

/**
 * A wave from its form, by its plan, to its emails. Nothing is stored before it is confirmed: each page
 * sends the whole form, and a button names the next step.
 */
export const newWaveRoutes: readonly Route[] = [
	{
		method: "GET",
		path: PATH,
		respond: ({ settings: { mail } }) => ({
			title: TITLE,
			main: mail ? newWaveForm({}, {}) : NO_MAIL,
		}),
	},
	{
		method: "POST",
		path: PATH,
		mostBytes: MOST_FORM_BYTES,
		async respond(request) {
			const { form, settings } = request;
			if (!settings.mail) return { title: TITLE, main: NO_MAIL, status: 409 };
			const formAgain = (status: number, problems = {}, why: Html = html``) => ({
				title: TITLE,
				main: html`${why}${newWaveForm(Object.fromEntries(form), problems)}`,
				status,
			});
			const step = form.get("step");
			if (step === "change") return formAgain(200);
			const read = readWaveForm(form, settings.timeZone);
			if ("problems" in read) return formAgain(422, read.problems);
			const { wave } = read;
			const planned = await attempt(() => showWave(request, wave));
			if ("refused" in planned) return formAgain(409, {}, refusal(planned.refused));
			const plan = planned.done;
			if (step === "test") {
				const to = form.get("to") ?? "";
				const outcome = await attempt(() =>
					sendTestEmail(settings.mail!, plan.example, plan.wave.kind, to),
				);
				if ("refused" in outcome)
					return { ...planPage(wave, plan, refusal(outcome.refused)), status: 409 };
				return planPage(wave, plan, notice(`A test was sent to ${to}.`));
			}
			if (step !== "send") return planPage(wave, plan, html``);
			const shown = Number(/^\d{1,9}$/.exec(form.get("adding") ?? "")?.[0] ?? -1);
			if (Math.abs(plan.adding - shown) > Math.floor(shown * UNSEEN))
				return planPage(wave, plan, hasChanged(plan));
			const sent = await attempt(() => confirmWave(request, wave, plan));
			if ("refused" in sent) return { ...planPage(wave, plan, refusal(sent.refused)), status: 409 };
			return { seeOther: doneAt("add", wave.asked.name) };
		},
	},
];

const hasChanged = ({ letters }: ShownPlan) =>
	html`<p class="card alarm" role="alert"><b>${letters > 0 ? "Nothing more was sent." : "Nothing was sent."}</b> The numbers changed since you saw them: people joined, unsubscribed, or got an email. These are the new ones.</p>`;

/** Plans a wave as of now. */
async function showWave(
	request: PageRequest,
	{ asked, selection }: WrittenWave,
): Promise<ShownPlan> {
	const { database, settings, now } = request;
	const mail = settings.mail!;
	const plan = await planWave(request, asked, selection, mail);
	const example = writeExampleOf(plan.wave, mail, now);
	const last = await lastBackup(database.query);
	const open = beforeTheWave(request, last, asked.kind).filter(({ ok }) => !ok);
	return { ...plan, open, example };
}

/** @throws Refusal unless everything is in order, or the founder ticked its box */
async function confirmWave(
	request: PageRequest,
	{ asked, selection, seed }: WrittenWave,
	{ adding, open }: ShownPlan,
): Promise<void> {
	const { database, form, note } = request;
	const otherwise = "Or tick the box above the button to send anyway.";
	if (form.get("despite-gap") !== "yes") await refuseInGap(database.query, { otherwise });
	if (form.get("no-imprint") !== "yes") refuseWithoutImprint(open, otherwise);
	if (adding === 0) throw new Refusal("Nobody would get an email.");
	const noted = note("wave sent", `${asked.name}: ${adding}`);
	await addWave(request, asked, selection, seed, { note: noted });
}
