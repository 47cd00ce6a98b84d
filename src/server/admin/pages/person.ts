import { NOT_IN_ADDRESS } from "#shared/email.ts";
import { readConsent } from "../../mail/emails/consent.ts";
import { deletePeople } from "../../mail/emails/delete-people.ts";
import { ON_REQUEST, receiptAsText, wrongReason } from "../../mail/emails/receipt.ts";
import { releaseHeld } from "../../mail/emails/release.ts";
import { resendEmails } from "../../mail/emails/resend.ts";
import { unbounce } from "../../mail/feedback/unbounce.ts";
import { unsubscribePeople } from "../../mail/links/unsubscribe.ts";
import { type Found, findPerson } from "../../mail/people/find-person.ts";
import { messageIdOf } from "../../mail/smtp/compose-message.ts";
import { isWaveName, WAVE_NAME_INVALID } from "../../mail/wave/wave.ts";
import { BURST, flagPeople } from "../../registrations/flags.ts";
import { otherSpellings } from "../../registrations/mailbox.ts";
import { keyOf, type Person, type Registration } from "../../registrations/registrations.ts";
import { openSuppressionList } from "../../registrations/suppression/open-suppression-list.ts";
import { type Html, html } from "../../text/html.ts";
import { printable, printableLine } from "../../text/printable.ts";
import { inviteOne } from "../../waves/invite-one.ts";
import { hasWebhook } from "../../webhooks/webhook.ts";
import type { Page, PageRequest, Route } from "../page.ts";
import {
	attempt,
	findForm,
	notice,
	PERSON_PATH,
	personPath,
	refusal,
	sentenceAsHtml,
} from "../parts.ts";
import { PEOPLE_PATH } from "./people-filter.ts";
import { deletionsAsHtml, type PersonRecord, recordAsHtml, recordAsText } from "./person-record.ts";

/** Buttons of the page. `do` returns whether it changed something, and `said` is the notice. */
const ACTIONS = {
	confirm: {
		said: "A confirmation email goes out as the sending rate allows.",
		async do(request, key) {
			const noted = request.note("confirmation sent");
			const releasing = { dryRun: false, also: { released: noted, unmarked: noted } };
			return (await releaseHeld(request, { keys: [key] }, releasing)).changed.size > 0;
		},
	},
	resend: {
		said: "An email goes out as the sending rate allows.",
		async do({ database, now, note }, key) {
			const resending = { now, also: note("email resent") };
			return (await resendEmails(database, [key], resending)).length > 0;
		},
	},
	block: {
		said: "They are blocked: no wave includes them.",
		async do({ database, note }, key) {
			const flagging = { keys: [key], remove: false, also: note("person blocked") };
			return (await database.transact(flagPeople, flagging)).length > 0;
		},
	},
	unblock: {
		said: "They are unblocked. This sends no email.",
		async do({ database, now, note }, key) {
			const flagging = { keys: [key], remove: true, also: note("person unblocked") };
			const isUnflagged = (await database.transact(flagPeople, flagging)).length > 0;
			const unbouncing = { keys: [key], now, also: note("bounce removed") };
			return (await database.transact(unbounce, unbouncing)).length > 0 || isUnflagged;
		},
	},
	unsubscribe: {
		said: "They are unsubscribed.",
		async do({ database, places, now, note }, key) {
			const list = await openSuppressionList(database, places);
			const asked = { way: "request", now, also: note("person unsubscribed") } as const;
			return (await unsubscribePeople(database, list, [key], asked)).length > 0;
		},
	},
	invite: {
		said: "They are invited: the email goes out as the sending rate allows.",
		do({ database, now, note, form }, key) {
			const wave = form.get("wave") ?? "";
			const asked = { key, wave, unconfirmed: form.get("unconfirmed") === "yes" };
			return inviteOne(database, asked, now, note("person invited", wave));
		},
	},
} satisfies Record<
	string,
	{ said: string; do: (request: PageRequest, key: string) => Promise<boolean> }
>;

type Action = keyof typeof ACTIONS;

/** Actions that send an email. */
const SENDING: readonly Action[] = ["confirm", "resend", "invite"];

const NOTHING = "nothing";

/** The notice that the next address names. */
function saidOf(did: string): Html {
	if (did === NOTHING) return notice("Nothing changed: this does not apply to them now.");
	return Object.hasOwn(ACTIONS, did) ? notice(ACTIONS[did as Action].said) : html``;
}

const find = ({ database, places }: PageRequest, key: string): Promise<Found> =>
	findPerson({ database, places }, key);

