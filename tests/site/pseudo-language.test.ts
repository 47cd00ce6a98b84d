/* The site in a made-up language: no English sentence may be left. */
import { expect, it, vi } from "vitest";
import { brand } from "#brand";
import type * as ours from "#words";
import {
	renderLinkPages,
	renderOutcomes,
	renderPages,
} from "../../src/site/prerender/prerender.tsx";

/** Replaces each letter with one of another script. */
function inPseudo(text: string): string {
	return text.replace(/[a-z]/gi, (letter) =>
		String.fromCharCode(0x3b1 + (letter.charCodeAt(0) & 31)),
	);
}

function translate(value: unknown): unknown {
	if (typeof value === "string") return inPseudo(value);
	if (typeof value === "function") return (...input: unknown[]) => translate(value(...input));
	if (Array.isArray(value)) return value.map(translate);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, translate(part)]));
}

vi.mock("#words", async (original) => translate(await original<typeof ours>()));

const SHOWN_META = /name="description"|property="og:(?:title|description|image:alt)"/;

/** Visible, read-out and shared texts of a page, one per line. */
function textsOf(html: string): string[] {
	const shown = html.replace(/<(script|style)\b.*?<\/\1>/gs, "");
	const attributes = [...shown.matchAll(/\s(?:alt|aria-label|placeholder|title)="([^"]*)"/g)];
	const submits = [...shown.matchAll(/<input type="submit" value="([^"]*)"/g)];
	const metas = (shown.match(/<meta [^>]*>/g) ?? [])
		.filter((meta) => SHOWN_META.test(meta))
		.flatMap((meta) => [...meta.matchAll(/content="([^"]*)"/g)]);
	const marked = [...attributes, ...submits, ...metas].map(([, text]) => text!);
	return [...shown.replace(/<[^>]*>/g, "\n").split("\n"), ...marked];
}

/** Strings that are never translated. */
const NAMES = [brand.company, brand.email, brand.product, "{{error}}", "{{email}}", "{{ref}}"];

function englishIn(html: string): string[] {
	return textsOf(html)
		.map((text) =>
			NAMES.reduce((rest, name) => rest.replaceAll(name, ""), text.replace(/&#?\w+;/g, "")),
		)
		.filter((text) => /[a-z]/i.test(text));
}

const assets = { bootUrl: "", mainUrl: "", fonts: [] };

it("no page shows a sentence from outside the words file", async () => {
	const pages = [
		...(await renderPages(assets)),
		...(await renderOutcomes(assets)),
		...(await renderLinkPages(assets, {})),
	];
	for (const { file, content } of pages) {
		// Legal texts are in separate files.
		const rest = content.replace(/<(ol|section|p|h1|time)\b[^>]*>.*?<\/\1>/gs, (whole) =>
			/^site\/(privacy|terms)/.test(file) ? "" : whole,
		);
		expect(englishIn(rest), file).toEqual([]);
	}
	expect(englishIn("<p>Leave</p>")).toEqual(["Leave"]);
});
