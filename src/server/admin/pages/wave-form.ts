import { type Html, html } from "../../html.ts";
import { isWaveName, WAVE_NAME_INVALID } from "../../mail/wave/wave.ts";
import { isSourceLabel, SOURCE_INVALID } from "../../registrations/source.ts";
import { parseTime } from "../../time.ts";
import type { AskedWave } from "../../waves/add-wave.ts";
import { problemOf } from "../../waves/message.ts";
import type { Selection } from "../../waves/selection.ts";

/** The fields of a new wave in their order, with their labels. */
const LABELS = {
	name: "Name",
	kind: "Kind",
	at: "Not before",
	size: "How many invitations",
	source: "Source",
	unconfirmed: "Unconfirmed",
	uninvited: "Uninvited",
	subject: "Subject",
	message: "Message",
};

type Field = keyof typeof LABELS;

const FIELDS = Object.keys(LABELS) as Field[];

/** A wave as its form describes it. The form goes along from page to page until it is confirmed. */
export interface WrittenWave {
	asked: AskedWave;
	selection: Selection;
	fields: Readonly<Record<Field, string>>;
}

/** Sentences by the field that they are about. */
type Problems = Partial<Record<Field, string>>;

/** Reads the form of a new wave. Rarer choices, such as a random order, are options of the commands. */
export function readWaveForm(
	form: URLSearchParams,
	zone: string,
): { wave: WrittenWave } | { problems: Problems } {
	const fields = Object.fromEntries(
		FIELDS.map((field) => [field, (form.get(field) ?? "").replace(/\r\n?/g, "\n").trim()]),
	) as Record<Field, string>;
	const { name, size, source, at, subject, message } = fields;
	const isNews = fields.kind === "news";
	const kind = isNews ? "news" : "invitation";
	const startsAt = at === "" ? undefined : parseTime(at, zone);
	const isWritten = subject !== "" || message !== "";
	const problems: Problems = {};
	const refuseIf = (is: boolean, field: Field, why: string) => {
		if (is) problems[field] = why;
	};
	refuseIf(!isWaveName(name), "name", WAVE_NAME_INVALID);
	refuseIf(source !== "" && !isSourceLabel(source), "source", SOURCE_INVALID);
	refuseIf(at !== "" && !startsAt, "at", "It must be a day or time, as in 2026-11-21 09:30.");
	if (!isNews) {
		refuseIf(!/^[1-9]\d{0,7}$/.test(size), "size", "It must be a number from 1 to 99999999.");
	}
	if (isNews || isWritten) {
		const problem = subject && message ? problemOf({ subject, message }, kind) : undefined;
		refuseIf(subject === "", "subject", "It must not be empty.");
		refuseIf(subject !== "" && message === "", "message", "It must not be empty.");
		const field = problem?.includes("subject") ? "subject" : "message";
		refuseIf(problem !== undefined, field, `It cannot be sent: ${problem}.`);
	}
	if (Object.keys(problems).length > 0) return { problems };
	return {
		wave: {
			asked: {
				...{ name, kind, size: isNews ? 0 : Number(size) },
				...(startsAt !== undefined && { startsAt }),
				...(isWritten && { message: { subject, message } }),
			},
			selection: {
				unconfirmed: fields.unconfirmed !== "",
				uninvited: !isNews || fields.uninvited !== "",
				...(source !== "" && { source }),
			},
			fields,
		},
	};
}

/** The form of a new wave, filled in, with its problems. */
export function newWaveForm(
	fields: Readonly<Partial<Record<string, string>>>,
	problems: Problems,
): Html {
	const wrong = FIELDS.filter((field) => problems[field] !== undefined);
	const summary =
		wrong.length === 0
			? html``
			: html`<div class="card alarm" role="alert"><p>Please correct:</p><ul class="points">${wrong.map((field) => html`<li><a href="#${field}">${LABELS[field]}</a></li>`)}</ul></div>`;

	const described = (field: Field) =>
		problems[field] === undefined
			? html` aria-describedby="${field}-hint"`
			: html` aria-describedby="${field}-hint ${field}-problem" aria-invalid="true"`;

	const notes = (field: Field, hint: string) => {
		const problem = problems[field];
		return html`<p class="hint" id="${field}-hint">${hint}</p>${problem === undefined ? html`` : html`<p class="problem" id="${field}-problem">${problem}</p>`}`;
	};

	const line = (field: Field, hint: string, more: Html = html``) =>
		html`<div class="field"><label for="${field}">${LABELS[field]}</label>
<input id="${field}" name="${field}" type="text" value="${fields[field] ?? ""}" autocomplete="off"${more}${described(field)}>
${notes(field, hint)}</div>`;

	const choice = (field: Field, choices: readonly (readonly [string, string])[]) => {
		const options = choices.map(([value, text], n) => {
			const isChosen = (fields[field] || choices[0]![0]) === value;
			return html`<label class="pick"><input type="radio" name="${field}"${n === 0 ? html` id="${field}"` : html``} value="${value}"${isChosen ? html` checked` : html``}> ${text}</label>`;
		});
		return html`<div class="field" role="radiogroup" aria-labelledby="${field}-name"><span id="${field}-name" class="figure-name">${LABELS[field]}</span>
${options}</div>`;
	};

	const check = (field: Field, text: string) =>
		html`<label class="pick"><input type="checkbox" name="${field}" value="yes"${fields[field] ? html` checked` : html``}> ${text}</label>`;

	const group = (legend: string, inner: Html) =>
		html`<fieldset class="card"><legend>${legend}</legend><div class="fields">
${inner}
</div></fieldset>`;

	return html`<p class="lead">Nothing is sent yet. The next page shows who gets an email, and the email itself.</p>
${summary}
<form class="new-wave" method="post">
${group(
	"The wave",
	html`${line("name", "Letters, digits, dots, hyphens and underscores, as in beta-1. The same name again adds the emails that are missing.", html` required`)}
${choice("kind", [
	["invitation", "Invitations, with a code each"],
	["news", "News, the same to everybody selected"],
])}
${line("at", "As in 2026-11-21 09:30, in your time zone. Empty: now.")}`,
)}
${group(
	"Invitations",
	line(
		"size",
		"How many the wave has in total, those who joined first. News go to everybody selected.",
		html` inputmode="numeric"`,
	),
)}
${group(
	"Recipients",
	html`${line("source", "Those who joined through this site, as in landing-page. Empty: everybody.")}
<div class="whole">${check("unconfirmed", "Also those who have not confirmed their address")}
${check("uninvited", "News only to those whom no wave has invited")}</div>`,
)}
${group(
	"The email",
	html`${line("subject", "Leave subject and message empty for our standard invitation.")}
<div class="field whole"><label for="message">${LABELS.message}</label>
<textarea id="message" name="message" rows="12"${described("message")}>
${fields.message ?? ""}</textarea>
${notes("message", "Markdown: paragraphs, **bold** words, [links](https://orbit.example) and lists. Invitations may use {code}, {link} and {expires}.")}</div>`,
)}
<p class="actions"><button class="act strong" type="submit">Preview</button> <a class="act" href="/waves">Back</a></p>
</form>`;
}
