import { brand } from "#brand";
import type { SharedDatabase } from "../../database/database.ts";
import type { Tx } from "../../database/sql.ts";
import { findOtherSpellings } from "../../registrations/mailbox.ts";
import { findPeopleByKeys, type Person } from "../../registrations/registrations.ts";
import { findListKey, findSuppressions } from "../../registrations/suppression/suppression-list.ts";
import { findWordings, formVersionIn, type SavedWording } from "../../registrations/wordings.ts";
import type { SecretLocations } from "../../secret.ts";
import { printable, printableLine } from "../../text/printable.ts";
import { shownTime } from "../../time.ts";
import { type EmailRow, emailName, readEmailsOf } from "../emails/email.ts";
import { readUnsubscribes } from "../links/unsubscribe.ts";

/** `code` is the `Reason` if there is one, except for bounces. Otherwise it is the mail server's reply. */
type StoredEmail = Omit<EmailRow, "reason">;

export type PersonRecord = Awaited<ReturnType<typeof readPerson>>;

/** Reads a person's record, even after their deletion. */
export async function readPerson(
	{ database, places }: { database: SharedDatabase; places: SecretLocations },
	key: string,
) {
	const [registration] = await findPeopleByKeys(database, [key]);
	const emails = (await readEmailsOf(database, [key])).map(({ reason, ...row }) => ({
		...row,
		code: (reason === "bounced" && row.code) || reason || row.code,
	}));
	const secret = await findListKey(database, places);
	const entries = secret ? await findSuppressions(database, [secret.hashOf(key)]) : [];
	const unsubscribes = secret ? await readUnsubscribes(database, secret, key) : [];
	return {
		registration,
		emails,
		deletions: entries.map(({ at, reason }) => ({ at, reason })),
		unsubscribes,
		sameMailbox: await findOtherSpellings(database, key),
		...(registration && {
			consent: await readConsent(database, registration, emails, unsubscribes),
		}),
	};
}

type PastUnsubscribe = Awaited<ReturnType<typeof readUnsubscribes>>[number];

const UNSUBSCRIBED_BY: Record<PastUnsubscribe["by"], string> = {
	button: "on the page",
	"one-click": "in a mail app",
	complaint: "by marking an email as spam",
	import: "elsewhere (imported)",
	request: "on request, by us",
	unknown: "method unknown",
};

const FLAGS: Readonly<Record<string, string>> = {
	honeypot: "honeypot: a hidden field was filled in, which suggests a bot",
	founder: "blocked by us: gets no email",
	burst: "burst: joined with many others from one network",
};

export function describePerson({ registration, emails, consent }: PersonRecord) {
	const facts: (readonly [name: string, fact: string])[] = [];
	const texts: { title: string; words?: string }[] = [];
	const person = { facts, emails: emails.map(describeEmail), texts };
	if (!registration || !consent) return person;
	const add = (name: string, fact: string, at?: string) =>
		facts.push([name, printableLine(fact) + (at ? shownTime(at) : "")]);
	const { email, source, flag, joinedAt, terms, bouncedAt, bounce } = registration;
	const { asked, confirmed, unsubscribes, isBack, complained, form, legal } = consent;
	add("Address", email);
	add("Joined", "", joinedAt);
	add("Source", source);
	if (flag) add("Flag", Object.hasOwn(FLAGS, flag) ? FLAGS[flag]! : flag);
	const times = asked && asked.times > 1 ? `${asked.times} times, last ` : "";
	add("Confirmation requested", asked ? times : "not yet", asked?.at);
	if (asked?.id) add("Message-ID", asked.id);
	const by = confirmed?.by === "button" ? "the button on the page" : confirmed?.by;
	add("Confirmed", confirmed ? `${by && `by ${by}, `}` : "not yet", confirmed?.at);
	for (const { at, by } of unsubscribes) add("Unsubscribed", `${UNSUBSCRIBED_BY[by]}, `, at);
	if (isBack) add("Resubscribed", "confirmed again after unsubscribing");
	if (bouncedAt) add("Bounced", bounce && `${bounce}, `, bouncedAt);
	if (complained) add("Complained", "marked an email as spam");
	add("Legal texts", `${terms || "unknown"}. No IP address is stored.`);
	const show = (title: string, text: SavedWording | null) => {
		const words = text && {
			title: printableLine(`${title}, version ${text.version}`),
			words: printable(text.said),
		};
		texts.push(words ?? { title: `${title}: the wording was not stored` });
	};
	show("The form", form);
	for (const text of legal) show(`The ${LEGAL[text.kind] ?? text.kind}`, text);
	if (asked) show("The confirmation email", asked.words);
	if (confirmed) show("The confirmation page", confirmed.page);
	return person;
}

