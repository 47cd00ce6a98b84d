import { Readable } from "node:stream";
import { FORBIDDEN_IN_ADDRESS } from "#shared/email.ts";
import { NO_MAIL } from "../../mail/overview.ts";
import { personActions } from "../../mail/people/actions.ts";
import {
	DELETED_ON_REQUEST,
	deleteNamedPeople,
	deletionReasonProblem,
	deletionReceiptAsText,
} from "../../mail/people/delete-people.ts";
import {
	deletionsAsText,
	describePerson,
	type PersonRecord,
	personAsText,
	readPerson,
} from "../../mail/people/record.ts";
import { isWaveName, WAVE_NAME_INVALID } from "../../mail/waves.ts";
import { type Problems, Refusal, requireValid } from "../../refusal.ts";
import { BURST_FLAG } from "../../registrations/flags.ts";
import { emailKeyOf, type Person } from "../../registrations/registrations.ts";
import { type Html, html } from "../../text/html.ts";
import { printable, printableLine } from "../../text/printable.ts";
import { invitePerson } from "../../waves/add-wave.ts";
import {
	card,
	confirmForm,
	createFieldRenderer,
	notice,
	PEOPLE_PATH,
	pageOrRefusal,
	personPath,
	refusalNotice,
	responsiveTable,
	searchForm,
} from "../parts.ts";
import {
	type Page,
	type PageRequest,
	type PageResponse,
	postRoute,
	type Route,
} from "../responses.ts";

type Action = keyof typeof personActions | "invite";

const SENDING: readonly Action[] = ["confirm", "resend", "invite"];

const NOTICES: Readonly<Record<string, string>> = {
	done: "Done.",
	sent: "Done. If an email is due, it goes out as the sending rate allows.",
	nothing:
		"Nothing changed. They may already be blocked, confirmed or invited, or have gotten too many emails.",
};

type Found = PersonRecord & { registration: Person };

/** Creates a route about the person in its path. Responds with the search page if they are not on the list. */
const personRoute = (
	method: Route["method"],
	path: string,
	respond: (request: PageRequest, person: Found) => PageResponse | Promise<PageResponse>,
): Route => ({
	method,
	path: `${PEOPLE_PATH}/:key${path}`,
	async respond(request) {
		const key = request.params.key!;
		if (FORBIDDEN_IN_ADDRESS.test(key))
			return findPage("", refusalNotice("This is not an address."));
		const person = await readPerson(request, key);
		const { registration } = person;
		if (registration) return respond(request, { ...person, registration });
		const words = ["This address is not on the waitlist.", ...deletionsAsText(person)];
		return findPage(key, html`${notice(words.join(" "))}${sameMailboxCard(person)}`);
	},
});

const buttonRoute = (action: Action) =>
	personRoute("POST", `/${action}`, (request, { registration: { key } }) =>
		pageOrRefusal(
			async () => {
				const changed = await act(request, action, key);
				const did = !changed ? "nothing" : SENDING.includes(action) ? "sent" : "done";
				return { seeOther: `${personPath(key)}?did=${did}` };
			},
			async (said) => personPage(request, await readPerson(request, key), said),
		),
	);

async function act(request: PageRequest, action: Action, key: string): Promise<boolean> {
	const { form, settings } = request;
	if (SENDING.includes(action) && !settings.mail) throw new Refusal(NO_MAIL);
	if (action !== "invite") return [...(await personActions[action](request, [key]))].length > 0;
	const wave = form.get("wave") ?? "";
	if (!isWaveName(wave)) throw new Refusal(WAVE_NAME_INVALID);
	return invitePerson(request, { key, wave, unconfirmed: form.get("unconfirmed") === "yes" });
}

export const personRoutes: readonly Route[] = [
	postRoute(PEOPLE_PATH, ({ form }) => {
		const typed = form.get("email") ?? "";
		return pageOrRefusal(
			() => {
				const isAddress = typed.trim() !== "" && !FORBIDDEN_IN_ADDRESS.test(typed.trim());
				requireValid({ email: !isAddress && "Enter an email address." });
				return { seeOther: personPath(emailKeyOf(typed)) };
			},
			(said, problems) => findPage(typed, said, problems),
		);
	}),
	personRoute("GET", "", (request, person) => {
		const did = request.search.get("did") ?? "";
		const said = Object.hasOwn(NOTICES, did) ? notice(NOTICES[did]!) : html``;
		return personPage(request, person, said);
	}),
	...(["confirm", "resend", "block", "unblock", "unsubscribe", "invite"] as const).map(buttonRoute),
	personRoute("GET", "/data", (_, person) => ({
		download: Readable.from([personAsText(person, true)]),
		file: "stored-data.txt",
		type: "text/plain",
	})),
	personRoute("GET", "/unsubscribe", (_, { registration: { key, email } }) =>
		confirmForm("Unsubscribe this person?", {
			back: personPath(key),
			button: "Unsubscribe",
			words: html`<p><b>${printableLine(email)}</b> stays on the waitlist, but won’t get any more email. Only they can undo this: they open the unsubscribe link in an earlier email, press “Unsubscribe”, then “Resubscribe”.</p>`,
		}),
	),
	personRoute("GET", "/delete", (_, person) => deletePage(person)),
	personRoute("POST", "/delete", (request, person) =>
		pageOrRefusal(
			async () => {
				const reason = request.form.get("reason") ?? "";
				requireValid({ reason: deletionReasonProblem(reason) ?? false });
				const { key, email } = person.registration;
				const { receipts } = await deleteNamedPeople(request, new Map([[key, email]]), reason);
				const texts = receipts.map((receipt) => deletionReceiptAsText(receipt));
				return {
					title: "Deleted",
					main: html`<p class="lead">Copy this receipt now: it is the only record that includes the address.</p>
<div class="card"><p class="receipt">${printable(texts.join("\n"))}</p></div>
<p class="actions"><a class="act" href="${PEOPLE_PATH}">People</a></p>`,
				};
			},
			(said, problems) => deletePage(person, said, problems),
		),
	),
];

