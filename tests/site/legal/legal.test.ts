import { describe, expect, test } from "vitest";
import { brand } from "#brand";
import { plain } from "../../../src/site/legal/legal-document.ts";
import { place as ours } from "../../../src/site/legal/place.ts";
import { europeanUnion } from "../../../src/site/legal/places/european-union.ts";
import { unitedStates } from "../../../src/site/legal/places/united-states.ts";
import { privacyPolicyFor } from "../../../src/site/legal/privacy.tsx";
import { termsOfServiceFor } from "../../../src/site/legal/terms.tsx";
import { routeAt } from "../../../src/site/routes.ts";
import { documentLinks, documentText, proseOf } from "./legal-prose.ts";

/* What holds for the legal texts of any brand, whatever counsel writes. */
const paths = ["/privacy", "/terms"];

test.each(paths)("%s has a description that search results show uncut", (path) => {
	const { description } = routeAt(path);
	expect(description.length).toBeGreaterThanOrEqual(110);
	expect(description.length).toBeLessThanOrEqual(155);
	expect(description).toMatch(/^[A-Z].*\w\.$/);
	expect(description).not.toContain(". ");
});

describe.each([
	["the place of this site", ours],
	["United States", unitedStates],
	["European Union", europeanUnion],
] as const)("%s", (_, place) => {
	const documents = [
		["/privacy", privacyPolicyFor(place)],
		["/terms", termsOfServiceFor(place)],
	] as const;

	describe.each(documents)("%s", (path, document) => {
		test("names company and address from the brand file", () => {
			const text = documentText(document);
			expect(text).toContain(brand.company);
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
				...paths.filter((page) => page !== path),
			];
			for (const { href } of documentLinks(document)) {
				if (!href.startsWith("mailto:")) expect(targets).toContain(href);
			}
		});
	});
});
