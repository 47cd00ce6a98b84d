import { isWaveName, WAVE_NAME_INVALID } from "../../mail/waves.ts";
import { type Problems, Refusal, requireValid } from "../../refusal.ts";
import { isSourceLabel, SOURCE_INVALID } from "../../registrations/registrations.ts";
import { formatCount, formatNumber } from "../../text/format-number.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import { parseTime } from "../../time.ts";
import { sendWave, type WaveRequest } from "../../waves/add-wave.ts";
import type { WaveSelection } from "../../waves/audience.ts";
import { failedImprintChecks } from "../../waves/launch.ts";
import {
	EXAMPLE_NOTICE,
	MOST_MESSAGE_BYTES,
	messageProblem,
	sendTestEmail,
} from "../../waves/message.ts";
import { describeWavePlan, planWave, type WavePlan } from "../../waves/plan-wave.ts";
import {
	card,
	createFieldRenderer,
	factList,
	hiddenFields,
	NO_MAIL_CARD,
	notice,
	pageOrRefusal,
	refusalNotice,
	sentenceAsHtml,
} from "../parts.ts";
import { getRoute, type Page, postRoute, type Route } from "../responses.ts";
import { WAVES_PATH } from "./waves.ts";

/** URL encoding may turn each byte of a message into three, such as %0A. */
const MOST_FORM_BYTES = 3 * MOST_MESSAGE_BYTES + 16_384;

/** Share by which the count may change while the founder reads the preview: people still join. */
const TOLERATED_CHANGE = 0.01;

const TITLE = "New wave";
const PATH = `${WAVES_PATH}/new`;

const FIELDS = [
	...(["name", "kind", "at", "size", "source", "unconfirmed", "uninvited"] as const),
	...(["subject", "message"] as const),
] as const;

type Fields = Readonly<Record<(typeof FIELDS)[number], string>>;

/** Stores a wave only at the last step. Until then, each page contains the whole form. */
export const newWaveRoutes: readonly Route[] = [
	getRoute(PATH, ({ settings: { mail, timeZone } }) => ({
		title: TITLE,
		main: mail
			? waveForm(readFields(new URLSearchParams("kind=invitation")), timeZone)
			: NO_MAIL_CARD,
	})),
	postRoute(
		PATH,
		(request) => {
			const { form, settings, now } = request;
			const { mail } = settings;
			if (!mail) return { title: TITLE, main: NO_MAIL_CARD, status: 409 };
			const fields = readFields(form);
			const step = form.get("step");
			const formAgain = (said?: Html, problems?: Problems) => ({
				title: TITLE,
				main: waveForm(fields, settings.timeZone, said, problems),
			});
			if (step === "change") return formAgain();
			return pageOrRefusal(async () => {
				const { asked, selection } = parseWave(fields, settings.timeZone);
				const plan = await planWave(request, asked, selection, mail);
				const planAgain = (said?: Html) => planPage(fields, plan, now, said);
				return pageOrRefusal(async () => {
					if (step === "test") {
						const to = form.get("to") ?? "";
						await sendTestEmail(mail, plan.example, plan.wave.kind, to);
						return planAgain(notice(`Test sent to ${to}. ${EXAMPLE_NOTICE}`));
					}
					if (step !== "send") return planAgain();
					const shown = Number(/^\d{1,9}$/.exec(form.get("adding") ?? "")?.[0] ?? -1);
					if (Math.abs(plan.adding - shown) > Math.floor(shown * TOLERATED_CHANGE)) {
						throw new Refusal(
							"Nothing was sent. The numbers have changed since you last saw them: people joined, unsubscribed, " +
								"or got an email. Review the new ones below, then send.",
						);
					}
					const noImprint = form.get("no-imprint") === "yes";
					await sendWave(request, asked, selection, plan, { noImprint });
					return { seeOther: WAVES_PATH };
				}, planAgain);
			}, formAgain);
		},
		MOST_FORM_BYTES,
	),
];

const readFields = (form: URLSearchParams) =>
	Object.fromEntries(
		FIELDS.map((field) => [field, (form.get(field) ?? "").replace(/\r\n?/g, "\n").trim()]),
	) as Fields;

