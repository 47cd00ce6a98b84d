import { type Html, html } from "../../html.ts";
import { VALID_DAYS } from "../../mail/wave/wave.ts";
import { FIELDS, type Field, type Problems } from "./wave-form.ts";

/** What each field is called where a problem names it. */
const names: Readonly<Record<Field, string>> = {
	name: "Name",
	kind: "Kind",
	size: "How many invitations",
	order: "Who comes first",
	days: "Codes are good for",
	source: "Source",
	domain: "Domain",
	at: "Not before",
	unconfirmed: "Unconfirmed",
	uninvited: "Uninvited",
	subject: "Subject",
	message: "Message",
};

/** The form of a new wave, as it was filled in, with what is wrong with it. */
export function newWaveForm(
	fields: Readonly<Partial<Record<string, string>>>,
	problems: Problems,
): Html {
	const wrong = FIELDS.filter((field) => problems[field] !== undefined);
	const summary =
		wrong.length === 0
			? html``
			: html`<div class="card alarm" role="alert"><p>Nothing was planned yet. Please look at:</p><ul class="points">${wrong.map((field) => html`<li><a href="#${field}">${names[field]}</a></li>`)}</ul></div>`;

	function line(field: Field, hint: string, more: Html = html``): Html {
		return html`<div class="field"><label for="${field}">${names[field]}</label>
<input id="${field}" name="${field}" type="text" value="${fields[field] ?? ""}" autocomplete="off"${more}${described(field)}>
${notes(field, hint)}</div>`;
	}

	const described = (field: Field) =>
		problems[field] === undefined
			? html` aria-describedby="${field}-hint"`
			: html` aria-describedby="${field}-hint ${field}-problem" aria-invalid="true"`;

	const notes = (field: Field, hint: string) =>
		html`<p class="hint" id="${field}-hint">${hint}</p>${
			problems[field] === undefined
				? html``
				: html`<p class="problem" id="${field}-problem">${problems[field]}</p>`
		}`;

	const choice = (field: Field, value: string, text: string, isFirst = false) => {
		const chosen = (fields[field] ?? "") === value || (isFirst && !fields[field]);
		return html`<label class="pick"><input type="radio" name="${field}" value="${value}"${chosen ? html` checked` : html``}> ${text}</label>`;
	};

	const check = (field: Field, text: string) =>
		html`<label class="pick"><input type="checkbox" name="${field}" value="yes"${fields[field] ? html` checked` : html``}> ${text}</label>`;

	return html`<p class="lead">Nothing is sent from this page. The next one shows who gets a letter, and the letter itself.</p>
${summary}
<form class="new-wave" method="post">
<fieldset class="card"><legend>The wave</legend><div class="fields">
${line("name", "Letters, digits, dots, hyphens and underscores, as in beta-1. The same name again adds what is missing.", html` required`)}
<div class="field" role="radiogroup" aria-labelledby="kind-name"><span id="kind-name" class="figure-name">Kind</span>
${choice("kind", "invitation", "Invitations, with a code each", true)}
${choice("kind", "news", "News, the same to everybody selected")}</div>
${line("at", "In UTC, as in 2026-11-21T09:30Z. Empty: at once.")}
</div></fieldset>
<fieldset class="card"><legend>Invitations</legend><div class="fields">
${line("size", "How many the wave has in the end. News go to everybody selected.", html` inputmode="numeric"`)}
<div class="field" role="radiogroup" aria-labelledby="order-name"><span id="order-name" class="figure-name">Who comes first</span>
${choice("order", "time", "Those who joined first", true)}
${choice("order", "chance", "By chance")}</div>
${line("days", `Days after the letter was sent. Empty: ${VALID_DAYS}.`, html` inputmode="numeric"`)}
</div></fieldset>
<fieldset class="card"><legend>To whom</legend><div class="fields">
${line("source", "Those who joined through this site, as in landing-page. Empty: everybody.")}
${line("domain", "Those whose address is there, as in example.com. Empty: everybody.")}
<div class="whole">${check("unconfirmed", "Also those who have not confirmed their address")}
${check("uninvited", "News only to those whom no wave has invited")}</div>
</div></fieldset>
<fieldset class="card"><legend>The letter</legend><div class="fields">
${line("subject", "Empty, with an empty message: an invitation in our words.")}
<div class="field whole"><label for="message">${names.message}</label>
<textarea id="message" name="message" rows="12"${described("message")}>
${fields.message ?? ""}</textarea>
${notes("message", "Paragraphs, with an empty line between two of them. An invitation puts in {code}, {link} and {expires}.")}</div>
</div></fieldset>
<p class="actions"><button class="act strong" type="submit">Look at it</button> <a class="act" href="/letters">Back</a></p>
</form>`;
}
