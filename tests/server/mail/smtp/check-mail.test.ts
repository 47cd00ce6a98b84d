import { Resolver } from "node:dns/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { findFreePort } from "../../../../bench/harness/built-site.ts";
import { startMailServer } from "../../../../bench/harness/mail-server.ts";
import { checkMail } from "../../../../src/server/mail/smtp/check-mail.ts";
import { readSettings } from "../../../../src/server/settings.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { runCommand } from "../../commands/command-setup.ts";
import { type DnsZone, startDnsServer } from "./dns-server.ts";

const PASSWORD = "pass-word-that-nobody-sees";
const login = { user: "user-that-nobody-sees", password: PASSWORD };

/** Records from a provider's guide. The DKIM key needs two TXT strings. */
const zone: DnsZone = {
	"orbit.example": {
		MX: ["20 mx2.orbit.example", "10 mx1.orbit.example"],
		TXT: ["some-verification=1", "v=spf1 include:spf.provider.example ~all"],
	},
	"_dmarc.orbit.example": { TXT: ["v=DMARC1; p=none; rua=mailto:dmarc@orbit.example"] },
	"s1._domainkey.orbit.example": { TXT: [`v=DKIM1; k=rsa; p=${"A".repeat(400)}`] },
};

async function environmentOf() {
	const server = await startMailServer({ login });
	onTestFinished(() => server.stop());
	return {
		SMTP_URL: server.url,
		WAITLIST_MAIL_FROM: "Orbit <hello@orbit.example>",
		SITE_ORIGIN: "https://orbit.example",
	};
}

const domain = "orbit.example";
it.each<[RegExp, DnsZone]>([
	[/^MX .* has no MX record: add one/, { [domain]: { TXT: ["v=spf1 -all"] } }],
	[/^SPF .* has no SPF record: add your provider's TXT/, { [domain]: { MX: ["1 mx.example"] } }],
	[
		/^SPF .* has 2 of these records, which makes all of them invalid: keep one$/,
		{ [domain]: { MX: ["1 mx.example"], TXT: ["v=spf1 -all", "v=spf1 mx -all"] } },
	],
	[/^DMARC .*: add the TXT record v=DMARC1; p=none at/, { [`_dmarc.${domain}`]: {} }],
	[/^DKIM .* no key at s1\._domainkey\./, { [`s1._domainkey.${domain}`]: {} }],
])("a wrong mail record in DNS is shown with its fix: %s", async (sentence, changes) => {
	const resolver = new Resolver({ timeout: 5000, tries: 2 });
	resolver.setServers([await startDnsServer({ ...zone, ...changes })]);
	const settings = readSettings(await environmentOf(), "/", "");
	const findings = await checkMail(settings.mail!, resolver, "s1");
	const wrong = findings.filter(({ ok }) => !ok).map(({ name, found }) => `${name}: ${found}`);
	expect(wrong).toEqual([expect.stringMatching(sentence)]);
});

describe("check --mail", () => {
	async function check(args: string, env: Record<string, string>) {
		const folder = await temporaryFolder();
		await runCommand(folder, ["import", "-"]);
		return runCommand(folder, ["check", ...args.split(" ")], { env });
	}

	it("reports that emails can be sent, and shows no secret", async () => {
		const address = await startDnsServer(zone);
		const { code, stdout, stderr } = await check(
			`--selector s1 --resolver ${address}`,
			await environmentOf(),
		);
		expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
		expect(stdout).toMatch(
			/✓ mail server: smtp:\/\/127.*\(hidden\): accepts us as orbit\.example, unencrypted$/m,
		);
		for (const found of [
			"MX of orbit.example: mx1.orbit.example, mx2.orbit.example",
			"SPF of orbit.example: v=spf1 include:spf.provider.example ~all",
			"DMARC of orbit.example: v=DMARC1; p=none; rua=mailto:dmarc@orbit.example",
			"DKIM of orbit.example: s1._domainkey.orbit.example",
		])
			expect(stdout).toContain(`✓ ${found}\n`);
		expect(stdout).not.toMatch(/nobody-sees/);
	});

	it("shows the fix for a wrong password, a closed port and a silent DNS", async () => {
		const address = await startDnsServer(zone);
		const silent = `127.0.0.1:${await findFreePort()}`;
		const env = await environmentOf();
		const wrong = { ...env, SMTP_URL: env.SMTP_URL.replace(PASSWORD, "wrong-nobody-sees") };
		const closed = { ...env, SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}` };
		const [refused, unreachable] = await Promise.all([
			check(`--mail --resolver ${address}`, wrong),
			check(`--selector s1 --resolver ${silent}`, closed),
		]);
		expect(refused.code).toBe(1);
		expect(refused.stdout).toMatch(
			/✗ mail server: .*refuses us as orbit\.example \(535\): check user and password/,
		);
		expect(refused.stdout + refused.stderr).not.toMatch(/nobody-sees/);
		expect(unreachable.stdout).toMatch(/✗ mail server: .* \(ECONNREFUSED\): check smtp or smtps/);
		expect(unreachable.stdout).toMatch(/✗ MX of .*: DNS lookup failed \(E[A-Z]+\): .*--resolver/);
	});

	it("reports that no email is sent if mail is not set up", async () => {
		const { code, stdout } = await check("--mail", {});
		expect(code).toBe(1);
		expect(stdout).toContain("✗ mail server: no email is sent: set SMTP_URL");
	});
});
