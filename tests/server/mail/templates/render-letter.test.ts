import { describe, expect, it, vi } from "vitest";
import * as ours from "#brand";
import { escapeHtml } from "../../../../src/server/html.ts";
import { renderLetter } from "../../../../src/server/mail/templates/render-letter.ts";
import {
	copyWords,
	invitationPlaces,
	leaveWords,
} from "../../../../src/server/mail/templates/words.ts";

const { brand } = ours;

const links = {
	confirmUrl: `https://orbit.example/confirm/${"Wlpa".repeat(12)}`,
	leaveUrl: `https://orbit.example/leave/${"p6en".repeat(10)}p6c`,
};

const letter = renderLetter("confirm", links);

/** Everything that an HTML part may fetch or run. */
const remote =
	/<(?:img|script|link|iframe|form|input|video|object|svg)\b|url\(|@import|@font-face|srcset/i;

describe("a letter", () => {
	it("has all its links in both parts, and no others, loads nothing and runs nothing", () => {
		expect(letter.html).not.toMatch(remote);
		const addresses = (part: string) => new Set(part.match(/https?:[^\s"<]+/g));
		expect(addresses(letter.text)).toEqual(new Set(Object.values(links)));
		expect(addresses(letter.html)).toEqual(new Set(Object.values(links)));
		expect(letter.html.match(/href="[^"]+"/g)).toEqual([
			`href="${links.confirmUrl}"`,
			`href="${links.confirmUrl}"`,
			`href="${links.leaveUrl}"`,
		]);
	});

	it("says who writes and how to leave, in both parts", () => {
		const { company, postalAddress, imprint, email } = brand;
		for (const said of [company, postalAddress, ...imprint, email, leaveWords]) {
			expect(letter.text).toContain(said);
			expect(letter.html).toContain(escapeHtml(said));
		}
	});

	it("says the same in both parts", () => {
		const words = (text: string) => text.replace(/[\s:=-]+/g, "");
		const [, body = ""] = /<div role="article"[^>]*>(.*)<\/div>/s.exec(letter.html) ?? [];
		const seen = body
			.replace(/<!--.*?-->/gs, "")
			.replace(/<[^>]*>/g, "\n")
			.replaceAll("&#39;", "'")
			.replaceAll("&amp;", "&")
			.replace(copyWords, "");
		// The way to leave is written out in the plain part only, and that of the button below the letter.
		const said = (text: string) => words(text.replaceAll(links.confirmUrl, ""));
		expect(said(seen)).toBe(said(letter.text.replace(links.leaveUrl, "")));
	});

	it("has lines of at most 76 characters in its plain part, but for an address, which is alone", () => {
		const lines = letter.text.split("\n");
		for (const url of Object.values(links)) expect(lines).toContain(url);
		const long = lines.filter((line) => line.length > 76 && !Object.values(links).includes(line));
		expect(long).toEqual([]);
		expect(lines.filter((line) => line !== line.trim())).toEqual([]);
	});

	it("has a subject that a phone shows, and the language, title and tables that screen readers want", () => {
		expect(letter.subject.length).toBeLessThanOrEqual(50);
		expect(letter.subject).toContain(brand.product);
		expect(letter.html).toContain(`<html lang="${brand.language}" dir="ltr">`);
		expect(letter.html).toContain(`<title>${escapeHtml(letter.subject)}</title>`);
		for (const [table] of letter.html.matchAll(/<table\b[^>]*>/g)) {
			expect(table).toContain('role="presentation"');
		}
		expect(letter.html.match(/<h1\b/g)).toHaveLength(1);
	});
});

const { leaveUrl } = links;
const code = "7G2K-M0QX-1F9D-W8ZR";
const link = `https://orbit.example/invitation#${code}`;
const invited = { link, code, expiresAt: "2026-12-06T21:00:59.000Z", leaveUrl };
const invitation = renderLetter("invitation", invited);

/** An invitation in the founder's words. */
const written = (message: string, subject = "Come in") =>
	renderLetter("invitation", { ...invited, message: { subject, message } });

describe("an invitation", () => {
	it("has the code on a line of its own, the link and the last moment, in both parts", () => {
		expect(invitation.text.split("\n")).toEqual(expect.arrayContaining([code, invited.link]));
		expect(invitation.html).toContain(`>${code}</p>`);
		expect(invitation.html).toContain(`href="${invited.link}"`);
		for (const part of [invitation.text, invitation.html]) {
			expect(part).toContain("until 6 December 2026, 21:00 UTC.");
			expect(part).toContain(leaveUrl);
		}
		expect(invitation.html).not.toMatch(remote);
	});

	it("says what a message leaves out: the link, the code and the last moment", () => {
		const { subject, text } = written("Dear early bird,\n\nwelcome.");
		expect(subject).toBe("Come in");
		expect(text).toContain("Dear early bird,\n\nwelcome.\n\n");
		expect(text.split("\n")).toEqual(expect.arrayContaining([code, link]));
		expect(text).toContain("until 6 December 2026, 21:00 UTC.");
	});

	it("has each part where a message names it, and not a second time", () => {
		const { html, text } = written(
			"Use {code} before {expires}.\n\n{link}\n\nOr go to {link}.\n\n{code}\n\nNot {this}.",
		);
		expect(text).toContain(`Use ${code} before 6 December 2026, 21:00 UTC.`);
		expect(text).toContain("Not {this}.");
		for (const place of invitationPlaces) expect(text).not.toContain(`{${place}}`);
		expect(text.split("\n")).toEqual(expect.arrayContaining([code, link]));
		expect(text.match(/If you are asked for a code|works once/g)).toBeNull();
		// As a button with its address below, and as a link in the sentence.
		expect(html.match(new RegExp(`href="${invited.link}"`, "g"))).toHaveLength(3);
		expect(html).toContain(`${invited.link}</a>.</p>`);
		expect([...html.matchAll(new RegExp(`>${code}</p>`, "g"))]).toHaveLength(1);
	});
});

describe("news", () => {
	const message = {
		subject: "Orbit & you",
		message: `It moves <b>fast</b>: see https://orbit.example/blog?a=1&b="2", {code}, {__proto__}.

Second
paragraph.

 	

{link}`,
	};
	const news = renderLetter("news", { message, leaveUrl });

	it("is the founder's text, escaped, with links that work, and with leaving in it", () => {
		expect(news.subject).toBe("Orbit & you");
		expect(news.html).toContain("It moves &lt;b&gt;fast&lt;/b&gt;: see ");
		expect(news.html).toContain(`href="https://orbit.example/blog?a=1&amp;b="`);
		expect(news.html).not.toMatch(remote);
		expect(news.text).toContain("Second\nparagraph.\n\n{link}\n");
		for (const part of [news.text, news.html]) {
			expect(part).toContain(leaveUrl);
			// Nobody is invited: braces are text.
			expect(part).toMatch(/\{code\},\s\{__proto__\}\./);
		}
	});
});

it("the line breaks of a message stay, in both parts", () => {
	const message = "- first,  \n  - second\n- third";
	const { text, html } = renderLetter("news", { message: { subject: "Three", message }, leaveUrl });
	expect(text).toContain("\n\n- first,\n- second\n- third\n\n");
	expect(html).toContain(">- first,<br>\n- second<br>\n- third</p>");
});

async function rendered(change: Partial<typeof brand>) {
	vi.resetModules();
	vi.doMock("#brand", () => ({ ...ours, brand: { ...brand, ...change } }));
	const fresh = await import("../../../../src/server/mail/templates/render-letter.ts");
	vi.doUnmock("#brand");
	return fresh.renderLetter("confirm", links);
}

describe("a letter of another brand", () => {
	it("has no markup from the brand's name", async () => {
		const { html, text } = await rendered({ product: `<img src=x onerror="alert(1)">& Co` });
		expect(html).not.toMatch(remote);
		expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp; Co");
		expect(text).toContain("& Co");
	});

	it("names the postal address between company and register, in both parts", async () => {
		const [postalAddress, register] = ["1 Orbit Way, Springfield, CA 90000, USA", "HRB 1, Hamburg"];
		const { html, text } = await rendered({ postalAddress, imprint: [register] });
		const foot = [brand.company, postalAddress, register, brand.email];
		expect(text).toContain(`\n${foot.join("\n")}\n`);
		expect(html).toContain(foot.map((line) => `${escapeHtml(line)}<br>`).join(""));
		// None leaves no empty line.
		expect((await rendered({ postalAddress: "", imprint: [] })).text).toContain(
			`\n${brand.company}\n${brand.email}\n`,
		);
	});
});

it("the version changes with any word, also of the founder and in the foot, and is the same for everybody", async () => {
	expect(letter.version).toMatch(/^[\da-f]{12}$/);
	const others = [await rendered({ product: "Comet" }), await rendered({ company: "Comet" })];
	const different = [letter, ...others, invitation, written("Hello."), written("Hi.")];
	expect(new Set(different.map(({ version }) => version)).size).toBe(6);
	const other = { ...links, confirmUrl: "https://orbit.example/confirm/x" };
	expect(renderLetter("confirm", other).version).toBe(letter.version);
	const later = { ...invited, code: "X", expiresAt: "2027-01-01T00:00:00.000Z" };
	expect(renderLetter("invitation", later).version).toBe(invitation.version);
});
