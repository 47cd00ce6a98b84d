import { describe, expect, it } from "vitest";
import * as ours from "#brand";
import { emails } from "#words";
import { invitationPlaceholders } from "../../../../src/server/mail/templates/email-words.ts";
import { renderEmail } from "../../../../src/server/mail/templates/render-email.ts";
import { escapeHtml } from "../../../../src/server/text/html.ts";
import { importReplacing } from "../../../shared.ts";

const { brand } = ours;

const links = {
	confirmUrl: `https://orbit.example/confirm/${"Wlpa".repeat(12)}`,
	unsubscribeUrl: `https://orbit.example/unsubscribe/${"p6en".repeat(10)}p6c`,
};

const email = renderEmail("confirm", links);

/** Everything that could make an email fetch or run something. */
const remote =
	/<(?:img|script|link|iframe|form|input|video|object|svg)\b|url\(|@import|@font-face|srcset/i;

describe("an email", () => {
	it("has all its links in both parts, and no others, loads nothing and runs nothing", () => {
		expect(email.html).not.toMatch(remote);
		const addresses = (part: string) => new Set(part.match(/https?:[^\s"<]+/g));
		expect(addresses(email.text)).toEqual(new Set(Object.values(links)));
		expect(email.text.split("\n")).toEqual(expect.arrayContaining(Object.values(links)));
		expect(addresses(email.html)).toEqual(new Set(Object.values(links)));
		expect(email.html.match(/href="[^"]+"/g)).toEqual([
			`href="${links.confirmUrl}"`,
			`href="${links.confirmUrl}"`,
			`href="${links.unsubscribeUrl}"`,
		]);
	});

	it("names the sender and the link to unsubscribe, in both parts", () => {
		const { company, postalAddress, imprint, email: contact } = brand;
		for (const said of [company, postalAddress, ...imprint, contact, emails.unsubscribeLink]) {
			expect(email.text).toContain(said);
			expect(email.html).toContain(escapeHtml(said));
		}
	});

	it("has the same text in both parts", () => {
		const words = (text: string) => text.replace(/[\s:=-]+/g, "");
		const [, body = ""] = /<div role="article"[^>]*>(.*)<\/div>/s.exec(email.html) ?? [];
		const seen = body
			.replace(/<!--.*?-->/gs, "")
			.replace(/<[^>]*>/g, "\n")
			.replaceAll("&#39;", "'")
			.replaceAll("&amp;", "&")
			.replace(emails.copy, "");
		// The HTML part repeats the button's URL as text. The plain part adds the unsubscribe URL.
		const said = (text: string) => words(text.replaceAll(links.confirmUrl, ""));
		expect(said(seen)).toBe(said(email.text.replace(links.unsubscribeUrl, "")));
	});

	it("has a subject that fits on a phone, and the language, title and tables for screen readers", () => {
		expect(email.subject.length).toBeLessThanOrEqual(50);
		expect(email.subject).toContain(brand.product);
		expect(email.html).toContain(`<html lang="${brand.language}" dir="ltr">`);
		expect(email.html).toContain(`<title>${escapeHtml(email.subject)}</title>`);
		for (const [table] of email.html.matchAll(/<table\b[^>]*>/g)) {
			expect(table).toContain('role="presentation"');
		}
		expect(email.html.match(/<h1\b/g)).toHaveLength(1);
	});
});

const { unsubscribeUrl } = links;
const code = "7G2K-M0QX-1F9D-W8ZR";
const link = `https://orbit.example/invitation#${code}`;
const invited = { link, code, expiresAt: "2026-12-06T21:00:59.000Z", unsubscribeUrl };
const invitation = renderEmail("invitation", invited);

const written = (message: string, subject = "Come in") =>
	renderEmail("invitation", { ...invited, message: { subject, message } });

describe("an invitation", () => {
	it("has the code on a separate line, the link and the expiry, in both parts", () => {
		expect(invitation.text.split("\n")).toEqual(expect.arrayContaining([code, invited.link]));
		expect(invitation.html).toContain(`>${code}</td>`);
		expect(invitation.html).toContain(`href="${invited.link}"`);
		for (const part of [invitation.text, invitation.html]) {
			expect(part).toContain("until December 6, 2026, 21:00 UTC.");
			expect(part).toContain(unsubscribeUrl);
		}
		expect(invitation.html).not.toMatch(remote);
	});

	it("appends what a message omits: link, code and expiry", () => {
		const { subject, text } = written("Dear early bird,\n\nwelcome.");
		expect(subject).toBe("Come in");
		expect(text).toContain("Dear early bird,\n\nwelcome.\n\n");
		expect(text.split("\n")).toEqual(expect.arrayContaining([code, link]));
		expect(text).toContain("until December 6, 2026, 21:00 UTC.");
	});

	it("appends code and link if a message has them only where nobody sees them", () => {
		const { html, text } = written(
			'Hi \\{code}, [go](https://orbit.example "{link}") https://orbit.example/{code}.',
		);
		expect(text.split("\n")).toContain(link);
		expect(html).toContain(`href="https://orbit.example/${code}"`);
		expect(html).not.toMatch(/<a [^>]*>[^<]*<a /);
	});

	it("has each placeholder's value in its place, only once", () => {
		const { html, text } = written(
			"Use {code} before {expires}.\n\n{link}\n\nOr go to {link}.\n\n{code}\n\nNot {this}.",
		);
		expect(text).toContain(`Use ${code} before December 6, 2026, 21:00 UTC.`);
		expect(text).toContain("Not {this}.");
		for (const place of invitationPlaceholders) expect(text).not.toContain(`{${place}}`);
		expect(text.split("\n")).toEqual(expect.arrayContaining([code, link]));
		expect(text.match(/If you are asked for a code|works once/g)).toBeNull();
		// The link is in the button, in the text below it, and in the sentence.
		expect(html.match(new RegExp(`href="${invited.link}"`, "g"))).toHaveLength(3);
		expect(html).toContain(`${invited.link}</a>.</p>`);
		expect([...html.matchAll(new RegExp(`>${code}</td>`, "g"))]).toHaveLength(1);
	});
});

describe("news", () => {
	const news = (message: string) =>
		renderEmail("news", { message: { subject: "Orbit & you", message }, unsubscribeUrl });

	it("is the founder's Markdown in both parts: bold, links and lists, escaped", () => {
		const { subject, html, text } = news(`Dear **early & birds**,
it moves: [read on](https://orbit.example/a?b=1&c=2), {code}, {constructor}.

- https://orbit.example
- a < b

1. one
2. two`);
		expect(subject).toBe("Orbit & you");
		expect(html).not.toMatch(remote);
		expect(html).toContain("Dear <strong>early &amp; birds</strong>,<br>\nit moves: <a ");
		expect(html).toMatch(
			/href="https:\/\/orbit\.example\/a\?b=1&amp;c=2"[^>]*>read on<\/a>, \{code\}/,
		);
		expect(html.match(/<li /g)).toHaveLength(4);
		expect(html).toMatch(/<ul.*a &lt; b.*<\/ul>\s*<ol/s);
		expect(text).toContain(`Dear early & birds,
it moves: read on <https://orbit.example/a?b=1&c=2>, {code}, {constructor}.

- https://orbit.example
- a < b

1. one
2. two

`);
		for (const part of [html, text]) expect(part).toContain(unsubscribeUrl);
	});

	it.each([
		["Hi\n\n# Big", 'line 3 has "# Big"'],
		["a\nsays `b`", 'line 2 has "`b`"'],
		["<b>Hi</b>", 'line 1 has "<b>"'],
		["*Hi*", 'line 1 has "*Hi*"'],
		["![a](https://orbit.example/a.png)", 'line 1 has "![a](https://orbit.example/a.png)"'],
		["- a\n  - b", 'line 1 has "- b"'],
		["- a\n\n  b", 'line 1 has "a"'],
		["a\n\n- [b](javascript:alert)", 'line 3 has "[b](javascript:alert)"'],
	])("refuses %j and names its line", (message, sentence) => {
		expect(() => news(message)).toThrow(sentence);
	});
});

async function rendered(change: Partial<typeof brand>) {
	const another = { ...ours, brand: { ...brand, ...change } };
	const fresh = await importReplacing(
		"#brand",
		another,
		() => import("../../../../src/server/mail/templates/render-email.ts"),
	);
	return fresh.renderEmail("confirm", links);
}

it("an email has no markup from the brand's name", async () => {
	const { html, text } = await rendered({ product: `<img src=x onerror="alert(1)">& Co` });
	expect(html).not.toMatch(remote);
	expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp; Co");
	expect(text).toContain("& Co");
});

it("the version changes with any word, even in messages and footers, and is the same for everybody", async () => {
	expect(email.version).toMatch(/^[\da-f]{12}$/);
	const others = [await rendered({ product: "Comet" }), await rendered({ company: "Comet" })];
	const different = [email, ...others, invitation, written("Hello."), written("Hi.")];
	expect(new Set(different.map(({ version }) => version)).size).toBe(6);
	const other = { ...links, confirmUrl: "https://orbit.example/confirm/x" };
	expect(renderEmail("confirm", other).version).toBe(email.version);
	const later = { ...invited, code: "X", expiresAt: "2027-01-01T00:00:00.000Z" };
	expect(renderEmail("invitation", later).version).toBe(invitation.version);
});
