import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { brand } from "#brand";
import { ACTION_FIELD, type LinkPageName, linkActions, linkPageNames } from "#shared/links.ts";
import { words } from "#words";
import { readLinkPages } from "../../../../src/server/mail/links/link-routes.ts";

const pages = await readLinkPages("dist/link-pages");
const body = (name: LinkPageName) => pages(200, name).body;

describe.each(linkPageNames)("the page %s", (name) => {
	it("has no script except on the invitation page, and asks not to be indexed", () => {
		const one = expect.stringMatching(
			/^<script type="module" src="\/assets\/invitation-[\w-]{8}\.js" integrity="sha384-[\w+/=]+">$/,
		);
		const scripts = body(name).match(/<script[^>]*>/gi) ?? [];
		expect(scripts).toEqual(name === "invitation" ? [one] : []);
		expect(body(name)).not.toMatch(/\son\w+=|javascript:/i);
		expect(body(name)).toContain('<meta name="robots" content="noindex">');
	});

	it("has no canonical URL, no social card, and no person's address", () => {
		expect(body(name)).not.toMatch(/rel="canonical"|og:|twitter:|application\/ld\+json/);
		const text = body(name).replace(/<style>.*?<\/style>/s, "");
		const addresses = text.match(/[\w.]+@[\w.]+\w/g) ?? [];
		expect(
			addresses.filter((address) => ![brand.email, words.form.placeholder].includes(address)),
		).toEqual([]);
	});

	it("is not cached or indexed, and sends no Referer", () => {
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
		// A page with a secret URL must not prefetch other pages.
		expect(headers).not.toHaveProperty("speculation-rules");
	});
});

it("the forms post to their page's URL", () => {
	for (const name of ["confirm", "unsubscribe", "delete", "unsubscribed"] as const) {
		const forms = body(name).match(/<form\b[^>]*>/g)!;
		expect(forms[0]).toContain('method="post"');
		for (const form of forms) expect(form).not.toContain("action=");
	}
	for (const action of [linkActions.stop, linkActions.delete]) {
		expect(body("unsubscribe")).toMatch(
			new RegExp(`name="${ACTION_FIELD}"[^>]* value="${action}"`),
		);
	}
});

it("the pages are not part of the site: not served by path, not in the sitemap", async () => {
	const files = await readdir("dist/site", { recursive: true });
	expect(
		files.filter(
			(file) =>
				/link-pages|unsubscribe\|expired\|link-sent|confirm\b/.test(file) &&
				/\.(html|js)$/.test(file),
		),
	).toEqual([]);
	for (const file of ["sitemap.xml", "speculation.json"]) {
		expect(await readFile(`dist/site/${file}`, "utf8")).not.toMatch(
			/link-pages\|unsubscribe\|confirm"/,
		);
	}
});
