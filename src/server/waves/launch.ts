import { existsSync } from "node:fs";
import { brand } from "#brand";
import type { Finding } from "../database/database.ts";
import type { LastBackup } from "../database/notes.ts";
import type { WaveKind } from "../mail/wave/wave.ts";
import type { Operation } from "../registrations/operation.ts";
import type { SecretPlaces } from "../secret.ts";
import type { MailSettings } from "../settings.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { type Facts, imprintOf } from "./imprint.ts";

/**
 * What a wave needs besides a mail server and DNS, which `checkMail` asks: for each point whether
 * it is there, else what to do.
 *
 * @param last the last backup, if there is one
 * @param kind news need no sign-up
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

/** RFC 2606: no mailbox is there. */
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
	const ok = isRelated(domain, site) || isRelated(domain, contact);
	const found = ok
		? `${from.address}, of the same domain as ${isRelated(domain, site) ? site : contact}`
		: `letters come from ${domain}, but lead to ${site}, and you are known by ${contact}: send from one ` +
			"of these, or people and filters take them for somebody else's (WAITLIST_MAIL_FROM)";
	return finding("sender", ok, found);
}

const domainOf = (address: string) => asciiDomain(address.slice(address.indexOf("@") + 1));

/** Whether domains are the same, or one of them is below the other. */
const isRelated = (one: string, other: string) =>
	one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

/** The day that the legal texts come with. */
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

/** Whoever loses it can tell neither codes nor links, nor who was deleted. */
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

/** The night's backup may take its time: a little more than a day. */
const FRESH_MS = 26 * 3_600_000;

function backup(last: LastBackup | undefined, now: Date): Finding {
	const ok = last !== undefined && now.getTime() - Date.parse(last.madeAt) < FRESH_MS;
	const found = last ? `${last.file}, made on ${last.madeAt}` : "none was made";
	return finding("backup of today", ok, ok ? found : `${found}: run \`waitlist backup\` first`);
}

const finding = (name: string, ok: boolean, found: string): Finding => ({ name, ok, found });
