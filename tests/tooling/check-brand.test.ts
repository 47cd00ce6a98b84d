import { execFile, spawn } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { buildProduct, findFreePort } from "../../bench/harness/built-site.ts";
import { EMOJI } from "../../engine/simulation/index.ts";
import { service } from "../../src/service.ts";
import { type Brand, listBrandFaults, ourBrand } from "../../src/tooling/check-brand.ts";
import { openFace } from "../../src/tooling/fonts/subset-fonts.ts";
import { adoptTree } from "../adopted-tree.ts";
import * as anotherBrand from "../another-brand.ts";
import { service as anotherService } from "../another-service.ts";
import { words as anotherWords } from "../another-words.ts";
import { temporaryFolder } from "../temporary.ts";

const another: Brand = { ...anotherBrand, words: anotherWords };

const fonts = { display: await openFace("display"), text: await openFace("text") };
const faultsOf = (brand: Brand) => listBrandFaults(brand, fonts);

type Changes = { [Part in keyof Brand]?: Brand[Part] | Partial<Brand[Part]> };

function withChanges(changes: Changes): Brand {
	const { brand, words, emoji = ourBrand.emoji, sky, sphere, inks } = changes;
	return {
		...ourBrand,
		brand: { ...ourBrand.brand, ...brand },
		words: { ...ourBrand.words, ...words },
		emoji: emoji as Brand["emoji"],
		sky: { ...ourBrand.sky, ...sky },
		sphere: { ...ourBrand.sphere, ...sphere },
		inks: { ...ourBrand.inks, ...inks },
	};
}

const { headline, form, confirmation, notFound } = ourBrand.words;
const { morning, night, paper, darkPaper, more } = ourBrand.inks;

test("our brand is valid", () => {
	expect(faultsOf(ourBrand)).toEqual([]);
});

test("another brand has the same shape", () => {
	expect(Object.keys(another).sort()).toEqual(Object.keys(ourBrand).sort());
	const otherService: typeof service = anotherService;
	expect(Object.keys(otherService)).toEqual(Object.keys(service ?? {}));
});

test("bad colors are a warning in dev and stop the build, with a sentence", {
	tags: "slow",
}, async () => {
	const tree = await temporaryFolder();
	await adoptTree(tree);
	const [port, { NODE_ENV: _, ...env }] = [await findFreePort(), process.env];
	const address = ["--host", "127.0.0.1", "--port", String(port)];
	const vite = spawn(process.execPath, ["node_modules/vite/bin/vite.js", ...address], {
		cwd: tree,
		env: { ...env, NO_COLOR: "1" },
		stdio: ["ignore", "pipe", "pipe"],
	});
	onTestFinished(() => void vite.kill("SIGKILL"));
	let output = "";
	for (const stream of [vite.stdout, vite.stderr]) stream.on("data", (text) => (output += text));
	const ready = async () => (await fetch(`http://127.0.0.1:${port}/`)).ok;
	await expect.poll(ready).toBe(true);
	expect(output).not.toContain("have errors");

	const file = join(tree, "src/brand.ts");
	const text = await readFile(file, "utf8");
	const [first] = another.sphere.silk;
	await writeFile(file, text.replace(`"${first}", `, "").replace(another.sphere.shade, "plum"));
	const sentences = `src/brand.ts and src/words/en.ts have errors:
sphere.silk has 5 colors: it must have 6.
sphere.shade is "plum": it must be a color as #rrggbb, such as #efe5fd.`;
	await expect.poll(() => output).toContain(sentences);
	await expect(buildProduct(tree)).rejects.toThrow(
		expect.objectContaining({ message: `error during build:\n${sentences}` }),
	);
});

test("the build lists remains of another product, one line each", {
	tags: "slow",
}, async () => {
	const tree = await temporaryFolder();
	await adoptTree(tree);
	await cp("src/service.ts", join(tree, "src/service.ts"));
	const file = join(tree, "src/brand.ts");
	const text = await readFile(file, "utf8");
	await writeFile(file, text.replace(another.brand.email, "hello@orbit.example"));
	const { NODE_ENV: _, ...env } = process.env;
	const vite = ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"];
	const { stdout, stderr } = await promisify(execFile)(process.execPath, vite, { cwd: tree, env });
	expect(stdout + stderr).toContain(`src/brand.ts: brand.email is still "hello@orbit.example"
src/site/mark.svg is still Orbit's logo
sharing pictures and icons are not of this brand: npm run photograph
`);
	const policy = await readFile(join(tree, "dist/site/privacy.html"), "utf8");
	expect(policy).toContain("This Privacy Policy explains");
	expect(policy).not.toContain("Email Service");
});

