import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { brand, words } from "#brand";
import {
	LEAVE_FIELD,
	LETTER_PATH,
	type LetterPageName,
	leaveActions,
	letterPageNames,
} from "#shared/letters.ts";
import { readLetterPages } from "../../../../src/server/letters/links/letter-pages.ts";

const pages = await readLetterPages("dist/letters");
const body = (name: LetterPageName) => pages(200, name).body;

describe.each(letterPageNames)("the page %s", (name) => {
	it("ships no script but the one of an invitation, and asks not to be listed", () => {
		const one = expect.stringMatching(
			/^<script type="module" src="\/assets\/invitation-[\w-]{8}\.js" integrity="sha384-[\w+/=]+">$/,
		);
		const scripts = body(name).match(/<script[^>]*>/gi) ?? [];
		expect(scripts).toEqual(name === "invitation" ? [one] : []);
		expect(body(name)).not.toMatch(/\son\w+=|javascript:/i);
		expect(body(name)).toContain('<meta name="robots" content="noindex">');
	});

	it("says first what it is: its title is its heading", () => {
		const [, title] = /<title>([^<]+)<\/title>/.exec(body(name)) ?? [];
		const headings = [...body(name).matchAll(/<h1[^>]*>([^<]+)<\/h1>/g)].map(([, text]) => text);
		expect(headings).toEqual([title!.replace(` · ${brand.product}`, "")]);
		expect(body(name)).toContain(`<!doctype html>\n<html lang="${brand.language}">`);
	});

	it("has no address of its own, no card, and no address of a person", () => {
		expect(body(name)).not.toMatch(/rel="canonical"|og:|twitter:|application\/ld\+json/);
		const text = body(name).replace(/<style>.*?<\/style>/s, "");
		const addresses = text.match(/[\w.]+@[\w.]+\w/g) ?? [];
		expect(
			addresses.filter((address) => ![brand.email, words.form.placeholder].includes(address)),
		).toEqual([]);
	});

	it("is sent without a trace: not cached, not listed, no Referer", () => {
		const [, styles = ""] = /<style>(.*?)<\/style>/s.exec(body(name)) ?? [];
		const { status, headers } = pages(404, name);
		expect(status).toBe(404);
		expect(headers).toMatchObject({
			"content-type": "text/html; charset=utf-8",
			"cache-control": "no-store",
			"referrer-policy": "no-referrer",
			"x-robots-tag": "noindex",
			"x-content-type-options": "nosniff",
			"x-frame-options": "DENY",
			"cross-origin-opener-policy": "same-origin",
		});
		const policy = headers["content-security-policy"]!.split("; ");
		const hash = createHash("sha256").update(styles).digest("base64");
		expect(policy).toContain(`style-src 'sha256-${hash}'`);
		expect(policy).toContain("form-action 'self'");
		// Rules would prepare other pages from one whose address is a secret.
		expect(headers).not.toHaveProperty("speculation-rules");
	});
});

/** The opening tags of a page's forms and of what they send. */
const formsOf = (name: LetterPageName) => body(name).match(/<(?:form|input|button)\b[^>]*>/g) ?? [];

describe("the forms", () => {
	it("post to the address that the page was opened at", () => {
		for (const name of ["confirm", "leave", "delete", "left"] as const) {
			const forms = formsOf(name).filter((tag) => tag.startsWith("<form"));
			expect(forms[0]).toContain('method="post"');
			for (const form of forms) expect(form).not.toContain("action=");
		}
	});

	it("leave by one of two buttons", () => {
		const fields = formsOf("leave").filter((tag) => tag.includes(`name="${LEAVE_FIELD}"`));
		expect(fields).toEqual([
			expect.stringContaining(`value="${leaveActions.stop}"`),
			expect.stringContaining(`value="${leaveActions.delete}"`),
		]);
	});

	it("ask for a new letter with an address, at one path", () => {
		const [form, field] = formsOf("expired");
		expect(form).toContain(`action="${LETTER_PATH}" method="post"`);
		expect(field).toMatch(/type="email".* name="email"/);
	});

	it("are on no other page", () => {
		const without = letterPageNames.filter((name) => formsOf(name).length === 0);
		expect(without).toEqual([
			"confirmed",
			"deleted",
			"asked",
			"unsubscribe-sent",
			"too-many",
			"unavailable",
		]);
	});
});

it("a reply may have a header of its own", () => {
	expect(pages(429, "too-many", { "retry-after": "60" }).headers).toMatchObject({
		"retry-after": "60",
		"cache-control": "no-store",
	});
});

it("the pages are no part of the site: neither served by path, nor listed, nor in its scripts", async () => {
	const files = await readdir("dist/site", { recursive: true });
	expect(
		files.filter((file) => /letter|leave|confirm\b/.test(file) && /\.(html|js)$/.test(file)),
	).toEqual([]);
	for (const file of ["sitemap.xml", "speculation.json"]) {
		expect(await readFile(`dist/site/${file}`, "utf8")).not.toMatch(/letter|leave|confirm"/);
	}
	const scripts = files.filter((file) => file.endsWith(".js"));
	expect(scripts.length).toBeGreaterThan(3);
	for (const script of scripts) {
		expect(await readFile(`dist/site/${script}`, "utf8"), script).not.toContain(
			"Stop our letters?",
		);
	}
});
