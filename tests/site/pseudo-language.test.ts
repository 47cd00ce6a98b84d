/* The site in a made-up language: no English sentence may be left. */
import { afterAll, expect, it, vi } from "vitest";
import { brand } from "#brand";
import type * as ours from "#words";

/** Replaces each Latin letter with a Greek one. */
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

/** Other tests of this worker have loaded these modules with the English words. */
vi.resetModules();
vi.doMock("#words", async (original) => translate(await original<typeof ours>()) as object);
const { renderLinkPages, renderFormResponses, renderPages } = await import(
	"../../src/site/prerender/prerender.tsx"
);
const { renderEmail } = await import("../../src/server/mail/templates/render-email.ts");
const { JSON_HEADERS, openApp } = await import("../server/open-app.ts");
afterAll(() => {
	vi.doUnmock("#words");
	vi.resetModules();
});

const SHOWN_META = /name="description"|property="og:(?:title|description|image:alt)"/;

/** Visible texts, and those for screen readers and sharing, one per line. */
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

const NAMES = [
	...[brand.company, brand.email, brand.product],
	...["{{error}}", "{{email}}", "{{ref}}", "{{confirm}}"],
];

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
		...(await renderFormResponses(assets)),
		...(await renderLinkPages(assets, {})),
	];
	for (const { file, content } of pages) {
		// Skips legal texts, which are not in words/.
		const rest = content.replace(/<(ol|section|p|h1|time)\b[^>]*>.*?<\/\1>/gs, (whole) =>
			/^site\/(privacy|terms)/.test(file) ? "" : whole,
		);
		expect(englishIn(rest), file).toEqual([]);
	}
	expect(englishIn("<p>Leave</p>")).toEqual(["Leave"]);
});

it("no email shows a sentence from outside the words file", () => {
	const unsubscribeUrl = "https://a.example/";
	const invitation = { link: unsubscribeUrl, code: "0", expiresAt: "2026-12-06T21:00:00.000Z" };
	for (const { subject, text, html } of [
		renderEmail("confirm", { confirmUrl: unsubscribeUrl, unsubscribeUrl }),
		renderEmail("unsubscribe", { unsubscribeUrl }),
		renderEmail("invitation", { ...invitation, unsubscribeUrl }),
	]) {
		const shown = [subject, text, html].join("\n").replaceAll(unsubscribeUrl, "");
		const country = [brand.postalAddress, ...brand.imprint];
		expect(englishIn(shown).filter((line) => !country.includes(line))).toEqual([]);
	}
});

it("no error of the form is a sentence from outside the words file", async () => {
	const once = { count: 1, periodMs: 600_000 };
	const { joinWith, post, waitlist } = await openApp({}, { address: once, burst: once });
	const body = '{"email":"ada@example.com"}';
	const from = (headers: Record<string, string>) => post(body, { ...JSON_HEADERS, ...headers });
	const responses = [
		await joinWith("ada"),
		await joinWith("ada@example.com"),
		await joinWith("ada@example.com"),
		await from({ "sec-fetch-site": "cross-site" }),
	];
	for (let n = 0; n < 3; n++) responses.push(await post(body, JSON_HEADERS, "192.0.2.1"));
	waitlist.join = async () => "unavailable";
	responses.push(await joinWith("bob@example.com"));
	expect(responses.map(({ status }) => status)).toEqual([400, 201, 409, 403, 409, 409, 429, 503]);
	for (const response of responses) {
		const { error = "" } = (await response.json()) as { error?: string };
		expect(englishIn(error)).toEqual([]);
	}
});