const deletePage = ({ registration: { key, email } }: Found, said?: Html, problems?: Problems) =>
	confirmForm(
		"Delete this person?",
		{
			back: personPath(key),
			button: "Delete",
			words: html`<p>Permanently deletes all data about <b>${printableLine(email)}</b>, including the record of their emails. We keep a keyed hash so that restoring a backup can’t bring them back. This cannot be undone.</p>
${createFieldRenderer(problems)(
	"reason",
	"Reason",
	"Stored with the hash.",
	(its) =>
		html`<input ${its} value="${DELETED_ON_REQUEST}" required maxlength="100" autocomplete="off">`,
)}`,
		},
		said,
	);

const findPage = (typed: string, said: Html, problems?: Problems): Page => ({
	title: "Find a person",
	status: 404,
	main: html`${said}${searchForm(typed, problems)}`,
});

function personPage({ settings }: PageRequest, person: PersonRecord, said: Html): Page {
	const { facts, emails, texts } = describePerson(person);
	const known = facts.map(([name, fact]) => html`<dt>${name}</dt><dd>${fact}</dd>\n`);
	const rows = emails.map(({ title, asked, state, code }) => [title, asked, state, code]);
	const columns = ["Email", "Requested", "State", "Reply or reason"];
	const words = texts.map(({ title, words }) =>
		words
			? html`<details><summary>${title}</summary><p class="said-then">${words}</p></details>`
			: html`<p>${title}.</p>`,
	);
	const deletions = deletionsAsText(person).map((text) => html`<p>${text}</p>`);
	return {
		title: printableLine(person.registration!.email),
		main: html`${said}
${buttonsOf(person, settings.mail !== undefined)}
${sameMailboxCard(person)}
${card("stored", "Stored", html`<dl class="known">${known}</dl>`)}
${rows.length > 0 ? html`<h2>Emails</h2>${responsiveTable(columns, rows, { wide: "Reply or reason" })}` : html`<p class="card empty">No emails sent.</p>`}
${card("consent", "Proof of consent", html`${words}${deletions}`)}`,
	};
}

function buttonsOf({ registration, emails }: PersonRecord, hasMail: boolean): Html {
	const { key, flag, unsubscribedAt, bouncedAt, confirmedAt } = registration!;
	const path = personPath(key);
	const button = (action: Action, name: string) =>
		html`<form method="post" action="${path}/${action}"><button class="act" type="submit">${name}</button></form>`;
	const isInvited = emails.some(({ kind, code }) => kind === "invitation" && code !== "canceled");
	const mayGet = hasMail && !unsubscribedAt && !bouncedAt;
	const invite = html`<form class="invite" method="post" action="${path}/invite" novalidate>
<label><span>Wave</span><input name="wave" value="by-hand" required autocomplete="off"></label>
${confirmedAt ? html`` : html`<input type="hidden" name="unconfirmed" value="yes">`}
<button class="act" type="submit">${confirmedAt ? "Invite" : "Invite anyway (not confirmed)"}</button></form>`;
	const why = unsubscribedAt
		? "They don’t get email because they unsubscribed. Only they can undo that."
		: bouncedAt
			? "They don’t get email because their address bounced. If it works again, unblock them, then resend."
			: hasMail
				? ""
				: NO_MAIL;
	const isAsked = emails.some(({ kind }) => kind === "confirm");
	const ask = flag ? "Unblock and send the confirmation" : "Send the confirmation";
	const send = isAsked && flag !== BURST_FLAG ? button("resend", "Resend") : button("confirm", ask);
	return html`<section class="card acts" aria-label="Actions">
${why ? html`<p>${why}</p>` : html``}
${mayGet ? send : html``}
${mayGet && !flag && !isInvited ? invite : html``}
${flag || bouncedAt ? button("unblock", "Unblock") : button("block", "Block")}
<a class="act" href="${path}/data">Download their data</a>
${unsubscribedAt ? html`` : html`<a class="act risky" href="${path}/unsubscribe">Unsubscribe…</a>`}
<a class="act risky" href="${path}/delete">Delete…</a></section>`;
}

function sameMailboxCard({ sameMailbox }: PersonRecord): Html {
	if (sameMailbox.length === 0) return html``;
	const links = sameMailbox.map(
		(key) => html`<li><a href="${personPath(key)}">${printableLine(key)}</a></li>`,
	);
	return card("same", "Same mailbox", html`<ul class="points">${links}</ul>`);
}
