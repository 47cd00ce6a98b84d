import { isWaveName, WAVE_NAME_INVALID } from "../../mail/wave/wave.ts";
import { isSourceLabel, SOURCE_INVALID } from "../../registrations/source.ts";
import { type Html, html } from "../../text/html.ts";
import { parseTime } from "../../time.ts";
import type { AskedWave } from "../../waves/add-wave.ts";
import { problemOf } from "../../waves/message.ts";
import type { Selection } from "../../waves/selection.ts";

const FIELDS = [
	...(["name", "kind", "at", "size", "source", "unconfirmed", "uninvited"] as const),
	...(["subject", "message"] as const),
] as const;

type Fields = Readonly<Record<(typeof FIELDS)[number], string>>;

/** A wave as its form describes it. The form goes along from page to page until it is confirmed. */
export interface WrittenWave {
	asked: AskedWave;
	selection: Selection;
	fields: Fields;
}

/**
 * Reads the form of a new wave. Rarer choices, such as a random order, are options of the commands.
 *
 * @returns the wave; without it, a sentence for each problem
 */
export function readWaveForm(
	form: URLSearchParams,
	zone: string,
): { wave?: WrittenWave; problems: string[] } {
	const fields = Object.fromEntries(
		FIELDS.map((field) => [field, (form.get(field) ?? "").replace(/\r\n?/g, "\n").trim()]),
	) as Fields;
	const { name, size, source, at, subject, message } = fields;
	const isNews = fields.kind === "news";
	const kind = isNews ? "news" : "invitation";
	const startsAt = at === "" ? undefined : parseTime(at, zone);
	const isWritten = subject !== "" || message !== "";
	const isWhole = subject !== "" && message !== "";
	const unsendable = isWhole ? problemOf({ subject, message }, kind) : undefined;
	const problems = [
		!isWaveName(name) && `Name: ${WAVE_NAME_INVALID}`,
		at !== "" && !startsAt && "Not before: It must be a day or time, as in 2026-11-21 09:30.",
		!isNews && !/^[1-9]\d{0,7}$/.test(size) && "How many: It must be a number from 1 to 99999999.",
		source !== "" && !isSourceLabel(source) && `Source: ${SOURCE_INVALID}`,
		(isNews || isWritten) && !isWhole && "Subject and message: Write both.",
		unsendable !== undefined && `The email cannot be sent: ${unsendable}.`,
	].filter((problem) => problem !== false);
	if (problems.length > 0) return { problems };
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
		problems,
	};
}

/** The form of a new wave, filled in, with its problems. */
export function newWaveForm(
	fields: Readonly<Partial<Record<string, string>>>,
	problems: readonly string[],
): Html {
	const value = (field: keyof Fields) => fields[field] ?? "";

	const field = (name: keyof Fields, label: string, hint: string, input: Html) =>
		html`<div class="field"><label for="${name}">${label}</label>
${input}
<p class="hint" id="${name}-hint">${hint}</p></div>`;

	const line = (name: keyof Fields, label: string, hint: string) =>
		field(
			name,
			label,
			hint,
			html`<input id="${name}" name="${name}" value="${value(name)}" autocomplete="off" aria-describedby="${name}-hint">`,
		);

	const pick = (type: "radio" | "checkbox", name: keyof Fields, is: string, text: string) => {
		const checked = value(name) === is ? html` checked` : html``;
		return html`<label class="pick"><input type="${type}" name="${name}" value="${is}"${checked}> ${text}</label>`;
	};

	const group = (legend: string, inner: Html) =>
		html`<fieldset class="card"><legend>${legend}</legend><div class="fields">
${inner}
</div></fieldset>`;

	const wrong =
		problems.length === 0
			? html``
			: html`<div class="card alarm" role="alert"><p>Please correct:</p><ul class="points">${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`;
	return html`<p class="lead">Nothing is sent yet. The next page shows who gets an email, and the email itself.</p>
${wrong}
<form class="new-wave" method="post">
${group(
	"The wave",
	html`${line("name", "Name", "Letters, digits, dots, hyphens and underscores, as in beta-1. The same name again adds the emails that are missing.")}
${line("at", "Not before", "As in 2026-11-21 09:30, in your time zone. Empty: now.")}
<div class="whole">${pick("radio", "kind", "invitation", "Invitations, with a code each")}
${pick("radio", "kind", "news", "News, the same to everybody selected")}</div>`,
)}
${group(
	"Recipients",
	html`${line("size", "How many invitations", "In total, those who joined first. News go to everybody selected.")}
${line("source", "Source", "Those who joined through this site, as in landing-page. Empty: everybody.")}
<div class="whole">${pick("checkbox", "unconfirmed", "yes", "Also those who have not confirmed their address")}
${pick("checkbox", "uninvited", "yes", "News only to those whom no wave has invited")}</div>`,
)}
${group(
	"The email",
	html`${line("subject", "Subject", "Leave subject and message empty for our standard invitation.")}
<div class="whole">${field(
		"message",
		"Message",
		"Markdown: paragraphs, **bold** words, [links](https://orbit.example) and lists. Invitations may use {code}, {link} and {expires}.",
		html`<textarea id="message" name="message" rows="12" aria-describedby="message-hint">
${value("message")}</textarea>`,
	)}</div>`,
)}
<p class="actions"><button class="act strong" type="submit">Preview</button> <a class="act" href="/waves">Back</a></p>
</form>`;
}
