import { existsSync } from "node:fs";
import { brand } from "#brand";
import type { CheckResult } from "../database/database.ts";
import { isOldBackup, type LastBackup } from "../database/notes.ts";
import type { Wave } from "../mail/waves.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import type { SecretLocations } from "../secret.ts";
import type { MailSettings } from "../settings.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { shownTime } from "../time.ts";

export type BrandFacts = typeof brand;

const point = (name: string, there: string | false, todo: string): CheckResult => ({
	name,
	ok: there !== false && there !== "",
	found: there || todo,
});

export function checkBeforeWave(
	{ settings: { mail, apiKeys }, places, now }: Pick<Operation, "settings" | "places" | "now">,
	last: LastBackup | undefined,
	kind: Wave["kind"],
	facts: BrandFacts = brand,
): CheckResult[] {
	const { email, signUp } = facts;
	return [
		...checkImprint(facts),
		point(
			"contact",
			!RESERVED.test(email) && email,
			`${email} is a placeholder: set email in src/brand.ts, and rebuild`,
		),
		...(mail ? [sender(email, mail)] : []),
		legalDate(facts, now),
		...(kind === "news"
			? []
			: [
					point(
						"sign-up",
						signUp,
						"the invitation page has no sign-up button: set signUp in src/brand.ts, and rebuild",
					),
					point(
						"redeeming",
						apiKeys.length > 0 && "WAITLIST_API_KEY is set",
						"no code can be redeemed: set WAITLIST_API_KEY here and in your product",
					),
				]),
		keyKept(places),
		backup(last, now),
	];
}

/** Reserved domains (RFC 2606) have no mailboxes. */
const RESERVED = /[.@](?:example|invalid|localhost|test|example\.(?:com|net|org))$/i;

const POSTAL_ADDRESS = "postal address";
const IMPRINT = "company registration (imprint)";

/**
 * Bulk email must name its sender and a postal address, by CAN-SPAM in the United States (15 U.S.C. 7704), and
 * by § 5 DDG in Germany.
 */
export function checkImprint({ postalAddress, imprint, country }: BrandFacts): CheckResult[] {
	const isAmerican = /United States/.test(country);
	return [
		point(
			POSTAL_ADDRESS,
			postalAddress,
			"commercial email must include one (CAN-SPAM in the United States): set postalAddress in " +
				"src/brand.ts, and rebuild",
		),
		point(
			IMPRINT,
			imprint.join(", ") || (isAmerican && "none, not required in the United States"),
			"many countries require your company's register and registration number: set imprint in " +
				"src/brand.ts, and rebuild",
		),
	];
}

export const failedImprintChecks = (open: readonly CheckResult[]): CheckResult[] =>
	open.filter(({ name }) => name === POSTAL_ADDRESS || name === IMPRINT);

export function refuseWithoutImprint(open: readonly CheckResult[]): void {
	const missing = failedImprintChecks(open);
	if (missing.length === 0) return;
	throw new Refusal(
		[
			"Nothing was sent. The emails lack sender details that many countries require by law:",
			...missing.map(({ name, found }) => `${name}: ${found}`),
			"To send anyway, check the box on the New wave page, or use --no-imprint.",
		].join("\n"),
	);
}

/** Spam filters expect sender, links and contact to share a domain. */
function sender(email: string, { from, origin }: MailSettings): CheckResult {
	const domain = domainOf(from.address);
	const [site, contact] = [new URL(origin).hostname, domainOf(email)];
	const related = [site, contact].find((one) => isRelated(domain, one));
	return point(
		"sender",
		related !== undefined && `${from.address}, same domain as ${related}`,
		`emails come from ${domain}, but link to ${site}, and your contact is ${contact}: send from one of ` +
			"these domains (WAITLIST_MAIL_FROM), or people and spam filters may distrust your emails",
	);
}

const domainOf = (address: string) => asciiDomain(address.slice(address.indexOf("@") + 1));

const isRelated = (one: string, other: string) =>
	one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

export const TEMPLATE_LEGAL_DATE = "2026-11-21";

function legalDate({ legalEffectiveDate: date }: BrandFacts, now: Date): CheckResult {
	const isTemplate = date === TEMPLATE_LEGAL_DATE;
	return point(
		"legal texts",
		!isTemplate && date <= now.toISOString().slice(0, 10) && `in effect since ${date}`,
		isTemplate
			? `${date} is the template's date: have counsel review the texts, set legalEffectiveDate in src/brand.ts, and rebuild`
			: `not in effect before ${date}: set legalEffectiveDate in src/brand.ts and rebuild, or wait`,
	);
}

/** Without the key, codes and links stop working, and restores add deleted people again. */
const keyKept = ({ secret, keyFile }: SecretLocations) =>
	point(
		"key kept",
		secret !== undefined && "WAITLIST_SECRET is set: keep a copy, but not with the backups",
		keyFile !== undefined && existsSync(keyFile)
			? `only in ${keyFile}: keep a copy with your other secrets, and set it as WAITLIST_SECRET`
			: "none: set WAITLIST_SECRET to what `openssl rand -hex 32` prints, and keep a copy",
	);

function backup(last: LastBackup | undefined, now: Date): CheckResult {
	const isFresh = last && !isOldBackup(last, now.getTime());
	const found = last ? `${last.file}, made on ${shownTime(last.madeAt)}` : "none yet";
	return point(
		"recent backup",
		isFresh === true && found,
		`${found}: run \`waitlist backup <file>\` first`,
	);
}
