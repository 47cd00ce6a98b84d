import { NOT_IN_ADDRESS } from "#shared/email.ts";
import { type Html, html } from "../../html.ts";
import { readConsent } from "../../mail/emails/consent.ts";
import { HELD } from "../../mail/emails/letter.ts";
import { ON_REQUEST, wrongReason } from "../../mail/emails/receipt.ts";
import { type Found, findPerson } from "../../mail/people/find-person.ts";
import { otherSpellings } from "../../mail/people/spellings.ts";
import { messageIdOf } from "../../mail/smtp/compose-message.ts";
import { isWaveName, WAVE_NAME_INVALID } from "../../mail/wave/wave.ts";
import { printable, printableLine } from "../../printable.ts";
import { Refusal } from "../../refusal.ts";
import { BURST, keyOf, type Registration } from "../../registrations/registrations.ts";
import { proofPlacesOf } from "../../secret.ts";
import type { Settings } from "../../settings.ts";
import type { Acts } from "../acts/acts.ts";
import { type Did, eraseOne, personActs } from "../acts/person-acts.ts";
import type { Asked, OfficeRoute, Page } from "../page.ts";
import { findForm, PERSON_PATH, personPath } from "../person/find-form.ts";
import { erasuresOf, knownOf } from "../person/known.ts";
import { sentenceAsHtml } from "../sentence.ts";

/** What came of `send` where there is nothing to send. */
const NO_LETTER = "no-letter";

/** What was done, as the next page says it: an address names one of these, and no text of its own. */
const DONE: Readonly<Record<Did | typeof NO_LETTER, string>> = {
	send: "A letter goes out as the rate allows.",
	hold: "Their letters are held.",
	flag: "They are flagged: no wave writes to them.",
	unflag: "Their mark is gone. No letter goes out by that.",
	unsubscribe: "They are unsubscribed.",
	invite: "They are invited: the letter goes out as the rate allows.",
	unmark: "Their mark is gone. No letter goes out by that: they had one, or get none.",
	[NO_LETTER]:
		"Nothing goes out: no letter to them was refused, held or unknown. Whoever lost theirs gets another one by joining again.",
	nothing: "Nothing was changed: there is nothing to do of this kind for them.",
};

/** What the pages of people take. */
export interface PersonParts {
	settings: Pick<Settings, "database" | "secret" | "erasures" | "mail">;
	act: Acts["act"];
}