/** The person of the path; undefined if they are not on the list. */
async function registrationOf(request: PageRequest): Promise<Registration | undefined> {
	const key = request.params.key!;
	return NOT_IN_ADDRESS.test(key) ? undefined : (await find(request, key)).registration;
}

async function readRecord(
	{ database, settings: { mail } }: PageRequest,
	found: Found,
): Promise<PersonRecord> {
	const { letters = [], leavings = [] } = found;
	const known = { letters, leavings };
	const consent = await readConsent(database, found.registration!, known);
	const id = consent.asked?.id;
	return { found, consent, messageId: id && mail ? messageIdOf(id, mail.from) : null };
}

/** @param said why the page is shown again */
async function personPage(request: PageRequest, said?: Html, status = 200): Promise<Page> {
	const key = request.params.key!;
	if (NOT_IN_ADDRESS.test(key)) return findPage("", html`<p>This is not an address.</p>`);
	const found = await find(request, key);
	const others = sameMailbox(await otherSpellings(request.database, key));
	const { registration } = found;
	if (!registration) {
		const words = html`<p>This address is not on the list: nothing is stored.</p>${deletionsAsHtml(found)}`;
		return findPage(key, words, 404, others);
	}
	return {
		title: printableLine(registration.email),
		status,
		main: html`${said ?? saidOf(request.search.get("did") ?? "")}
${actionsFor(found, registration, request.settings.mail !== undefined)}
${others}
${recordAsHtml(await readRecord(request, found))}`,
	};
}

function actionsFor(
	{ letters = [] }: Found,
	{ key, flag, unsubscribedAt, bouncedAt, confirmedAt }: Person,
	hasMail: boolean,
): Html {
	const path = personPath(key);
	const button = (action: Action, name: string) =>
		html`<form method="post" action="${path}/${action}"><button class="act" type="submit">${name}</button></form>`;
	const isInvited = letters.some(({ kind, code }) => kind === "invitation" && code !== "cancelled");
	const mayGet = hasMail && !unsubscribedAt && !bouncedAt;
	const invite = html`<form class="invite" method="post" action="${path}/invite">
<label><span>Wave</span><input name="wave" value="by-hand" required autocomplete="off"></label>
${confirmedAt ? html`` : html`<input type="hidden" name="unconfirmed" value="yes">`}
<button class="act" type="submit">${confirmedAt ? "Invite" : "Invite, though not confirmed"}</button></form>`;
	const why = unsubscribedAt
		? "They get no email: they unsubscribed, and only they can undo that."
		: bouncedAt
			? "They get no email: their address bounced. Unblock them to try it again."
			: hasMail
				? ""
				: "No mail server is set up, so no email is sent.";
	// A held confirmation goes out by "Send the confirmation" as well.
	const isAsked = letters.some(({ kind, held }) => kind === "confirm" && held === 0);
	const send =
		isAsked && flag !== BURST
			? button("resend", "Resend")
			: button("confirm", "Send the confirmation");
	return html`<section class="card acts" aria-label="Actions">
${why ? html`<p>${why}</p>` : html``}
${mayGet ? send : html``}
${mayGet && !flag && !isInvited ? invite : html``}
${flag || bouncedAt ? button("unblock", "Unblock") : button("block", "Block")}
<a class="act" href="${path}/data">Download their data</a>
${unsubscribedAt ? html`` : html`<a class="act risky" href="${path}/unsubscribe">Unsubscribe…</a>`}
<a class="act risky" href="${path}/delete">Delete…</a></section>`;
}

const actionRoute = (action: Action): Route => ({
	method: "POST",
	path: `${PERSON_PATH}/:key/${action}`,
	async respond(request) {
		const key = request.params.key!;
		if (SENDING.includes(action) && !request.settings.mail)
			return personPage(request, refusal("No mail server is set up, so no email is sent."), 409);
		if (action === "invite" && !isWaveName(request.form.get("wave") ?? ""))
			return personPage(request, refusal(`Wave: ${WAVE_NAME_INVALID}`), 400);
		if (NOT_IN_ADDRESS.test(key)) return personPage(request);
		const outcome = await attempt(() => ACTIONS[action].do(request, key));
		if ("refused" in outcome) return personPage(request, refusal(outcome.refused), 409);
		return { seeOther: `${personPath(key)}?did=${outcome.done ? action : NOTHING}` };
	},
});