const LEGAL: Readonly<Record<string, string>> = {
	terms: "Terms of Service",
	privacy: "Privacy Policy",
};

const STATES_AND_REASONS: Readonly<Record<string, string>> = {
	accepted: "accepted by the mail server",
	sending: "being sent",
	deferred: "deferred: will be retried",
	refused: "not delivered",
	unknown: "delivery unknown",
	told: "marked as sent",
	assumed: "perhaps sent before a restore",
	confirmed: "already confirmed",
	limited: "too many emails that day",
};

function describeEmail(email: StoredEmail) {
	const { kind, wave, code, askedAt, endedAt, redeemedAt } = email;
	const ended = endedAt && `, ${shownTime(endedAt)}`;
	return {
		title: printableLine(`${emailName(kind)}${wave && `, ${wave}`}`),
		asked: shownTime(askedAt),
		state: `${stateAsText(email)}${ended}${redeemedAt && `, redeemed ${shownTime(redeemedAt)}`}`,
		code: printableLine(STATES_AND_REASONS[code] ?? code),
	};
}

function stateAsText({ state, code, held }: StoredEmail): string {
	if (state === "refused" && code === "canceled") return "canceled with its wave";
	if (code === "confirmed") return "not sent";
	if (held !== 0) return "held until its wave resumes";
	return STATES_AND_REASONS[state] ?? state;
}

export const deletionsAsText = ({ deletions }: PersonRecord): string[] =>
	deletions.map(({ at, reason }) => `Deleted on ${shownTime(at)}: ${printableLine(reason)}.`);

export function personAsText(person: PersonRecord, hasWords: boolean): string {
	const { facts, emails, texts } = describePerson(person);
	return `${[
		`What ${brand.company} stores about you for the ${brand.product} waitlist`,
		"",
		...facts.map(([name, fact]) => `${name}: ${fact}`),
		...["", "Emails"],
		...emails.map(
			({ title, asked, state, code }) =>
				`- ${title}, requested ${asked}: ${state}${code && ` (${code})`}`,
		),
		...(emails.length === 0 ? ["none"] : []),
		...["", "What you were shown and agreed to"],
		...texts.flatMap(({ title, words }) => (hasWords ? ["", title, "", words ?? ""] : [title])),
	].join("\n")}\n`;
}

/** Reads which texts a person saw, and when they confirmed and unsubscribed. Null means unknown or never. */
async function readConsent(
	tx: Tx,
	{ terms, page, unsubscribedAt, confirmedAt, confirmedBy }: Person,
	emails: readonly StoredEmail[],
	listed: readonly PastUnsubscribe[],
) {
	const email = emails.find(({ kind }) => kind === "confirm");
	const formVersion = formVersionIn(terms) ?? "";
	const shown = await findWordings(tx, [formVersion, email?.version ?? "", page]);
	const wording = (version: string) => shown.find((one) => one.version === version) ?? null;
	const form = wording(formVersion);
	const legal = form ? await findWordings(tx, form.leadsTo) : [];
	// Adds the present unsubscribe if it has no suppression entry, as after some restores.
	const isUnlisted = unsubscribedAt !== "" && !listed.some(({ at }) => at === unsubscribedAt);
	const unlisted: PastUnsubscribe = { at: unsubscribedAt, by: "unknown" };
	const unsubscribes = isUnlisted ? [...listed, unlisted] : [...listed];
	return {
		form,
		legal: form?.leadsTo.flatMap((one) => legal.find(({ version }) => version === one) ?? []) ?? [],
		asked: email
			? { id: email.id, at: email.askedAt, times: email.asks, words: wording(email.version) }
			: null,
		confirmed: confirmedAt ? { at: confirmedAt, by: confirmedBy, page: wording(page) } : null,
		unsubscribes: unsubscribes.sort((a, b) => (a.at < b.at ? -1 : 1)),
		isBack: unsubscribes.length > 0 && unsubscribedAt === "",
		complained: emails.some(({ code }) => code === "complaint"),
	};
}