/** A person: found by any spelling, what is kept of them, and what can be done. */
export function personRoutes({ settings, act }: PersonParts): readonly OfficeRoute[] {
	const places = proofPlacesOf(settings, settings.database);
	const find = ({ database }: Asked, key: string) => findPerson({ database, places }, key);

	async function personPage(asked: Asked, said?: Html, status = 200): Promise<Page> {
		const key = asked.parts.key!;
		if (NOT_IN_ADDRESS.test(key)) return nobody("", html`<p>This is no address.</p>`);
		const found = await find(asked, key);
		const { registration, recipient, letters = [], leavings = [] } = found;
		const others = await otherSpellings(asked.database, key);
		if (!registration) {
			const words = html`<p>Nothing is kept: this address is not on the list.</p>${erasuresOf(found)}`;
			return nobody(key, words, { others });
		}
		const consent = await readConsent(asked.database, registration, {
			recipient,
			letters,
			leavings,
		});
		const id = consent.asked?.id;
		const messageId = id && settings.mail ? messageIdOf(id, settings.mail.from) : null;
		const asDone = asked.search.get("did") ?? "";
		// The second of two clicks finds nothing to send, because the first one let the letter go.
		const did = asDone === NO_LETTER && letters.some(isWaiting) ? "send" : asDone;
		const done = Object.hasOwn(DONE, did) ? DONE[did as Did] : undefined;
		return {
			title: printableLine(registration.email),
			status,
			main: html`${said ?? (done ? html`<p class="card notice" role="status">${done}</p>` : html``)}
${actsFor(found, registration)}
${sameMailbox(others)}
${knownOf(found, consent, messageId)}`,
		};
	}

	function actsFor({ recipient, letters = [] }: Found, { key, flags }: Registration): Html {
		const path = personPath(key);
		const gone = recipient?.leftAt || recipient?.bouncedAt;
		const button = (does: string, name: string) =>
			html`<form method="post" action="${path}/${does}"><button class="act" type="submit">${name}</button></form>`;
		const isInvited = letters.some(
			({ kind, code }) => kind === "invitation" && code !== "cancelled",
		);
		const unconfirmed = !recipient?.confirmedAt;
		const mayInvite = settings.mail && !gone && !flags && !isInvited;
		const invite = html`<form class="invite" method="post" action="${path}/invite">
<label><span>Wave</span><input name="wave" value="by-hand" required autocomplete="off"></label>
${unconfirmed ? html`<input type="hidden" name="unconfirmed" value="yes">` : html``}
<button class="act" type="submit">${unconfirmed ? "Invite, though not confirmed" : "Invite"}</button></form>`;
		return html`<section class="card acts" aria-label="What can be done">
${gone ? html`<p>They get no letter: ${recipient?.leftAt ? "they left, and only they can come back" : "their address bounced"}.</p>` : html``}
${settings.mail && !gone ? button("send", flags === BURST ? "Let them out of the burst" : "Send a letter again") : html``}
${letters.some(isWaiting) ? button("hold", "Hold letters") : html``}
${flags ? button("unflag", "Remove the flag") : button("flag", "Flag")}
${mayInvite ? invite : html``}
${recipient?.leftAt ? html`` : html`<a class="act" href="${path}/unsubscribe">Unsubscribe…</a>`}
<a class="act" href="${path}/erase">Erase…</a>
${settings.mail ? html`` : html`<p>No letters are sent from here.</p>`}</section>`;
	}

	/** A route that does something, and shows the person again. */
	const doing = (does: keyof typeof personActs): OfficeRoute => ({
		method: "POST",
		path: `${PERSON_PATH}/:key/${does}`,
		async respond(asked) {
			const key = asked.parts.key!;
			if ((does === "send" || does === "invite") && !settings.mail)
				return personPage(asked, refusal("No letters are sent from here."), 409);
			if (does === "invite" && !isWaveName(asked.form.get("wave") ?? ""))
				return personPage(asked, refusal(`Wave: ${WAVE_NAME_INVALID}`), 400);
			const outcome = await act(asked, (acting) => personActs[does](acting, key, asked.form));
			if ("refused" in outcome) return personPage(asked, refusal(outcome.refused), 409);
			const did = outcome.done === true ? does : outcome.done;
			const said = did || (does === "send" ? NO_LETTER : "nothing");
			return { seeOther: `${personPath(key)}?did=${said}` };
		},
	});

	/** A route that asks once more before something is done. */
	const asking = (does: string, page: (registration: Registration) => Page): OfficeRoute => ({
		method: "GET",
		path: `${PERSON_PATH}/:key/${does}`,
		async respond(asked) {
			const key = asked.parts.key!;
			const { registration } = NOT_IN_ADDRESS.test(key) ? {} : await find(asked, key);
			return registration ? page(registration) : personPage(asked);
		},
	});

	return [
		{ method: "GET", path: PERSON_PATH, respond: () => nobody("", html``, { status: 200 }) },
		{
			method: "POST",
			path: PERSON_PATH,
			respond({ form }) {
				const typed = form.get("email") ?? "";
				const wrong = (why: string) =>
					nobody(typed, html`<p>${sentenceAsHtml(why)}</p>`, { status: 400 });
				// No database takes what no address holds.
				if (NOT_IN_ADDRESS.test(typed.trim())) return wrong("This is no address.");
				try {
					return { seeOther: personPath(keyOf(typed)) };
				} catch (error) {
					if (error instanceof Refusal) return wrong(error.message);
					throw error;
				}
			},
		},
		{ method: "GET", path: `${PERSON_PATH}/:key`, respond: (asked) => personPage(asked) },
		doing("send"),
		doing("hold"),
		doing("flag"),
		doing("unflag"),
		doing("invite"),
		doing("unsubscribe"),
		asking("unsubscribe", unsubscribePage),
		asking("erase", (registration) => erasePage(registration, html``)),
		{
			method: "POST",
			path: `${PERSON_PATH}/:key/erase`,
			async respond(asked) {
				const key = asked.parts.key!;
				const { registration } = NOT_IN_ADDRESS.test(key) ? {} : await find(asked, key);
				if (!registration) return personPage(asked);
				const reason = asked.form.get("reason") ?? "";
				const wrong = wrongReason(reason);
				if (wrong) return erasePage(registration, refusal(`Reason: ${wrong}`), 400);
				const outcome = await act(asked, (acting) => eraseOne(acting, registration, reason));
				if ("refused" in outcome) return erasePage(registration, refusal(outcome.refused), 409);
				if (!outcome.done) return personPage(asked);
				return {
					title: "Erased",
					main: html`<p class="lead">The receipt answers their request. Copy it now: nothing else holds the address.</p>
<div class="card"><p class="receipt">${printable(outcome.done)}</p></div>
<p class="actions"><a class="act" href="/list">The list</a></p>`,
				};
			},
		},
	];
}