export const personRoutes: readonly Route[] = [
	{ method: "GET", path: PERSON_PATH, respond: () => findPage("", html``, 200) },
	{
		method: "POST",
		path: PERSON_PATH,
		async respond({ form }) {
			const typed = form.get("email") ?? "";
			const wrong = (why: string) => findPage(typed, html`<p>${sentenceAsHtml(why)}</p>`, 400);
			if (NOT_IN_ADDRESS.test(typed.trim())) return wrong("This is not an address.");
			const outcome = await attempt(async () => personPath(keyOf(typed)));
			return "refused" in outcome ? wrong(outcome.refused) : { seeOther: outcome.done };
		},
	},
	{ method: "GET", path: `${PERSON_PATH}/:key`, respond: (request) => personPage(request) },
	...(Object.keys(ACTIONS) as Action[]).map(actionRoute),
	{
		method: "GET",
		path: `${PERSON_PATH}/:key/data`,
		async respond(request) {
			const key = request.params.key!;
			if (!(await registrationOf(request))) return personPage(request);
			const record = await readRecord(request, await find(request, key));
			return {
				download: (async function* () {
					yield recordAsText(record);
				})(),
				file: "stored-data.txt",
				type: "text/plain",
			};
		},
	},
	{
		method: "GET",
		path: `${PERSON_PATH}/:key/unsubscribe`,
		async respond(request) {
			const registration = await registrationOf(request);
			return registration ? unsubscribePage(registration) : personPage(request);
		},
	},
	{
		method: "GET",
		path: `${PERSON_PATH}/:key/delete`,
		async respond(request) {
			const registration = await registrationOf(request);
			return registration ? deletePage(registration) : personPage(request);
		},
	},
	{
		method: "POST",
		path: `${PERSON_PATH}/:key/delete`,
		async respond(request) {
			const registration = await registrationOf(request);
			if (!registration) return personPage(request);
			const reason = request.form.get("reason") ?? "";
			const wrong = wrongReason(reason);
			if (wrong) return deletePage(registration, refusal(`Reason: ${wrong}`), 400);
			const outcome = await attempt(() => deleteOne(request, registration, reason));
			if ("refused" in outcome) return deletePage(registration, refusal(outcome.refused), 409);
			if (!outcome.done) return personPage(request);
			return {
				title: "Deleted",
				main: html`<p class="lead">This receipt answers their request. Copy it now: nothing else holds the address.</p>
<div class="card"><p class="receipt">${printable(outcome.done)}</p></div>
<p class="actions"><a class="act" href="${PEOPLE_PATH}">People</a></p>`,
			};
		},
	},
];

/** Deletes a person, and returns the receipt; undefined if they are gone. */
async function deleteOne(
	{ database, places, now, note }: PageRequest,
	{ key, email }: Registration,
	reason: string,
): Promise<string | undefined> {
	const list = await openSuppressionList(database, places);
	const erasing = { now, reason, also: note("person deleted") };
	const [entry] = await deletePeople(database, list, [key], erasing);
	if (!entry) return undefined;
	const told = (await hasWebhook(database)) && { told: true as const };
	await database.forget();
	return receiptAsText({ email, ...entry, ...told });
}

/** Other addresses on the list whose emails arrive in the same mailbox. */
function sameMailbox(others: readonly string[]): Html {
	if (others.length === 0) return html``;
	const links = others.map(
		(key) => html`<li><a href="${personPath(key)}">${printableLine(key)}</a></li>`,
	);
	return html`<section class="card" aria-labelledby="same"><h2 id="same">Same mailbox</h2>
<p>Also on the list, probably with the same mailbox:</p>
<ul class="points">${links}</ul></section>`;
}

function findPage(typed: string, words: Html, status = 404, others = html``): Page {
	const said =
		words.markup === "" ? words : html`<div class="card notice" role="status">${words}</div>`;
	return { title: "Find a person", status, main: html`${said}${others}${findForm(typed)}` };
}

const unsubscribePage = ({ key, email }: Registration): Page => ({
	title: "Unsubscribe them?",
	main: html`<form class="card" method="post" action="${personPath(key)}/unsubscribe">
<p><b>${printableLine(email)}</b> stays on the waitlist and gets no more email. Only they can undo this, by a link in an earlier email.</p>
<p class="actions"><button class="act strong" type="submit">Unsubscribe</button> <a class="act" href="${personPath(key)}">Back</a></p>
</form>`,
});

const deletePage = ({ key, email }: Registration, said = html``, status = 200): Page => ({
	title: "Delete them?",
	status,
	main: html`${said}<form class="card erase" method="post" action="${personPath(key)}/delete">
<p>Deletes all that is stored of <b>${printableLine(email)}</b>, with their emails. A keyed hash stays, so that no backup brings them back. This cannot be undone.</p>
<label><span>Reason, stored with the hash</span><input name="reason" value="${ON_REQUEST}" required maxlength="100" autocomplete="off"></label>
<p class="actions"><button class="act strong" type="submit">Delete</button> <a class="act" href="${personPath(key)}">Back</a></p>
</form>`,
});
