import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { brand } from "#brand";
import {
	type Block,
	type LegalDocument,
	type Link,
	type Prose,
	plain,
	type Section,
} from "../../src/site/legal/legal-document.ts";
import { privacyPolicy } from "../../src/site/legal/privacy.tsx";
import { termsOfService } from "../../src/site/legal/terms.tsx";
import { routeAt } from "../../src/site/routes.ts";

const documents = [
	["Privacy Policy", "/privacy", privacyPolicy],
	["Terms of Service", "/terms", termsOfService],
] as const;

describe("Privacy Policy", () => {
	test("has the twelve sections of promise 36, in its order", () => {
		expect(privacyPolicy.sections.map(({ title }) => title)).toEqual([
			"Information We Collect",
			"How We Use Information",
			"How We Share Information",
			"How Long We Keep Information",
			"Your Rights and Choices",
			"Security",
			"International Users",
			"Children Under 13",
			"Cookies and Local Storage",
			"California Privacy Rights (CCPA/CPRA)",
			"Changes to This Policy",
			"Contact Us",
		]);
	});

	test("has a part for each of the three kinds of information collected", () => {
		const { parts = [] } = section(privacyPolicy, "information-we-collect");
		expect(parts.map(({ title }) => title)).toEqual([
			"Information You Provide",
			"Information Collected Automatically",
			"Information from Third Parties",
		]);
	});

	test("promises not to train language models on email data and not to sell personal data", () => {
		const intro = blocksText(privacyPolicy.intro);
		expect(intro).toContain("We do not use email data to train language models.");
		expect(intro).toContain("We do not sell personal data.");
	});

	test.each([
		["information-we-collect", "“landing-page”"],
		["information-we-collect", "the version of this policy"],
		["information-we-collect", "a mark, if a field of the form that people do not see"],
		["information-we-collect", "a random number that stands for you in the links of our letters"],
		["information-we-collect", "when you confirmed your address, and in what manner"],
		["information-we-collect", "the code with which the mail server answered"],
		["information-we-collect", "a letter to your address came back"],
		["how-we-use-information", "Our letters do not track you."],
		["how-we-share-information", "Our letters travel through a mail provider"],
		["how-long-we-keep-information", "kept as long as the waitlist record, and deleted with it"],
		["how-long-we-keep-information", "no old backup makes us write to you again"],
		["rights-and-choices", "one stops the letters, the other deletes your record"],
		["how-long-we-keep-information", "24 months"],
		["how-long-we-keep-information", "90 days"],
		["how-long-we-keep-information", "35 days"],
		["how-long-we-keep-information", "24 hours"],
		["how-long-we-keep-information", "keyed hash"],
		["children", "under 13"],
		["cookies", "“waitlistEmail”"],
		["cookies", "“motion”"],
		["cookies", "“renewed”"],
		["california-privacy-rights", "45 days"],
	])("states the site's own practice in %s: %s", (id, words) => {
		expect(sectionText(section(privacyPolicy, id))).toContain(words);
	});

	test("offers a mail with the subject CCPA Request to Californians", () => {
		const links = sectionLinks(section(privacyPolicy, "california-privacy-rights"));
		expect(links.map(({ href }) => new URL(href).searchParams.get("subject"))).toEqual([
			"CCPA Request",
		]);
		// RFC 6068: mail programs show a plus sign as a plus sign.
		expect(links[0]!.href).toContain("?subject=CCPA%20Request");
	});

	test("offers a mail with the subject Waitlist Deletion Request", () => {
		const subjects = sectionLinks(section(privacyPolicy, "rights-and-choices")).map(({ href }) =>
			new URL(href).searchParams.get("subject"),
		);
		expect(subjects).toContain("Waitlist Deletion Request");
	});
});

describe("Terms of Service", () => {
	test("has the eighteen sections of promise 38, in its order", () => {
		expect(termsOfService.sections.map(({ title }) => title)).toEqual([
			"Eligibility",
			"The Services",
			"Accounts",
			"User Content",
			"Acceptable Use",
			"Intellectual Property",
			"Privacy",
			"Third-Party Services",
			"Termination",
			"Disclaimers",
			"Limitation of Liability",
			"Indemnification",
			"Informal Dispute Resolution",
			"Arbitration Agreement",
			"Governing Law and Venue",
			"Changes to These Terms",
			"Miscellaneous",
			"Contact Us",
		]);
	});

	test.each([
		["eligibility", "at least 13 years old"],
		["services", "currently free"],
		["user-content", "We do not use email data to train language models"],
		["user-content", "we do not sell personal data"],
		[
			"liability",
			"the greater of $100 or the amount you paid us for the Services in the last 12 months",
		],
		["informal-dispute-resolution", "within 30 days after the notice"],
		["arbitration", "Within 30 days of first accepting these Terms"],
		["arbitration", "individual claim of $10,000 or less to a small-claims court"],
		["arbitration", "If your claim is for $10,000 or less, we will reimburse"],
		["governing-law", "laws of the State of Delaware"],
		["governing-law", "courts located in California"],
	])("states the constants of promise 39 in %s: %s", (id, words) => {
		expect(sectionText(section(termsOfService, id))).toContain(words);
	});

	test("names arbitration, and how to opt out, before the first section", () => {
		expect(blocksText(termsOfService.intro)).toContain("opt out within 30 days");
		expect(blockLinks(termsOfService.intro).map(({ href }) => href)).toContain("#arbitration");
	});
});

