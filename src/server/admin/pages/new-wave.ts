import type { Finding } from "../../database/database.ts";
import { refuseInGap } from "../../mail/emails/gaps.ts";
import { Refusal } from "../../refusal.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import { DAY_MS } from "../../time.ts";
import { lastBackup } from "../../transfer/last-backup.ts";
import { addWave } from "../../waves/add-wave.ts";
import { missingImprint, refuseWithoutImprint } from "../../waves/imprint.ts";
import { beforeTheWave } from "../../waves/launch.ts";
import { MOST_BYTES } from "../../waves/message.ts";
import { type Plan, planWave } from "../../waves/plan-wave.ts";
import { sendTestEmail } from "../../waves/test-email.ts";
import type { Page, PageRequest, Route } from "../page.ts";
import {
	attempt,
	card,
	counted,
	facts,
	figure,
	nothing,
	notice,
	refusal,
	sentenceAsHtml,
	timeAsHtml,
} from "../parts.ts";
import { NO_MAIL, pauseAsHtml } from "./emails.ts";
import { newWaveForm, readWaveForm, type WrittenWave } from "./wave-form.ts";
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
			main: mail ? newWaveForm({ kind: "invitation" }, []) : NO_MAIL,
		}),
	},
	{
		method: "POST",
		path: PATH,
		mostBytes: MOST_FORM_BYTES,
		async respond(request) {
			const { form, settings } = request;
			if (!settings.mail) return { title: TITLE, main: NO_MAIL, status: 409 };
			const formAgain = (status: number, problems: string[] = [], why: Html = html``) => ({
				title: TITLE,
				main: html`${why}${newWaveForm(Object.fromEntries(form), problems)}`,
				status,
			});
			const step = form.get("step");
			if (step === "change") return formAgain(200);
			const { wave, problems } = readWaveForm(form, settings.timeZone);
			if (!wave) return formAgain(422, problems);
			const planned = await attempt(() => showWave(request, wave));
			if ("refused" in planned) return formAgain(409, [], refusal(planned.refused));
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

async function showWave(
	request: PageRequest,
	{ asked, selection }: WrittenWave,
): Promise<ShownPlan> {
	const { database, settings } = request;
	const plan = await planWave(request, asked, selection, settings.mail!);
	const last = await lastBackup(database);
	const open = beforeTheWave(request, last, asked.kind).filter(({ ok }) => !ok);
	return { ...plan, open };
}

/** @throws Refusal unless everything is in order */
async function confirmWave(
	request: PageRequest,
	{ asked, selection }: WrittenWave,
	{ adding, open }: ShownPlan,
): Promise<void> {
	const { database, form, note } = request;
	await refuseInGap(database, { otherwise: "Or use the command, with `--despite-gap`." });
	if (form.get("no-imprint") !== "yes") refuseWithoutImprint(open, "Or tick the box.");
	if (adding === 0) throw new Refusal("Nobody would get an email.");
	const noted = note("wave sent", `${asked.name}: ${adding}`);
	await addWave(request, asked, selection, undefined, { note: noted });
}

/** A wave before it is confirmed. */
interface ShownPlan extends Plan {
	/** Missing points of the checklist. */
	open: Finding[];
}

/**
 * The plan of a wave with its email, and the form that confirms it.
 *
 * @param said why the page is shown again
 */
function planPage(written: WrittenWave, plan: ShownPlan, said: Html): Page {
	const { wave, adding, example } = plan;
	const hidden = Object.entries({ ...written.fields, adding: `${adding}` }).map(
		([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
	);
	return {
		title: wave.name,
		hasEmail: true,
		main: html`${said}
<p class="lead">Nothing is sent yet. ${leadAsText(written, plan)}</p>
<div class="plan">
<div>
${card("who", "Who gets one", whoAsHtml(plan))}
${card("when", "When", whenAsHtml(plan))}
${openPoints(plan.open)}
</div>
<section class="card shown" aria-labelledby="email"><h2 id="email">The email</h2>
<p><span class="figure-name">Subject</span> ${printableLine(example.subject)}</p>
<iframe sandbox srcdoc="${example.html}" title="The email as people get it"></iframe>
<details><summary>As plain text</summary><pre>${example.text}</pre></details>
<form class="find" method="post">${hidden}
<label><span>Send a test to</span><input name="to" type="email" required autocomplete="email"></label>
<button class="act" type="submit" name="step" value="test">Send a test</button></form>
</section>
</div>
<form class="confirm" method="post">${hidden}
${adding === 0 ? nothing("Nobody would get an email.", "Change it to reach more people.") : imprintBox(plan)}
<p class="actions">${adding === 0 ? html`` : html`<button class="act strong" type="submit" name="step" value="send">Send ${counted(adding, "email")}</button>`} <button class="act" type="submit" name="step" value="change">Change it</button></p></form>`,
	};
}

/** The box to tick where the wave would otherwise be refused. */
function imprintBox({ open }: ShownPlan): Html {
	const missing = missingImprint(open).map(({ name }) => name);
	if (missing.length === 0) return html``;
	return html`<label class="pick"><input type="checkbox" name="no-imprint" value="yes"> The emails would not name their sender (${missing.join(", ")}), which many countries require by law. Send anyway.</label>`;
}

function leadAsText({ asked }: WrittenWave, { adding, letters }: ShownPlan): string {
	const has = letters > 0 ? ` The wave has ${counted(letters, "email")} already.` : "";
	const whom = letters > 0 ? `${figure(adding)} more` : counted(adding, "person", "people");
	if (asked.kind === "news") return `News to ${whom}.${has}`;
	return `Invitations to ${whom}, those who joined first.${has}`;
}

const whoAsHtml = (plan: ShownPlan) =>
	facts([
		["Selected", figure(plan.selected)],
		["Eligible", figure(plan.eligible)],
		["Unsubscribed", figure(plan.left)],
		["Bounced", figure(plan.bounced)],
		["Flagged", figure(plan.flagged)],
		["In a burst", figure(plan.burst)],
		["Had one before", figure(plan.had)],
		["Not confirmed", figure(plan.unconfirmed)],
	]);

function whenAsHtml({ wave, waiting, takesMs, pause }: ShownPlan): Html {
	const rows: [string, string | Html][] = [
		["Not before", timeAsHtml(wave.startsAt)],
		["Emails already waiting", figure(waiting.letters)],
	];
	if (waiting.lastAt) rows.push(["The last of these", timeAsHtml(waiting.lastAt)]);
	const rate =
		takesMs > 0
			? `${durationAsText(takesMs)} later, at today’s rate`
			: "as fast as the server accepts them";
	rows.push(["The last of this wave", rate]);
	if (wave.validDays > 0) rows.push(["Codes are valid for", `${wave.validDays} days`]);
	return html`${wave.state === "paused" ? html`<p class="alarm">This wave is paused: nothing is sent before you resume it.</p>` : html``}
${pause ? pauseAsHtml(pause) : html``}
${facts(rows)}`;
}

/** `about 5 hours` */
function durationAsText(ms: number): string {
	const units = [
		["days", DAY_MS],
		["hours", 3_600_000],
	] as const;
	const [unit, unitMs] = units.find(([, size]) => ms >= 2 * size) ?? (["minutes", 60_000] as const);
	const count = Math.ceil(ms / unitMs);
	return `about ${figure(count)} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

function openPoints(open: readonly Finding[]): Html {
	if (open.length === 0) return html``;
	const points = open.map(
		({ name, found }) => html`<li><b>${name}:</b> ${sentenceAsHtml(found)}</li>`,
	);
	return card("open", "Before you send", html`<ul class="points">${points}</ul>`);
}
