import type { Tx } from "../../database/transaction.ts";
import type { Person } from "../../registrations/registrations.ts";
import { findWordings, formVersionIn, type KeptWording } from "../../registrations/wordings.ts";
import type { PastLeaving } from "../links/unsubscribe.ts";
import type { StoredEmail } from "./email.ts";

/** What a person was shown, and what they did. Times are ISO 8601 in UTC with milliseconds. */
export interface Consent {
	/** As they typed it. */
	email: string;
	joinedAt: string;
	source: string;
	/** The day of the legal texts, and the version of the form. */
	terms: string;
	/** What the form said; null where its words are not kept here. */
	form: KeptWording | null;
	/** The texts that the form led to, whole. */
	legal: KeptWording[];
	/** The email that asked them to confirm; null where there is none. */
	asked: Asked | null;
	/** Null where they have not. */
	confirmed: { at: string; by: string; page: KeptWording | null } | null;
	/** Each time that they left, as far as somebody knows, the earliest first. */
	left: PastLeaving[];
	/** Whether they are back since: they confirmed after they had left. */
	isBack: boolean;
	/** Whether they called an emailspam. */
	complained: boolean;
}

/** The last email that asked a person to confirm. */
export interface Asked {
	at: string;
	/** How many emails they were asked by. */
	times: number;
	/** What became of it, as in `accepted`, when that was, and the code that said so. */
	state: string;
	endedAt: string;
	code: string;
	/** 32 hexadecimal digits in its Message-ID; "" before it is first sent. */
	id: string;
	/** What it said; null where its words are not kept here, or none was sent. */
	words: KeptWording | null;
}

/** Puts together what is known of a person, with the words that they were shown. */
export async function readConsent(
	tx: Tx,
	person: Person,
	{
		letters,
		leavings,
	}: {
		letters: readonly StoredEmail[];
		/** When they left, by the proofs of that. */
		leavings: readonly PastLeaving[];
	},
): Promise<Consent> {
	const { email, joinedAt, source, terms } = person;
	const letter = letters.find(({ kind }) => kind === "confirm");
	const wordings = new Map<string, KeptWording>();
	const find = async (versions: readonly (string | undefined)[]) => {
		const named = versions.filter((version) => version !== undefined);
		for (const found of await findWordings(tx, named)) {
			wordings.set(found.version, found);
		}
	};
	const formVersion = formVersionIn(terms);
	await find([formVersion, letter?.version, person.page]);
	const wording = (version = "") => wordings.get(version) ?? null;
	const form = wording(formVersion);
	await find(form?.leadsTo ?? []);
	const { unsubscribedAt } = person;
	// A proof may be missing: who left before there were any, or in a copy without them.
	const unproven = unsubscribedAt !== "" && !leavings.some(({ at }) => at === unsubscribedAt);
	const left = [...leavings, ...(unproven ? [{ at: unsubscribedAt, by: "unknown" as const }] : [])];
	return {
		email,
		joinedAt,
		source,
		terms,
		form,
		legal: (form?.leadsTo ?? []).flatMap((version) => wording(version) ?? []),
		asked: letter ? asked(letter, wording(letter.version)) : null,
		confirmed: person.confirmedAt
			? { at: person.confirmedAt, by: person.confirmedBy, page: wording(person.page) }
			: null,
		left: left.sort((a, b) => (a.at < b.at ? -1 : 1)),
		isBack: left.length > 0 && unsubscribedAt === "",
		complained: letters.some(({ code }) => code === "complaint"),
	};
}

function asked(letter: StoredEmail, words: KeptWording | null): Asked {
	const { askedAt: at, asks: times, state, endedAt, code, id } = letter;
	return { at, times, state, endedAt, code, id, words };
}
