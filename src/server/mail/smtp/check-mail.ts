import type { Resolver } from "node:dns/promises";
import type { CheckResult } from "../../database/database.ts";
import { Refusal } from "../../refusal.ts";
import { describeMailServer } from "../../settings/mail.ts";
import type { MailSettings } from "../../settings.ts";
import { printableLine } from "../../text/printable.ts";
import { createSmtpClient, ehloName } from "./smtp.ts";

/** Signs in to the mail server, and looks up the DNS records that receivers check. Sends no email. */
export async function checkMail(mail: MailSettings, resolver: Resolver, selector?: string) {
	const [, domain = ""] = mail.from.address.split("@");
	const find = async (kind: string, search: Promise<string>): Promise<CheckResult> => {
		const name = `${kind} of ${domain}`;
		try {
			return { name, ok: true, found: await search };
		} catch (error) {
			if (error instanceof Refusal) return { name, ok: false, found: error.message };
			const { code = "no answer" } = error as NodeJS.ErrnoException;
			const cure = "try again, or use another DNS server with --resolver";
			return { name, ok: false, found: `DNS lookup failed (${code}): ${cure}` };
		}
	};
	return Promise.all([
		checkServer(mail),
		find("MX", findMx(domain, resolver)),
		find("SPF", findSpf(domain, resolver)),
		find("DMARC", findDmarc(domain, resolver)),
		find("DKIM", findDkim(domain, resolver, selector)),
	]);
}

async function checkServer(mail: MailSettings): Promise<CheckResult> {
	const smtp = await createSmtpClient(mail);
	const verified = await smtp.verify();
	smtp.close();
	const name = ehloName(mail);
	const words = {
		encrypted: `accepts us as ${name}, encrypted`,
		unencrypted: `accepts us as ${name}, unencrypted`,
		ours:
			`refuses us as ${name} (${verified.code}): check user and password in SMTP_URL, the name in ` +
			"SITE_ORIGIN, and that your provider has enabled sending",
		closed:
			`cannot be used (${verified.code}): check smtp or smtps, host and port in SMTP_URL, and that no ` +
			"firewall blocks it",
	};
	return {
		name: "mail server",
		ok: verified.code === "",
		found: `${describeMailServer(mail.server)}: ${words[verified.state]}`,
	};
}

async function findMx(domain: string, resolver: Resolver): Promise<string> {
	const records = await recordsOf(resolver.resolveMx(domain));
	const sorted = records.sort((one, other) => one.priority - other.priority);
	// An empty name is a null MX (RFC 7505): the domain accepts no mail.
	const hosts = sorted.map(({ exchange }) => printableLine(exchange)).filter(Boolean);
	if (hosts.length > 0) return hosts.join(", ");
	throw new Refusal(
		`${domain} has no MX record: add one, so that replies and bounces arrive and receivers trust the ` +
			"address",
	);
}

async function findSpf(domain: string, resolver: Resolver): Promise<string> {
	const record = await textOf(domain, /^v=spf1(?: |$)/i, resolver);
	if (record !== undefined) return record;
	throw new Refusal(
		`${domain} has no SPF record: add your provider's TXT record, such as ` +
			"v=spf1 include:spf.provider.example ~all",
	);
}

/** Also looks at parent domains (RFC 7489, 6.6.3). */
async function findDmarc(domain: string, resolver: Resolver): Promise<string> {
	const labels = domain.split(".");
	for (let first = 0; first < labels.length - 1; first += 1) {
		const name = `_dmarc.${labels.slice(first).join(".")}`;
		const record = await textOf(name, /^v=DMARC1 *;/, resolver);
		if (record !== undefined) return record;
	}
	throw new Refusal(
		`${domain} has no DMARC record, and large receivers refuse bulk mail without one: add the TXT record ` +
			`v=DMARC1; p=none at _dmarc.${domain}`,
	);
}

/** DNS cannot list selectors. An empty key is revoked (RFC 6376, 3.6.1). */
async function findDkim(domain: string, resolver: Resolver, selector?: string): Promise<string> {
	if (!selector) return "not checked: use your provider's selector, such as --selector s1";
	const name = `${selector}._domainkey.${domain}`;
	const key = await textOf(name, /(?:^|;) *p *= *[^\s;]/, resolver);
	if (key !== undefined) return name;
	throw new Refusal(`no key at ${name}: publish your provider's key there`);
}

async function textOf(name: string, pattern: RegExp, resolver: Resolver) {
	const records = await recordsOf(resolver.resolveTxt(name));
	const texts = records.map((pieces) => printableLine(pieces.join("")));
	const [text, ...others] = texts.filter((text) => pattern.test(text));
	if (others.length === 0) return text;
	throw new Refusal(
		`${name} has ${others.length + 1} of these records, which makes all of them invalid: keep one`,
	);
}

async function recordsOf<Record>(found: Promise<Record[]>): Promise<Record[]> {
	try {
		return await found;
	} catch (error) {
		const { code = "" } = error as NodeJS.ErrnoException;
		if (code === "ENOTFOUND" || code === "ENODATA") return [];
		throw error;
	}
}
