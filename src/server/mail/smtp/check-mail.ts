import type { Resolver } from "node:dns/promises";
import type { Finding } from "../../database/database.ts";
import { describeMailServer } from "../../settings/mail.ts";
import type { MailSettings } from "../../settings.ts";
import { printableLine } from "../../text/printable.ts";
import { createSmtp, nameInEhlo, type Verified } from "./smtp.ts";

/**
 * Checks whether emails can be sent and will be believed: the mail server takes us, and DNS says
 * what receivers look for. It sends nothing.
 *
 * @param resolver whom to ask: the machine's own servers, or others
 * @param selector the name of the DKIM key, which is not checked without it
 */
export async function checkMail(
	mail: MailSettings,
	resolver: Resolver,
	selector: string | undefined,
): Promise<Finding[]> {
	const domain = domainOf(mail.from.address);
	const dns = [
		checkMx(domain, resolver),
		checkSpf(domain, resolver),
		checkDmarc(domain, resolver),
		checkDkim(domain, resolver, selector),
	];
	return Promise.all([checkServer(mail), ...dns.map(withoutDns)]);
}

/** A record that is missing or wrong, and what to do. The message continues the finding's name. */
class Wrong extends Error {}

/** A finding in the making: its name, and what is right, or a {@link Wrong}. */
type Search = { name: string; found: Promise<string> };

/** Makes a finding of a search, also where DNS does not answer. */
async function withoutDns({ name, found }: Search): Promise<Finding> {
	try {
		return { name, ok: true, found: await found };
	} catch (error) {
		if (error instanceof Wrong) return { name, ok: false, found: error.message };
		const { code = "no answer" } = error as NodeJS.ErrnoException;
		const cure = "try again, or name another DNS server with --resolver";
		return { name, ok: false, found: `DNS does not say (${code}): ${cure}` };
	}
}

async function checkServer(mail: MailSettings): Promise<Finding> {
	const smtp = await createSmtp(mail);
	const verified = await smtp.verify();
	smtp.close();
	const found = `${describeMailServer(mail.server)}: ${inWords(verified, nameInEhlo(mail))}`;
	return { name: "mail server", ok: verified.state === "ready", found };
}

/** @param name of EHLO */
function inWords(verified: Verified, name: string): string {
	if (verified.state !== "ready" && /^(?:EHLO|HELO)$/.test(verified.command ?? "")) {
		return `refuses EHLO ${name} (${verified.code}): the name comes from SITE_ORIGIN, as in https://orbit.example`;
	}
	switch (verified.state) {
		case "ready":
			return `takes us as ${name}, ${verified.encrypted ? "encrypted" : "in clear"}`;
		case "ours":
			return `refuses us (${verified.code}): check user and password in SMTP_URL, and that your provider has enabled sending`;
		case "closed":
			return `cannot be used (${verified.code}): check smtp or smtps, host and port in SMTP_URL, and that no firewall is in between`;
	}
}

function checkMx(domain: string, resolver: Resolver): Search {
	async function search() {
		const records = (await recordsOf(resolver.resolveMx(domain))).sort(
			(a, b) => a.priority - b.priority,
		);
		const hosts = records
			.map(({ exchange }) => printableLine(exchange))
			.filter((host) => host !== "");
		if (hosts.length > 0) return hosts.join(", ");
		throw new Wrong(
			`nobody takes mail for ${domain}: add an MX record, so that replies and bounces arrive and ` +
				"receivers believe the address",
		);
	}
	return { name: `MX of ${domain}`, found: search() };
}

/** RFC 7208: who may send for the domain of the envelope's sender. */
function checkSpf(domain: string, resolver: Resolver): Search {
	async function search() {
		const records = await textsOf(domain, /^v=spf1(?: |$)/i, resolver);
		const [record] = records;
		if (record === undefined) {
			throw new Wrong(
				`${domain} does not say who may send for it: add the TXT record that your provider names, ` +
					"as in v=spf1 include:spf.provider.example ~all",
			);
		}
		if (records.length > 1) {
			throw new Wrong(
				`${domain} has ${records.length} SPF records, so none counts: make one of them`,
			);
		}
		if (/ \+?all(?: |$)/i.test(record)) {
			throw new Wrong(`${record} lets everybody send for ${domain}: end it with ~all`);
		}
		return record;
	}
	return { name: `SPF of ${domain}`, found: search() };
}

/** RFC 7489, 6.6.3: the domain's own record, or the one of a domain above it. */
function checkDmarc(domain: string, resolver: Resolver): Search {
	async function search() {
		const labels = domain.split(".");
		for (let first = 0; first < labels.length - 1; first += 1) {
			const name = `_dmarc.${labels.slice(first).join(".")}`;
			const records = await textsOf(name, /^v=DMARC1 *;/, resolver);
			if (records.length > 1) {
				throw new Wrong(`${name} has ${records.length} records, so none counts: leave one of them`);
			}
			const [record] = records;
			if (record === undefined) continue;
			if (/; *p *= *(?:none|quarantine|reject) *(?:;|$)/i.test(record)) return record;
			throw new Wrong(`${record} at ${name} names no policy: add p=none, and later p=quarantine`);
		}
		throw new Wrong(
			`${domain} has no policy, and large receivers refuse bulk mail without one: add the TXT record ` +
				`v=DMARC1; p=none at _dmarc.${domain}`,
		);
	}
	return { name: `DMARC of ${domain}`, found: search() };
}

/** RFC 6376, 3.6.1: a key with which the mail server signs. No record says its name. */
function checkDkim(domain: string, resolver: Resolver, selector: string | undefined): Search {
	async function search() {
		if (selector === undefined) {
			return "not checked: name your provider's selector, as in --selector s1";
		}
		const name = `${selector}._domainkey.${domain}`;
		const keys = await textsOf(name, /(?:^|;) *p *=/, resolver);
		if (keys.some((key) => /(?:^|;) *p *= *[^\s;]/.test(key))) return name;
		throw new Wrong(
			keys.length > 0
				? `${name} is empty, so the key is revoked: publish the provider's key`
				: `no key at ${name}: publish the one that your provider names there`,
		);
	}
	return { name: `DKIM of ${domain}`, found: search() };
}

/** The TXT records of a name that look so. Each may come in several pieces. */
async function textsOf(name: string, look: RegExp, resolver: Resolver): Promise<string[]> {
	const records = await recordsOf(resolver.resolveTxt(name));
	return records.map((pieces) => printableLine(pieces.join(""))).filter((text) => look.test(text));
}

/** No such name, and no such record at the name, are both none. */
async function recordsOf<Record>(asked: Promise<Record[]>): Promise<Record[]> {
	try {
		return await asked;
	} catch (error) {
		const { code = "" } = error as NodeJS.ErrnoException;
		if (code === "ENOTFOUND" || code === "ENODATA") return [];
		throw error;
	}
}

function domainOf(address: string): string {
	return address.slice(address.indexOf("@") + 1);
}