/** Value of an input of the type `datetime-local`. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

function parseWave(fields: Fields, zone: string): { asked: WaveRequest; selection: WaveSelection } {
	const { name, size, source, at, subject, message } = fields;
	const kind = fields.kind === "news" ? "news" : "invitation";
	const startsAt = LOCAL_TIME.test(at) ? parseTime(at, zone) : undefined;
	const isNews = kind === "news";
	const isWritten = isNews || subject !== "" || message !== "";
	const unsendable = isWritten ? messageProblem({ subject, message }, kind) : undefined;
	requireValid({
		name: !isWaveName(name) && WAVE_NAME_INVALID,
		at: at !== "" && !startsAt && "Enter a date and a time.",
		size:
			!isNews &&
			!/^[1-9]\d{0,7}$/.test(size) &&
			"Enter a whole number without commas, such as 1000.",
		source: source !== "" && !isSourceLabel(source) && SOURCE_INVALID,
		subject: isWritten && subject === "" && "Write a subject.",
		message:
			(isWritten && message === "" && "Write a message.") ||
			(unsendable !== undefined && `This email cannot be sent: ${unsendable}.`),
	});
	return {
		asked: {
			name,
			kind,
			startsAt,
			size: isNews ? 0 : Number(size),
			message: isWritten ? { subject, message } : undefined,
		},
		selection: {
			unconfirmed: fields.unconfirmed !== "",
			uninvited: !isNews || fields.uninvited !== "",
			source: source || undefined,
		},
	};
}

function planPage(fields: Fields, plan: WavePlan, now: Date, said = html``): Page {
	const { wave, adding, emails, example, open } = plan;
	const { who, when, warnings } = describeWavePlan(plan, now);
	const hidden = hiddenFields({ ...fields, adding: `${adding}` });
	const points = open.map(
		({ name, found }) => html`<li><b>${name}:</b> ${sentenceAsHtml(found)}</li>`,
	);
	const more = emails > 0 ? "more " : "";
	const whom = formatCount(adding, `${more}person`, `${more}people`);
	const has = more && ` The wave already has ${formatCount(emails, "email")}.`;
	const lead =
		wave.kind === "news"
			? `News to ${whom}.${has}`
			: `Invitations to ${whom}, earliest joiners first.${has}`;
	const missing = failedImprintChecks(open).map(({ name }) => name);
	const imprintBox = html`<label class="pick"><input type="checkbox" name="no-imprint" value="yes"> The emails lack sender details that many countries require by law. Send anyway, with no ${missing.join(" or ")}.</label>`;
	const before = missing.length > 0 ? imprintBox : html``;
	const nobody = refusalNotice("No email would be sent: select more people, or raise the number.");
	const send = html`<button class="act strong" type="submit" name="step" value="send">Send ${formatCount(adding, "email")}</button>`;
	return {
		title: wave.name,
		hasEmail: true,
		main: html`${said}
<p class="lead">Nothing has been sent yet. ${lead}</p>
<div class="plan">
<div>
${card("who", "Who gets an email", factList(who.map(([name, count]) => [name, formatNumber(count)])))}
${card("when", "When", html`${warnings.map((warning) => html`<p class="alarm">${sentenceAsHtml(warning)}</p>`)}${factList(when)}`)}
${points.length > 0 ? card("open", "Before you send", html`<ul class="points">${points}</ul>`) : html``}
</div>
<section class="card shown" aria-labelledby="email"><h2 id="email">The email</h2>
<p><span class="figure-name">Subject</span> ${printableLine(example.subject)}</p>
<iframe sandbox srcdoc="${example.html}" title="The email as people get it"></iframe>
<details><summary>As plain text</summary><pre>${example.text}</pre></details>
<form class="find" method="post" novalidate>${hidden}
<label><span>Send a test to</span><input name="to" type="email" required autocomplete="email"></label>
<button class="act" type="submit" name="step" value="test">Send a test</button></form>
</section>
</div>
<form class="confirm" method="post">${hidden}
${adding > 0 ? before : nobody}<p class="actions">${adding > 0 ? send : html``} <button class="act" type="submit" name="step" value="change">Edit</button></p></form>`,
	};
}

function waveForm(fields: Fields, zone: string, said = html``, problems?: Problems): Html {
	const field = createFieldRenderer(problems);

	const line = (name: keyof Fields, label: string, hint: string) =>
		field(
			name,
			label,
			hint,
			(its) => html`<input ${its} value="${fields[name]}" autocomplete="off">`,
		);

	const pick = (type: "radio" | "checkbox", name: keyof Fields, is: string, text: string) => {
		const checked = fields[name] === is ? html` checked` : html``;
		return html`<label class="pick"><input type="${type}" name="${name}" value="${is}"${checked}> ${text}</label>`;
	};

	const group = (legend: string, inner: Html) =>
		html`<fieldset class="card"><legend>${legend}</legend><div class="fields">
${inner}
</div></fieldset>`;

	return html`<p class="lead">Nothing has been sent yet. The next page shows who gets an email, and the email itself.</p>
${said}
<form method="post" novalidate>
${group(
	"The wave",
	html`${line("name", "Name", "Letters, digits, dots, hyphens and underscores, such as beta-1. Enter an existing wave’s name to add people to it.")}
${field(
	"at",
	"Start sending",
	"Leave empty to send now.",
	(its) =>
		html`<span class="timed"><input ${its} type="datetime-local" value="${fields.at}"> ${zone}</span>`,
)}
<div class="whole">${pick("radio", "kind", "invitation", "Invitations, each with its own code")}
${pick("radio", "kind", "news", "News, the same email to everyone selected")}</div>`,
)}
${group(
	"Recipients",
	html`${line("size", "How many invitations", "Total for this wave, earliest joiners first. News goes to everyone selected.")}
${line("source", "Source", "Only people with this source, such as landing-page. Leave empty for everyone.")}
<div class="whole">${pick("checkbox", "unconfirmed", "yes", "Include unconfirmed people")}
${pick("checkbox", "uninvited", "yes", "Only people who have not been invited (news)")}</div>`,
)}
${group(
	"The email",
	html`${line("subject", "Subject", "Leave subject and message empty for our standard invitation.")}
<div class="whole">${field(
		"message",
		"Message",
		"Markdown: paragraphs, **bold** words, [links](https://orbit.example) and lists. Invitations may use {code}, {link} and {expires}.",
		(its) => html`<textarea ${its} rows="12">
${fields.message}</textarea>`,
	)}</div>`,
)}
<p class="actions"><button class="act strong" type="submit">Preview</button> <a class="act" href="${WAVES_PATH}">Back</a></p>
</form>`;
}
