import type { Command } from "commander";
import { type Asked, type Consent, readConsent } from "../mail/emails/consent.ts";
import { LEFT_BY } from "../mail/links/leaving.ts";
import { type Found, findPerson } from "../mail/people/find-person.ts";
import { messageIdOf } from "../mail/smtp/compose-message.ts";
import { printable, printableLine } from "../printable.ts";
import type { Operation } from "../registrations/operation.ts";
import { keyOf } from "../registrations/registrations.ts";
import { formVersionIn, type KeptWording } from "../registrations/wordings.ts";
import { EXIT, print, withDatabase } from "./terminal/command.ts";
import { erasuresAsText } from "./terminal/erasures-as-text.ts";

/** Adds `waitlist proof`: what a person agreed to, and when. */
export function addProof(program: Command): void {
	program
		.command("proof <email>")
		.summary("show what a person was shown, and when they joined and confirmed")
		.description(
			"Shows the proof of a person's consent: the words of the form by which they joined, of the " +
				"letter that asked them to confirm and of the page that did, with times and Message-ID. The " +
				"words are those of then, however often they were edited since. No IP address is kept.",
		)
		.option("--json", "print JSON instead of text, with the legal texts whole")
		.action(async (email: string, { json }) => {
			await withDatabase(async (operation) => {
				const key = keyOf(email);
				const found = await findPerson(operation, key);
				const proof = await proofOf(operation, found);
				print(json, proof, () => proofAsText(proof, found));
				if (!proof.consent) process.exitCode = EXIT.notFound;
			});
		});
}

/** What is printed as JSON. */
interface Proof extends Pick<Found, "erasures" | "erasuresUnknown"> {
	/** Null where the person is not on the list: nothing else is kept then. */
	consent: Consent | null;
	/**
	 * The `Message-ID` of the letter that asked to confirm, by the sender in the settings; null
	 * without one.
	 */
	messageId: string | null;
}

async function proofOf({ database, settings }: Operation, found: Found): Promise<Proof> {
	const { registration, letters = [], leavings = [] } = found;
	const { erasures, erasuresUnknown } = found;
	const known = { letters, leavings };
	const consent = registration ? await readConsent(database, registration, known) : null;
	const id = consent?.asked?.id;
	return {
		consent,
		messageId: id && settings.mail ? messageIdOf(id, settings.mail.from) : null,
		erasures,
		...(erasuresUnknown === undefined ? {} : { erasuresUnknown }),
	};
}

function proofAsText({ consent, messageId }: Proof, found: Found): string {
	if (!consent)
		return ["Nothing is kept: not on the waitlist.", ...erasuresAsText(found)].join("\n");
	const { email, joinedAt, source, terms, form, legal, asked, confirmed } = consent;
	const by = confirmed?.by === "button" ? "by the button of the page" : `by ${confirmed?.by}`;
	return [
		`${printableLine(email)} joined on ${joinedAt}, from ${printableLine(source)}.`,
		...formAsText(printableLine(terms), form),
		...legal.map(
			({ kind, version }) => `It led to the ${LEGAL[kind]}, version ${version}: see --json.`,
		),
		"",
		...(asked ? askedAsText(asked, messageId) : [notAskedAsText(found)]),
		"",
		...(confirmed
			? [`Confirmed on ${confirmed.at}, ${by}.`, ...wordsAsText("The page", confirmed.page)]
			: ["Not confirmed."]),
		...leftAsText(consent),
		...erasuresAsText(found),
		"",
		"No IP address is kept.",
	].join("\n");
}

const LEGAL: Record<string, string> = { terms: "Terms of Service", privacy: "Privacy Policy" };

function formAsText(terms: string, form: KeptWording | null): string[] {
	if (form) return [`Legal texts of ${terms.split(" ")[0]}.`, ...wordsAsText("The form", form)];
	const missing = formVersionIn(terms) ? "not in this database" : "not kept";
	return [`Legal texts: ${terms || "unknown"}. What the form said is ${missing}.`];
}

function askedAsText({ at, times, ...letter }: Asked, messageId: string | null): string[] {
	const { state, endedAt, code, id, words } = letter;
	// "complaint" and "confirmed" are our own notes, not codes. "confirmed" took a waiting letter
	// back.
	const note = code === "complaint" || code === "confirmed";
	const said = code && !note ? `(${printableLine(code)})` : "";
	const taken = state === "accepted" && code !== "confirmed";
	const became = taken ? "The mail server took it" : `It is ${code === "confirmed" ? code : state}`;
	const ended = [became, endedAt && `${taken ? "on" : "since"} ${endedAt}`, said];
	return [
		`A letter asked to confirm on ${at}${times > 1 ? `, the last of ${times}` : ""}.`,
		`${ended.filter(Boolean).join(" ")}.`,
		...(id ? [messageId ? `Message-ID: ${messageId}` : `Letter: ${id}`] : []),
		...wordsAsText("The letter", words),
	];
}

function notAskedAsText({ registration }: Found): string {
	const because = registration?.flags
		? `, because this person is marked: ${printableLine(registration.flags)}`
		: "";
	return `No letter asked to confirm${because}.`;
}

/** The words, set in from the left: nothing in them can pass for a line of ours. */
function wordsAsText(what: string, wording: KeptWording | null): string[] {
	if (!wording) return [`${what}: its words are not kept.`];
	const lines = printable(wording.said).split("\n");
	return [`${what}, version ${wording.version}:`, "", ...lines.map((line) => `    ${line}`), ""];
}

function leftAsText({ left, isBack, complained }: Consent): string[] {
	return [
		...left.map(({ at, by }) => `Left on ${at}, ${LEFT_BY[by]}.`),
		...(isBack ? ["Came back by confirming again."] : []),
		...(complained ? ["Called a letter spam."] : []),
	];
}
