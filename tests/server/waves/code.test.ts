import { describe, expect, it } from "vitest";
import { CODE_CHARACTERS, parseCode } from "#shared/invitation.ts";
import { createInvitationCoder } from "../../../src/server/waves/code.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const ada = { wave: "beta-1", key: "ada@example.com" };
const coder = createInvitationCoder(SECRET);
const code = coder.codeOf(ada);

describe("a code", () => {
	it("is 80 bits of Crockford's base 32, stable per email and unique per person", () => {
		expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
		expect(CODE_CHARACTERS).toHaveLength(32);
		expect(createInvitationCoder(SECRET).codeOf({ ...ada })).toBe(code);
		const others = [
			createInvitationCoder(`${SECRET}0`).codeOf(ada),
			coder.codeOf({ ...ada, wave: "beta-2" }),
			coder.codeOf({ ...ada, key: "bob@example.com" }),
			// Moving a character from the wave to the address must change the code.
			coder.codeOf({ wave: "beta-", key: "1ada@example.com" }),
		];
		expect(new Set([code, ...others]).size).toBe(5);
	});

	it("is accepted as people type it, but not with missing, extra or foreign characters", () => {
		const zeros = "0110-1111-AAAA-0000";
		for (const typed of [
			...["0110-1111-AAAA-0000", "oilo-iLlI-aaaa-OoO0", "O11O IlLi aAaA OOOO"],
			...[" 01101111aaaa0000\n", "0110–1111—AAAA‑0000"],
		]) {
			expect(parseCode(typed), typed).toBe(zeros);
		}
		const signs = code.replaceAll("-", "");
		for (const typed of [code, code.toLowerCase(), signs, ` ${code} `]) {
			expect(parseCode(typed)).toBe(code);
			expect(coder.isCodeOf(typed, ada), typed).toBe(true);
		}
		for (const typed of [
			...["", signs.slice(1), `${signs}0`, `U${signs.slice(1)}`, `\u0131${signs.slice(1)}`],
			...[`\u212A${signs.slice(1)}`, `${code}!`, "0".repeat(100_000)],
		]) {
			expect(parseCode(typed), typed.slice(0, 30)).toBeUndefined();
			expect(coder.isCodeOf(typed, ada)).toBe(false);
		}
	});
});