describe.each(documents)("%s", (title, path, document) => {
	test("has its title, and a description that search results show uncut", () => {
		expect(document.title).toBe(title);
		const { description } = routeAt(path);
		expect(description.length).toBeGreaterThanOrEqual(110);
		expect(description.length).toBeLessThanOrEqual(155);
		expect(description).toMatch(/^[A-Z].*\w\.$/);
		expect(description).not.toContain(". ");
	});

	test("names product, company and address from the brand file", () => {
		const text = documentText(document);
		expect(text).toContain(`${brand.company} (“${brand.product},” `);
		expect(text).toContain(brand.email);
	});

	test("has unique kebab-case anchors", () => {
		const ids = document.sections.map(({ id }) => id);
		expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
		expect(new Set(ids).size).toBe(ids.length);
	});

	test("leaves no section, part or list empty", () => {
		for (const { body, parts } of document.sections) {
			for (const blocks of [body, ...(parts ?? []).map((part) => part.body)]) {
				expect(blocks).not.toHaveLength(0);
				expect(blocks.flatMap(proseOf).map(plain)).not.toContain("");
			}
		}
	});

	test("writes to the brand's address only, and shows the address it writes to", () => {
		const mails = documentLinks(document).filter(({ href }) => href.startsWith("mailto:"));
		expect(mails).not.toHaveLength(0);
		for (const { text, href } of mails) {
			expect(new URL(href).pathname).toBe(brand.email);
			expect(text).toBe(brand.email);
		}
	});

	test("links to sections and pages that exist", () => {
		const targets = [
			...document.sections.map(({ id }) => `#${id}`),
			...documents.map(([, page]) => page).filter((page) => page !== path),
		];
		for (const { href } of documentLinks(document)) {
			if (!href.startsWith("mailto:")) expect(targets).toContain(href);
		}
	});

	test("is typeset: curly quotes, single spaces, finished sentences", () => {
		for (const prose of documentProse(document)) {
			const text = plain(prose);
			expect(text).not.toMatch(/['"]|\.\.|\s{2}|--|undefined/);
			expect(text).toMatch(/^\S.*([.:;]|; (and|or))$/s);
		}
	});
});

describe("the sources of the legal texts", () => {
	const folder = join(import.meta.dirname, "../../src/site/legal");
	const sources = readdirSync(folder).map(
		(file) => [file, readFileSync(join(folder, file), "utf8")] as const,
	);

	/** The lines that break a rule: a failure shows them, not the whole file. */
	function linesWith(pattern: RegExp, source: string): readonly string[] {
		const withoutComments = source.replace(/\/\*.*?\*\//gs, "");
		return withoutComments.split("\n").filter((line) => pattern.test(line));
	}

	test.each(sources)("%s leaves the name to the brand file", (_, source) => {
		expect(linesWith(/orbit/i, source)).toEqual([]);
	});

	// "a" or "an" depends on the name, and a company may end in a full stop of its own.
	test.each(sources)("%s reads well under any name", (_, source) => {
		expect(linesWith(/\ban? \$\{product\}|\$\{company\}\./i, source)).toEqual([]);
	});

	const mayCount = ["legal-constants.ts", "legal-page.tsx"];
	const prose = sources.filter(([file]) => !mayCount.includes(file));
	test.each(prose)("%s leaves numbers to legal-constants.ts", (_, source) => {
		expect(linesWith(/\d/, source)).toEqual([]);
	});
});

function section(document: LegalDocument, id: string): Section {
	const found = document.sections.find((candidate) => candidate.id === id);
	if (!found) throw new Error(`${document.title} has no section "${id}"`);
	return found;
}

function proseOf(block: Block): readonly Prose[] {
	return typeof block === "object" && "list" in block ? block.list : [block];
}

function sectionBlocks({ body, parts = [] }: Section): readonly Block[] {
	return [...body, ...parts.flatMap((part) => part.body)];
}

function documentProse({ intro, sections }: LegalDocument): readonly Prose[] {
	return [...intro, ...sections.flatMap(sectionBlocks)].flatMap(proseOf);
}

function linksOf(prose: Prose): readonly Link[] {
	return typeof prose === "string" ? [] : prose.filter((piece) => typeof piece !== "string");
}

function blocksText(blocks: readonly Block[]): string {
	return blocks.flatMap(proseOf).map(plain).join("\n");
}

function sectionText(of: Section): string {
	return blocksText(sectionBlocks(of));
}

function documentText(document: LegalDocument): string {
	return documentProse(document).map(plain).join("\n");
}

function blockLinks(blocks: readonly Block[]): readonly Link[] {
	return blocks.flatMap(proseOf).flatMap(linksOf);
}

function sectionLinks(of: Section): readonly Link[] {
	return blockLinks(sectionBlocks(of));
}

function documentLinks(document: LegalDocument): readonly Link[] {
	return documentProse(document).flatMap(linksOf);
}
