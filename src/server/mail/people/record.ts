import { brand } from "#brand";
import type { SharedDatabase } from "../../database/database.ts";
import type { Tx } from "../../database/sql.ts";
import { otherSpellings } from "../../registrations/mailbox.ts";
import { findByKeys, type Person } from "../../registrations/registrations.ts";
import type { Suppression } from "../../registrations/suppression/suppression-file.ts";
import { findKeyOf, suppressionsOf } from "../../registrations/suppression/suppression-list.ts";
import { findWordings, formVersionIn, type KeptWording } from "../../registrations/wordings.ts";
import type { SecretPlaces } from "../../secret.ts";
import { printable, printableLine } from "../../text/printable.ts";
import { shownTime } from "../../time.ts";
import { type EmailRow, emailsOf } from "../emails/email.ts";
import { type PastUnsubscribe, readUnsubscribes, UNSUBSCRIBED_BY } from "../links/unsubscribe.ts";

/** `code` is the reason, if there is one. */
type StoredEmail = Omit<EmailRow, "reason">;

/** Everything stored about an address. */
export interface PersonRecord {
	/** Undefined if the address is not on the list. */
	registration: Person | undefined;
	emails: StoredEmail[];
	/** Deletions of this address. */
	deletions: Pick<Suppression, "at" | "reason">[];
	leavings: PastUnsubscribe[];
	/** Why the suppression list could not be read. */
	deletionsUnknown?: string;
	/** Other addresses on the list that arrive in the same mailbox. */
	sameMailbox: string[];
	consent?: Consent;
}

/** Reads all that is stored about a person, also about one who was deleted. */
export async function readPerson(
	{ database, places }: { database: SharedDatabase; places: SecretPlaces },
	key: string,
): Promise<PersonRecord> {
	const [registration] = await findByKeys(database, [key]);
	const emails = (await emailsOf(database, [key])).map(({ reason, ...row }) => ({
		...row,
		code: (reason === "bounced" && row.code) || reason || row.code,
	}));
	const suppressed = await readSuppressed(database, places, key).catch((error: Error) => ({
		deletions: [],
		leavings: [],
		deletionsUnknown: error.message,
	}));
	return {
		registration,
		emails,
		...suppressed,
		sameMailbox: await otherSpellings(database, key),
		...(registration && {
			consent: await readConsent(database, registration, emails, suppressed.leavings),
		}),
	};
}

async function readSuppressed(database: SharedDatabase, places: SecretPlaces, key: string) {
	const secret = await findKeyOf(database, places);
	if (!secret) return { deletions: [], leavings: [] };
	const entries = await suppressionsOf(database, [secret.hashOf(key)]);
	const deletions = entries.map(({ at, reason }) => ({ at, reason }));
	return { deletions, leavings: await readUnsubscribes(database, secret, key) };
}

const FLAGS: Readonly<Record<string, string>> = {
	honeypot: "honeypot: a program filled in a hidden field",
	operator: "blocked by you: no wave includes them",
	burst: "burst: they joined with many others from one network",
};

/** A person in words, printable: names with facts, emails, and the texts they were shown. */
interface DescribedPerson {
	facts: (readonly [name: string, fact: string])[];
	emails: { title: string; asked: string; state: string; code: string }[];
	/** Versions and words; a text whose words are not stored has none. */
	texts: { title: string; words?: string }[];
}

/** Describes a person for the admin page, for `waitlist find`, and for the file that they get. */
export function describePerson({ registration, emails, consent }: PersonRecord): DescribedPerson {
	const facts: [string, string][] = [];
	const add = (name: string, fact: string, at?: string) =>
		facts.push([name, printableLine(fact) + (at ? shownTime(at) : "")]);
	const texts: DescribedPerson["texts"] = [];
	if (registration && consent) {
		const { email, source, flag, joinedAt, terms, bouncedAt, bounce } = registration;
		const { asked, confirmed, left, isBack, complained, form, legal } = consent;
		add("Address", email);
		add("Joined", "", joinedAt);
		add("Source", source);
		if (flag) add("Flag", Object.hasOwn(FLAGS, flag) ? FLAGS[flag]! : flag);
		if (!asked) add("Asked to confirm", "not yet");
		else {
			add("Asked to confirm", asked.times > 1 ? `${asked.times} times, last ` : "", asked.at);
			if (asked.id) add("Message-ID", asked.id);
		}
		if (!confirmed) add("Confirmed", "not yet");
		else {
			const by = confirmed.by === "button" ? "the button on the page" : confirmed.by;
			add("Confirmed", by && `by ${by}, `, confirmed.at);
		}
		for (const { at, by } of left) add("Unsubscribed", `${UNSUBSCRIBED_BY[by]}, `, at);
		if (isBack) add("Back", "they confirmed again after they unsubscribed");
		if (bouncedAt) add("Bounced", `${bounce}, `, bouncedAt);
		if (complained) add("Complained", "they reported an email as spam");
		add("Legal texts", `${terms || "unknown"}. No IP address is stored.`);
		const shown = [
			["The form", form],
			...legal.map((text) => [`The ${LEGAL[text.kind] ?? text.kind}`, text] as const),
			...(asked ? [["The email that asked to confirm", asked.words] as const] : []),
			...(confirmed ? [["The page that confirmed", confirmed.page] as const] : []),
		] as const;
		for (const [title, text] of shown) {
			texts.push(
				text
					? {
							title: printableLine(`${title}, version ${text.version}`),
							words: printable(text.said),
						}
					: { title: `${title}: its words are not stored` },
			);
		}
	}
	return { facts, emails: emails.map(describeEmail), texts };
}