/** Whether a letter is to be sent, and no hand holds it. */
const isWaiting = ({ state, held }: NonNullable<Found["letters"]>[number]) =>
	(state === "waiting" || state === "deferred") && (held & HELD.byOperator) === 0;

const refusal = (why: string) =>
	html`<p class="card notice" role="alert">${sentenceAsHtml(why)}</p>`;

/** Addresses that have a place of their own, and the same mailbox. */
function sameMailbox(others: readonly string[]): Html {
	if (others.length === 0) return html``;
	const links = others.map(
		(key) => html`<li><a href="${personPath(key)}">${printableLine(key)}</a></li>`,
	);
	return html`<section class="card" aria-labelledby="same"><h2 id="same">The same mailbox</h2>
<p>These are on the list as well. As far as an address tells, their letters arrive in the same mailbox.</p>
<ul class="points">${links}</ul></section>`;
}

function nobody(
	typed: string,
	words: Html,
	{ status = 404, others = [] }: { status?: number; others?: readonly string[] } = {},
): Page {
	const said =
		words.markup === "" ? words : html`<div class="card notice" role="status">${words}</div>`;
	return {
		title: "A person",
		status,
		main: html`${said}${sameMailbox(others)}${findForm({ typed })}`,
	};
}

function unsubscribePage({ key, email }: Registration): Page {
	return {
		title: "Unsubscribe them?",
		main: html`<form class="card" method="post" action="${personPath(key)}/unsubscribe">
<p><b>${printableLine(email)}</b> stays on the waitlist and gets no more email. Only they can undo this, by a link in an earlier email.</p>
<p class="actions"><button class="act strong" type="submit">Unsubscribe</button> <a class="act" href="${personPath(key)}">Go back</a></p>
</form>`,
	};
}

function erasePage({ key, email }: Registration, said: Html, status = 200): Page {
	return {
		title: "Erase for good?",
		status,
		main: html`${said}<form class="card erase" method="post" action="${personPath(key)}/erase">
<p>All that is kept of <b>${printableLine(email)}</b> is deleted, with their letters. A proof stays that holds no address. Nobody can take this back.</p>
<label><span>Reason, kept with the proof</span><input name="reason" value="${ON_REQUEST}" required maxlength="100" autocomplete="off"></label>
<p class="actions"><button class="act strong" type="submit">Erase</button> <a class="act" href="${personPath(key)}">Go back</a></p>
</form>`,
	};
}
