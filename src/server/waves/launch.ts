import { existsSync } from "node:fs";
import { brand } from "#brand";
import type { Finding } from "../database/database.ts";
import type { LastBackup } from "../database/notes.ts";
import type { WaveKind } from "../mail/waves.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import type { SecretPlaces } from "../secret.ts";
import type { MailSettings } from "../settings.ts";
import { asciiDomain } from "../text/ascii-domain.ts";

/** What `src/brand.ts` says. */
export type Facts = typeof brand;

const finding = (name: string, ok: boolean, found: string): Finding => ({ name, ok, found });

/**
 * Checks what a wave needs besides a mail server and DNS: each finding says what is there, or what to do.
 *
 * @param last the last backup, if there is one
 */
export function beforeTheWave(
	{ settings, places, now }: Pick<Operation, "settings" | "places" | "now">,
	last: LastBackup | undefined,
	kind: WaveKind,
	facts: Facts = brand,
): Finding[] {
	const { mail } = settings;
	const invited = [signUp(facts), redeeming(settings.apiKeys.length)];
	return [
		...imprintOf(facts),
		contact(facts),
		...(mail ? [sender(facts, mail)] : []),
		legalDate(facts, now),
		...(kind === "invitation" ? invited : []),
		keyKept(places),
		backup(last, now),
	];
}

const POSTAL_ADDRESS = "postal address";
const IMPRINT = "imprint";

/**
 * Emails to many must name their sender and a postal address: in the United States by CAN-SPAM
 * (15 U.S.C. 7704), in Germany by § 5 DDG. A register must be named by 2000/31/EC, article 5.
 */
export function imprintOf({ postalAddress, imprint, country }: Facts): Finding[] {
	const isAmerican = /United States/.test(country);
	return [
		finding(
			POSTAL_ADDRESS,
			postalAddress !== "",
			postalAddress ||
				"commercial mail must name one (in the United States by CAN-SPAM): set postalAddress in " +
					"src/brand.ts, and build again",
		),
		finding(
			IMPRINT,
			imprint.length > 0 || isAmerican,
			imprint.join(", ") ||
				(isAmerican
					? "none, which the United States do not ask for"
					: "many countries require a register and its number: set imprint in src/brand.ts"),
		),
	];
}

/** The open points that keep emails from naming their sender. */
export const missingImprint = (open: readonly Finding[]): Finding[] =>
	open.filter(({ name }) => name === POSTAL_ADDRESS || name === IMPRINT);

/** @throws Refusal if one of these open points keeps emails from naming their sender */
export function refuseWithoutImprint(open: readonly Finding[]): void {
	const missing = missingImprint(open);
	if (missing.length === 0) return;
	throw new Refusal(
		[
			"Nothing was sent. The emails would not name their sender, which many countries require by law:",
			...missing.map(({ name, found }) => `${name}: ${found}`),
			"To send without: tick the box on the page of a new wave, or use --no-imprint.",
		].join("\n"),
	);
}

/** RFC 2606: nobody has a mailbox there. */
const RESERVED = /[.@](?:example|invalid|localhost|test|example\.(?:com|net|org))$/i;

function contact({ email }: Facts): Finding {
	const reserved = RESERVED.test(email);
	const found = reserved ? `nobody reads ${email}: set email in src/brand.ts` : email;
	return finding("contact", !reserved, found);
}

/** Receivers, and their filters, expect sender, links and contact to be of one domain. */
function sender({ email }: Facts, { from, origin }: MailSettings): Finding {
	const domain = domainOf(from.address);
	const [site, contact] = [new URL(origin).hostname, domainOf(email)];
	const related = [site, contact].find((one) => isRelated(domain, one));
	const found = related
		? `${from.address}, of the same domain as ${related}`
		: `emails come from ${domain}, but lead to ${site}, and you are known by ${contact}: send from one of ` +
			"these, or people and filters take them for somebody else's (WAITLIST_MAIL_FROM)";
	return finding("sender", related !== undefined, found);
}

const domainOf = (address: string) => asciiDomain(address.slice(address.indexOf("@") + 1));

const isRelated = (one: string, other: string) =>
	one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

/** The date that the legal texts come with. */
export const TEMPLATE_DATE = "2026-11-21";

function legalDate({ legalEffectiveDate: date }: Facts, now: Date): Finding {
	const [moved, begun] = [date !== TEMPLATE_DATE, date <= now.toISOString().slice(0, 10)];
	const found = !moved
		? `${date} is the template's: have counsel review the texts, and set legalEffectiveDate in src/brand.ts`
		: begun
			? `in effect since ${date}`
			: `not in effect before ${date}: set legalEffectiveDate in src/brand.ts, or wait`;
	return finding("legal texts", moved && begun, found);
}

function signUp({ signUp }: Facts): Finding {
	const missing =
		'the page of an invitation says "sign-up opens soon": set signUp in src/brand.ts, and build again';
	return finding("sign-up", signUp !== "", signUp || missing);
}

function redeeming(apiKeys: number): Finding {
	const missing = "no code can be redeemed: set WAITLIST_API_KEY here and in your product";
	return finding("redeeming", apiKeys > 0, apiKeys > 0 ? "a key is set" : missing);
}

/** Without the key, codes and links stop working, and deleted people are not recognized. */
function keyKept({ secret, keyFile }: SecretPlaces): Finding {
	if (secret !== undefined) {
		return finding("key", true, "set: keep it with your other secrets, not with the backups");
	}
	const found =
		keyFile !== undefined && existsSync(keyFile)
			? `only in ${keyFile}: keep a copy with your other secrets, and set WAITLIST_SECRET to it`
			: "none: set WAITLIST_SECRET to what `openssl rand -hex 32` prints, and keep a copy";
	return finding("key kept", false, found);
}

/** A day, and some time for the night's backup. */
const FRESH_MS = 26 * 3_600_000;

function backup(last: LastBackup | undefined, now: Date): Finding {
	const ok = last !== undefined && now.getTime() - Date.parse(last.madeAt) < FRESH_MS;
	const found = last ? `${last.file}, made on ${last.madeAt}` : "none was made";
	return finding("backup of today", ok, ok ? found : `${found}: run \`waitlist backup\` first`);
}
