import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEmailLinks } from "../../../../src/server/mail/links/links.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const mail = { origin: "https://orbit.example" };
const links = createEmailLinks(SECRET, mail);
const id = "00112233445566778899aabbccddeeff";
const NOBODY = "0".repeat(32);
const now = Date.parse("2026-11-22T12:00:00.000Z");

const tokenOf = (url: string) => url.split("/").at(-1)!;
const confirmToken = tokenOf(links.confirmUrl(id, now));
const leaveToken = tokenOf(links.unsubscribeUrl(id));

/** Returns one copy of the text per character, with that character changed. */
function alterations(text: string): string[] {
	return [...text].map(
		(old, at) => text.slice(0, at) + (old === "0" ? "1" : "0") + text.slice(at + 1),
	);
}

describe("links", () => {
	it("lead to the site, and identify the person only by id", () => {
		expect(links.confirmUrl(id, now)).toMatch(/^https:\/\/orbit\.example\/confirm\/[\da-f]{72}$/);
		expect(links.unsubscribeUrl(id)).toMatch(
			/^https:\/\/orbit\.example\/unsubscribe\/[\da-f]{64}$/,
		);
		expect(leaveToken.slice(0, 32)).toBe(id);
	});

	it("are invalid after a change of any character", () => {
		for (const token of alterations(confirmToken)) {
			expect(links.readConfirm(token, now).genuine).toBe(false);
		}
		for (const token of alterations(leaveToken)) {
			expect(links.readUnsubscribe(token).genuine).toBe(false);
		}
	});

	it("with another purpose, secret or format are invalid", () => {
		const other = createEmailLinks(`${SECRET}0`, mail);
		expect(other.readUnsubscribe(leaveToken)).toEqual({ id, genuine: false, expired: false });
		expect(other.readConfirm(confirmToken, now).genuine).toBe(false);
		expect(links.readUnsubscribe(confirmToken)).toMatchObject({ id: NOBODY, genuine: false });
		expect(links.readConfirm(leaveToken, now)).toMatchObject({ id: NOBODY, genuine: false });
	});

	it("are invalid for any other text (seed 20)", () => {
		const texts = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.base64String());
		fc.assert(
			fc.property(texts, (text) => {
				expect(links.readUnsubscribe(text).genuine).toBe(false);
				expect(links.readConfirm(text, now).genuine).toBe(false);
				expect(links.readUnsubscribe(text).id).toMatch(/^[\da-f]{32}$/);
			}),
			{ seed: 20, numRuns: 500 },
		);
	});
});