const LEGAL: Readonly<Record<string, string>> = {
	terms: "Terms of Service",
	privacy: "Privacy Policy",
};

const STATES: Readonly<Record<string, string>> = {
	accepted: "accepted by the mail server",
	sending: "being sent",
	deferred: "deferred: it will be tried again",
	refused: "not delivered",
	unknown: "unknown whether it arrived",
};

function describeEmail({
	kind,
	wave,
	state,
	held,
	code,
	askedAt,
	endedAt,
	redeemedAt,
}: StoredEmail) {
	const words =
		state === "refused" && code === "cancelled"
			? "withdrawn with its wave"
			: held !== 0
				? "held until its wave resumes"
				: (STATES[state] ?? state);
	const ended = endedAt && `, ${shownTime(endedAt)}`;
	return {
		title: printableLine(`${kind === "confirm" ? "confirmation" : kind}${wave && `, ${wave}`}`),
		asked: shownTime(askedAt),
		state: `${words}${ended}${redeemedAt && `, redeemed ${shownTime(redeemedAt)}`}`,
		code: printableLine(code),
	};
}

/** Earlier deletions of this address, a sentence each. */
export const deletionsAsText = ({ deletions, deletionsUnknown }: PersonRecord): string[] => [
	...deletions.map(({ at, reason }) => `Deleted on ${shownTime(at)}: ${printableLine(reason)}.`),
	...(deletionsUnknown ? [`The suppression list could not be read. ${deletionsUnknown}`] : []),
];

/** All that is stored about a person, as text for them. */
export function personAsText(person: PersonRecord): string {
	const { facts, emails, texts } = describePerson(person);
	return `${[
		`What ${brand.company} stores about you on the waitlist of ${brand.product}`,
		"",
		...facts.map(([name, fact]) => `${name}: ${fact}`),
		...["", "Emails"],
		...emails.map(
			({ title, asked, state, code }) =>
				`- ${title}, requested ${asked}: ${state}${code && ` (${code})`}`,
		),
		...(emails.length === 0 ? ["none"] : []),
		...["", "What you were shown and agreed to"],
		...texts.flatMap(({ title, words }) => ["", title, ...(words ? ["", words] : [])]),
	].join("\n")}\n`;
}

/** What a person was shown, and what they did. Times are ISO 8601; null is unknown or never. */
interface Consent {
	form: KeptWording | null;
	/** The texts that the form led to. */
	legal: KeptWording[];
	/** The last email that asked them to confirm. */
	asked:
		| (Pick<StoredEmail, "id"> & { at: string; times: number; words: KeptWording | null })
		| null;
	confirmed: { at: string; by: string; page: KeptWording | null } | null;
	/** The earliest first. */
	left: PastUnsubscribe[];
	/** Whether they confirmed again since. */
	isBack: boolean;
	complained: boolean;
}

async function readConsent(
	tx: Tx,
	person: Person,
	emails: readonly StoredEmail[],
	leavings: readonly PastUnsubscribe[],
): Promise<Consent> {
	const email = emails.find(({ kind }) => kind === "confirm");
	const formVersion = formVersionIn(person.terms);
	const wordings = new Map<string, KeptWording>();
	const read = async (versions: readonly (string | undefined)[]) => {
		for (const found of await findWordings(
			tx,
			versions.filter((one) => one !== undefined),
		)) {
			wordings.set(found.version, found);
		}
	};
	await read([formVersion, email?.version, person.page]);
	const wording = (version = "") => wordings.get(version) ?? null;
	const form = wording(formVersion);
	const leadsTo = form?.leadsTo ?? [];
	await read(leadsTo);
	const { unsubscribedAt, confirmedAt } = person;
	// The suppression list may lack it, as in a copy.
	const isUnlisted = unsubscribedAt !== "" && !leavings.some(({ at }) => at === unsubscribedAt);
	const left = [
		...leavings,
		...(isUnlisted ? [{ at: unsubscribedAt, by: "unknown" as const }] : []),
	];
	return {
		form,
		legal: leadsTo.flatMap((version) => wording(version) ?? []),
		asked: email
			? { id: email.id, at: email.askedAt, times: email.asks, words: wording(email.version) }
			: null,
		confirmed: confirmedAt
			? { at: confirmedAt, by: person.confirmedBy, page: wording(person.page) }
			: null,
		left: left.sort((a, b) => (a.at < b.at ? -1 : 1)),
		isBack: left.length > 0 && unsubscribedAt === "",
		complained: emails.some(({ code }) => code === "complaint"),
	};
}