test("the colors suggested by an error are valid", () => {
	const dark = withChanges({ sphere: { silk: ["#802060", ...ourBrand.sphere.silk.slice(1)] } });
	const better = faultsOf(dark).flatMap(
		(fault) => /Take (#\w{6}) in place of #802060/.exec(fault)?.[1] ?? [],
	);
	expect(better.length).toBeGreaterThan(1);
	const lightest = better.sort().at(-1)!;
	const mended = withChanges({ sphere: { silk: [lightest, ...ourBrand.sphere.silk.slice(1)] } });
	expect(faultsOf(mended)).toEqual([]);

	const pale = withChanges({ inks: { morning: { ...morning, fieldHint: "#999999" } } });
	const [, hint = ""] = /as (#\w{6}) has\.$/.exec(faultsOf(pale)[0]!) ?? [];
	expect(faultsOf(withChanges({ inks: { morning: { ...morning, fieldHint: hint } } }))).toEqual([]);
});

describe("an invalid brand", () => {
	test.each<[what: string, changes: Changes, sentence: RegExp]>([
		[
			"without a name",
			{ brand: { product: "" } },
			/^brand\.product is empty: it must say something\.$/,
		],
		[
			"with a text of two lines",
			{ brand: { company: "A\nB" } },
			/^brand\.company is "A\\nB": it must be one line/,
		],
		[
			"with a name that truncates an email's subject",
			{ brand: { product: "i".repeat(19) }, words: { title: "i".repeat(19) } },
			/^brand\.product is "i{19}", of 19 characters: at most 18/,
		],
		[
			"with an invalid mailbox",
			{ brand: { email: "hello" } },
			/^brand\.email is "hello": it must be an address/,
		],
		[
			"with an origin without https",
			{ brand: { origin: "http://a.example" } },
			/^brand\.origin is "http:.*by https/,
		],
		[
			"with an origin that has a path",
			{ brand: { origin: "https://a.example/" } },
			/^brand\.origin is .*without a path/,
		],
		[
			"with a sign-up URL that has a fragment",
			{ brand: { signUp: "https://a.example/#/sign-up" } },
			/^brand\.signUp is ".*": it must be empty, or a web address by https without a fragment/,
		],
		[
			"with an impossible date",
			{ brand: { legalEffectiveDate: "2026-02-30" } },
			/^brand\.legalEffectiveDate is "2026-02-30": it must be a day/,
		],
		[
			"with an unknown language",
			{ brand: { language: "English!" } },
			/^brand\.language is "English!": .*BCP 47/,
		],
		[
			"with a right-to-left language",
			{ brand: { language: "ar" } },
			/^brand\.language is "ar", written from right to left/,
		],
		[
			"with a title that does not name it",
			{ words: { title: "Hello" } },
			/^words\.title is "Hello": it must name/,
		],
		[
			"with a truncated title",
			{ words: { title: `${ourBrand.brand.product} ${"m".repeat(60)}` } },
			/^words\.title is .* at most 60 are shown in full\.$/,
		],
		[
			"with a line under the form that runs into the footer",
			{ words: { form: { ...ourBrand.words.form, note: "m".repeat(61) } } },
			/^words\.form\.note has 61 characters: at most 60, which are two lines on a phone\.$/,
		],
		[
			"with a short description",
			{ words: { description: "Short." } },
			/^words\.description has 6 characters: 110 to 155/,
		],
		[
			"with one rotating word",
			{ words: { headline: { ...headline, turning: ["one"] } } },
			/^words\.headline\.turning has 1 words: at least 2/,
		],
		[
			"with a word twice",
			{ words: { headline: { ...headline, turning: ["one", "two", "one"] } } },
			/^words\.headline\.turning has "one" twice/,
		],
		[
			"without a headline",
			{ words: { headline: { ...headline, lines: [] } } },
			/^words\.headline\.lines has no line/,
		],
		[
			"with an emoji less",
			{ emoji: ourBrand.emoji.slice(1) },
			new RegExp(`^emoji has ${EMOJI.length - 1}: it must have ${EMOJI.length}`),
		],
		[
			"with a letter for an emoji",
			{ emoji: ["a", ...ourBrand.emoji.slice(1)] },
			/^emoji has "a": each must be one emoji\.$/,
		],
		[
			"with a word that is wider than a phone",
			{ words: { headline: { ...headline, turning: ["short", "incomprehensibilities"] } } },
			/^words\.headline\.turning has "incomprehensibilities", which is \d{3} px wide on a phone of 360 px: at most 320 px\.$/,
		],
		[
			"with a heading that breaks inside a word",
			{ words: { notFound: { ...notFound, title: "Donaudampfschifffahrt" } } },
			/^words\.notFound\.title has "Donaudampfschifffahrt", which is/,
		],
		[
			"with a number that breaks",
			{ words: { confirmation: { ...confirmation, position: "1,234,567,890" } } },
			/^words\.confirmation\.position has "1,234,567,890", which is/,
		],
		[
			"with a button that leaves no room for an address",
			{ words: { form: { ...form, button: "Put my address on the waitlist" } } },
			/^words\.form\.button has ".+", which is \d+ px wide .* at most 140 px/,
		],
		[
			"with a company name of two lines on the planet",
			{ brand: { company: "The Extraordinarily Quick Correspondence Company of Hamburg, Inc." } },
			/^brand\.company has ".+", which is \d+ px wide in the footer: at most 405 px\.$/,
		],
		[
			"with characters missing from its font",
			{ words: { notFound: { ...notFound, title: "Страница" } } },
			/^fonts\.display\.files has ".+\.woff2", which has no "С", "т", "р", "а", "н", "и", "ц": add the file of its package for that script, say it otherwise, or take another font\.$/,
		],
		[
			"with a named color",
			{ sphere: { shade: "plum" } },
			/^sphere\.shade is "plum": it must be a color as #rrggbb/,
		],
		[
			"with a sphere of four colors",
			{ sphere: { silk: ourBrand.sphere.silk.slice(1) } },
			/^sphere\.silk has 5 colors: it must have 6\.$/,
		],
		[
			"with words unreadable on their card",
			{ inks: { morning: { ...morning, word: ["#ff66cc", "#2f1a9e"] } } },
			/^inks\.morning\.word is #ff66cc on #\w{6} of inks\.morning\.card, a contrast of \d[.\d]*:1: at least 4\.5:1, as #\w{6} has\./,
		],
		[
			"with a number as dark as the night",
			{ inks: { night: { ...night, number: Array(4).fill("#553311") } } },
			/^inks\.night\.number is #553311 on .*: at least 7:1, as #\w{6} has\.$/,
		],
		[
			"with a pale hint in the field",
			{ inks: { morning: { ...morning, fieldHint: "#999999" } } },
			/^inks\.morning\.fieldHint is #999999 on #\w{6} of inks\.morning\.field, a contrast of \d[.\d]*:1: at least 4\.5:1, as #\w{6} has\.$/,
		],
		[
			"with a pale legal text",
			{ inks: { paper: { ...paper, soft: "#aaaaaa" } } },
			/^inks\.paper\.soft is #aaaaaa on .*: at least 4\.5:1, /,
		],
		[
			"with unreadable selected words",
			{ inks: { morning: { ...morning, selection: "#7a3a5c" } } },
			/^inks\.morning\.ink is #\w{6} on #7a3a5c of inks\.morning\.selection, a contrast of .*: at least 7:1, as #\w{6} has\.$/,
		],
		[
			"with a legal text that is pale in the dark",
			{ inks: { darkPaper: { ...darkPaper, soft: "#8d80a6" } } },
			/^inks\.darkPaper\.soft is #8d80a6 on .*: at least 7:1, as #\w{6} has\.$/,
		],
		[
			"with too little contrast for visitors who prefer more",
			{ inks: { more: { ...more, soft: "#777777" } } },
			/^inks\.more\.soft is #777777 on .*: at least 7:1, as #\w{6} has\.$/,
		],
		[
			"with a rotating word unreadable on the sphere",
			{ inks: { morning: { ...morning, word: ["#2f1a9e", "#8f3a86"] } } },
			/^inks\.morning\.word is #8f3a86 on the darkest blend of sky and sphere, a contrast of \d[.\d]*:1: at least 4\.5:1, as #\w{6} has\./,
		],
		[
			"with a sphere too dark for words, without a suggestion",
			{ sphere: { silk: ["#802060", ...ourBrand.sphere.silk.slice(1)] } },
			/^inks\.morning\.word .*, which no ink has there\. Take #\w{6} in place of #802060\.$/,
		],
		[
			"with a night too bright for words, without a suggestion",
			{
				sky: {
					night: { ...ourBrand.sky.night, lights: ["#ffb0ff", ourBrand.sky.night.lights[1]!] },
				},
			},
			/^inks\.night\.ink .*, which no ink has there\. Take #\w{6} in place of #ffb0ff\.$/,
		],
	])("%s", (_, changes, sentence) => {
		expect(faultsOf(withChanges(changes))).toContainEqual(expect.stringMatching(sentence));
	});
});
