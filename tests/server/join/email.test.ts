import { domainToASCII, domainToUnicode } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalEmail, checkEmail, EMAIL_INVALID, EMAIL_TOO_LONG } from "#shared/email.ts";
import { asciiDomain } from "../../../src/server/ascii-domain.ts";
import { readRows } from "../../read-rows.ts";
import { openApp } from "../open-app.ts";

/** Random tests print their seed when they fail; EMAIL_SEED replays one. */
const seed = Number(process.env.EMAIL_SEED ?? Date.now() % 2 ** 31);

async function openJoin() {
	const { post, file } = await openApp();
	const join = async (email: string) => {
		const response = await post(JSON.stringify({ email }));
		const { error } = (await response.json()) as { error?: string };
		return error === undefined ? { status: response.status } : { status: response.status, error };
	};
	return { join, file };
}

const local = fc
	.string({ unit: "grapheme", minLength: 1, maxLength: 15 })
	.filter(
		(text) => !/[\s@]/u.test(text) && text.toUpperCase().toLowerCase() === text.toLowerCase(),
	);
const host = fc
	.tuple(
		fc.stringMatching(/^[a-z0-9]{1,10}$/),
		fc.constantFrom("bücher", "日本", "ελλάδα", "münchen", "example"),
		fc.constantFrom("example", "com", "рф", "中国"),
	)
	.map((labels) => labels.join("."));
const address = fc
	.tuple(local, host)
	.map(([name, domain]) => ({ name, domain, text: `${name}@${domain}` }))
	.filter(({ text }) => "key" in canonicalEmail(text, asciiDomain));
const blank = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\u00a0"), maxLength: 3 });

it(`treats every spelling of an address as one person (seed ${seed})`, async () => {
	const { join, file } = await openJoin();
	await fc.assert(
		fc.asyncProperty(address, blank, async ({ name, domain, text }, space) => {
			const spellings = [
				text,
				text.toUpperCase(),
				text.normalize("NFD"),
				text.normalize("NFC"),
				`${name}@${domainToASCII(domain)}`,
				`${name}@${domainToUnicode(domainToASCII(domain))}`,
				`${text}.`,
				space + text + space,
			];
			const rows = readRows(file).length;
			const known = (await join(text)).status === 409;
			const responses = await Promise.all(spellings.map(join));
			expect(responses.map(({ status }) => status)).toEqual(spellings.map(() => 409));
			expect(readRows(file)).toHaveLength(rows + (known ? 0 : 1));
		}),
		{ seed, numRuns: 60 },
	);
});

/** The reasons that only the server has, written out a second time. */
function reasonToRefuse(email: string): string | undefined {
	const [name = "", domain = ""] = email.split("@", 2);
	const ascii = domainToASCII(domain.normalize("NFC")).replace(/\.$/, "");
	const local = name.normalize("NFC").toLowerCase().normalize("NFC");
	const key = `${local}@${ascii}`;
	const invisible =
		/[\s\p{Cc}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFF9\uFFFA\uFFFB\uFFFC\uFFFD]/u.test(
			email,
		) || ["\u2800", "\u{13441}", "\u{13442}", "\u{1D159}"].some((blank) => email.includes(blank));
	const hasLooseMark = email.split(/[.@]/).some((part) => /^\p{M}/u.test(part));
	const secondAt = email.split("@").length > 2;
	const labels = ascii.split(".");
	const noDomain =
		labels.length < 2 ||
		labels.some((label) => /^-|-$|[^a-z0-9-]/.test(label) || label === "" || label.length > 63) ||
		/^\d+$/.test(labels.at(-1)!);
	if (invisible || hasLooseMark || secondAt) return EMAIL_INVALID;
	if (email.length > 4 * 254) return EMAIL_TOO_LONG;
	if (Array.from('()<>[]:;,\\"').some((sign) => local.includes(sign))) return EMAIL_INVALID;
	if (/[#%/:?@[\\\]]/.test(domain)) return EMAIL_INVALID;
	if (key.length > 254 || Buffer.byteLength(local) > 64) return EMAIL_TOO_LONG;
	return noDomain ? EMAIL_INVALID : undefined;
}

it(`refuses an address that the page accepts only for the listed reasons, in the page's words (seed ${seed})`, async () => {
	const { join } = await openJoin();
	const piece = fc.oneof(
		fc.string({ unit: "grapheme", maxLength: 8 }),
		fc.constantFrom(
			"@",
			".",
			"..",
			"x".repeat(70),
			"\u200b",
			"\u2800",
			"\ue000",
			"\ufffe",
			"\u0378",
			"\u{1d159}",
			"\u0301",
			"ς",
			"\0",
			",",
			";",
			"-",
			"_",
			"1.1",
			"xn--",
			"%",
			"İ",
			"ﬁ",
			"y".repeat(300),
		),
	);
	const text = fc.tuple(piece, piece, piece, piece).map(([a, b, c, d]) => `${a}@${b}.${c}${d}`);
	await fc.assert(
		fc.asyncProperty(text, async (typed) => {
			const page = checkEmail(typed);
			const { status, error } = await join(typed);
			if ("error" in page) {
				// An address that is far too long is refused before it is parsed, as too long.
				expect(status).toBe(400);
				expect([page.error, EMAIL_TOO_LONG]).toContain(error);
				return;
			}
			const reason = reasonToRefuse(page.email);
			if (reason === undefined) expect([201, 409]).toContain(status);
			else expect({ status, error }).toEqual({ status: 400, error: reason });
		}),
		{ seed, numRuns: 400 },
	);
});
