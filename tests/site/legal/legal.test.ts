import { describe, expect, test } from "vitest";
import { brand } from "#brand";
import { routeAt } from "../../../src/site/routes.ts";
import { importReplacing } from "../../shared.ts";
import { documentLinks, documentText } from "./legal-prose.ts";

async function loadTexts() {
	const { localLaw: ours } = await import("../../../src/site/legal/local-law.ts");
	const { europeanUnion } = await import("../../../src/site/legal/places/european-union.ts");
	const { unitedStates } = await import("../../../src/site/legal/places/united-states.ts");
	const { privacyPolicyFor } = await import("../../../src/site/legal/privacy.tsx");
	const { termsOfServiceFor } = await import("../../../src/site/legal/terms.tsx");
	return Object.entries({ ours, unitedStates, europeanUnion }).map(([name, place]) => ({
		name,
		documents: [
			["/privacy", privacyPolicyFor(place)],
			["/terms", termsOfServiceFor(place)],
		] as const,
	}));
}

const texts = await loadTexts();
const waitlistOnly = await importReplacing("../src/service.ts", { service: undefined }, loadTexts);

/* Rules for the legal texts of any brand, whatever counsel writes. */
const paths = ["/privacy", "/terms"];

test.each(paths)("%s has a description that search results do not truncate", (path) => {
	const { description } = routeAt(path);
	expect(description.length).toBeGreaterThanOrEqual(110);
	expect(description.length).toBeLessThanOrEqual(155);
	expect(description).toMatch(/^[A-Z].*\w\.$/);
	expect(description).not.toContain(". ");
});

test("without a product description the legal texts cover the waitlist only", () => {
	const said = waitlistOnly.flatMap(({ documents }) =>
		documents.map(([, text]) => documentText(text)),
	);
	expect(said.join("\n")).not.toMatch(/undefined|account|mailbox you|User Content|language model/i);
});

describe.each([
	...texts,
	...waitlistOnly.map(({ name, documents }) => ({ name: `${name}, waitlist only`, documents })),
])("$name", ({ documents }) => {
	describe.each(documents)("%s", (path, document) => {
		test("takes company and address from the brand file", () => {
			const text = documentText(document);
			expect(text).toContain(brand.company);
			expect(text).toContain(brand.email);
		});

		test("has unique kebab-case anchors", () => {
			const ids = document.sections.map(({ id }) => id);
			expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
			expect(new Set(ids).size).toBe(ids.length);
		});

		test("links to the brand's mailbox only, and shows its address", () => {
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
				...paths.filter((page) => page !== path),
			];
			for (const { href } of documentLinks(document)) {
				if (!href.startsWith("mailto:")) expect(targets).toContain(href);
			}
		});
	});
});
