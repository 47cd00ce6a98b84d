/* The specification's legal sentences and constants, verbatim. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { brand } from "#brand";
import { plainText } from "../../src/site/legal/legal-document.ts";
import { europeanUnion } from "../../src/site/legal/places/european-union.ts";
import { unitedStates } from "../../src/site/legal/places/united-states.ts";
import { privacyPolicyFor } from "../../src/site/legal/privacy.tsx";
import { termsOfServiceFor } from "../../src/site/legal/terms.tsx";
import {
	blockLinks,
	blocksText,
	documentProse,
	documentText,
	findSection,
	sectionLinks,
	sectionText,
} from "./legal/legal-prose.ts";

const privacyPolicy = privacyPolicyFor(unitedStates);
const termsOfService = termsOfServiceFor(unitedStates);

/* Counsel of other brands may change the texts. */
describe.runIf(brand.product === "Orbit")("the default legal texts", () => {
	describe("Privacy Policy", () => {
		test("has the twelve sections of the specification, in order", () => {
			expect(privacyPolicy.sections.map(({ title }) => title)).toEqual([
				...["Information We Collect", "How We Use Information", "How We Share Information"],
				...["How Long We Keep Information", "Your Rights and Choices", "Security"],
				...["International Users", "Children Under 13", "Cookies and Local Storage"],
				...["California Privacy Rights (CCPA/CPRA)", "Changes to This Policy", "Contact Us"],
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
			["information-we-collect", "a flag, if a hidden field of the form was filled in"],
			["information-we-collect", "a random identifier, used in the links of our emails"],
			["information-we-collect", "when and how you confirmed your address"],
			["information-we-collect", "the mail server’s reply code"],
			["information-we-collect", "an email to you bounced, with the code that says why"],
			["information-we-collect", "Email providers tell us when an email to you bounced"],
			["how-we-use-information", "Our emails do not track you."],
			["how-we-share-information", "Our emails pass through an email provider"],
			["how-long-we-keep-information", "kept as long as the waitlist record, and deleted with it"],
			["how-long-we-keep-information", "no old backup makes us email you again"],
			["rights-and-choices", "one unsubscribes you, the other lets you delete your data"],
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
			expect(sectionText(findSection(privacyPolicy, id))).toContain(words);
		});

		test("has mailto links with the subjects CCPA Request and Waitlist Deletion Request", () => {
			for (const [id, subject] of [
				["california-privacy-rights", "CCPA Request"],
				["rights-and-choices", "Waitlist Deletion Request"],
			] as const) {
				const links = sectionLinks(findSection(privacyPolicy, id)).map(({ href }) => href);
				// RFC 6068: mail programs do not decode `+` as a space.
				const asked = `?subject=${encodeURIComponent(subject)}`;
				expect(
					links.some((href) => href.includes(asked)),
					subject,
				).toBe(true);
			}
		});
	});

	describe("Terms of Service", () => {
		test("has the eighteen sections of the specification, in order", () => {
			expect(termsOfService.sections.map(({ title }) => title)).toEqual([
				...["Eligibility", "The Services", "Accounts", "User Content", "Acceptable Use"],
				...["Intellectual Property", "Privacy", "Third-Party Services", "Termination"],
				...["Disclaimers", "Limitation of Liability", "Indemnification"],
				...["Informal Dispute Resolution", "Arbitration Agreement", "Governing Law and Venue"],
				...["Changes to These Terms", "Miscellaneous", "Contact Us"],
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
		])("states the specified constants in %s: %s", (id, words) => {
			expect(sectionText(findSection(termsOfService, id))).toContain(words);
		});

		test("mentions arbitration, and the opt-out, before the first section", () => {
			expect(blocksText(termsOfService.intro)).toContain("opt out within 30 days");
			expect(blockLinks(termsOfService.intro).map(({ href }) => href)).toContain("#arbitration");
		});
	});

	describe.each(
		[unitedStates, europeanUnion].flatMap((place) => [
			privacyPolicyFor(place),
			termsOfServiceFor(place),
		]),
	)("$title", (document) => {
		test("defines “we”", () => {
			expect(documentText(document)).toContain(`${brand.company} (“${brand.product},” `);
		});

		test("is typeset: curly quotes, single spaces, finished sentences", () => {
			for (const prose of documentProse(document)) {
				const text = plainText(prose);
				expect(text).not.toMatch(/['"]|\.\.|\s{2}|--|undefined/);
				expect(text).toMatch(/^\S.*([.:;]|; (and|or))$/s);
			}
		});
	});

	const folder = join(import.meta.dirname, "../../src/site/legal");
	const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
		.filter((file) => /\.tsx?$/.test(file))
		.map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);

	test.each(sources)(
		"the source %s takes the name from the brand file, and numbers from the local law and retention.ts",
		(file, source) => {
			const lines = source.replace(/\/\*.*?\*\//gs, "").split("\n");
			const foreign = ["privacy.tsx", "terms.tsx"].includes(file) ? /orbit|\d/i : /orbit/i;
			expect(lines.filter((line) => foreign.test(line))).toEqual([]);
		},
	);
});
