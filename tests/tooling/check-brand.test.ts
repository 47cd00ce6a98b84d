import { execFile, spawn } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { buildProduct, findFreePort } from "../../bench/harness/built-site.ts";
import { service } from "../../src/service.ts";
import { type Brand, listBrandFaults, ourBrand } from "../../src/tooling/check-brand.ts";
import { openFace } from "../../src/tooling/fonts/subset-fonts.ts";
import { copyAdoptedTree } from "../adopted-tree.ts";
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
	await copyAdoptedTree(tree);
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

test("the build lists remains of another product, one line each", { tags: "slow" }, async () => {
	const tree = await temporaryFolder();
	await copyAdoptedTree(tree);
	await cp("src/service.ts", join(tree, "src/service.ts"));
	const file = join(tree, "src/brand.ts");
	const text = await readFile(file, "utf8");
	await writeFile(file, text.replace(another.brand.email, "hello@orbit.example"));
	const { NODE_ENV: _, ...env } = process.env;
	const vite = ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"];
	const { stdout, stderr } = await promisify(execFile)(process.execPath, vite, { cwd: tree, env });
	expect(stdout + stderr).toContain(`src/brand.ts: brand.email is still "hello@orbit.example"
src/site/mark.svg is still Orbit's logo
sharing pictures and icons are out of date: run npm run photograph
`);
	const policy = await readFile(join(tree, "dist/site/privacy.html"), "utf8");
	expect(policy).toContain("This Privacy Policy explains");
	expect(policy).not.toContain("Email Service");
});

const facts = (changes: Partial<Brand["brand"]>): Changes => ({ brand: changes });
const inWords = (words: Partial<Brand["words"]>): Changes => ({ words });
const turning = (...words: string[]) => inWords({ headline: { ...headline, turning: words } });
const byDay = (inks: Partial<typeof morning>): Changes => ({
	inks: { morning: { ...morning, ...inks } },
});
const silk = (...colors: string[]): Changes => ({
	sphere: { silk: [...colors, ...ourBrand.sphere.silk.slice(1)] },
});
const lights = ["#ffb0ff", ourBrand.sky.night.lights[1]!];

test("the colors suggested by an error are valid", () => {
	const better = faultsOf(withChanges(silk("#802060"))).flatMap(
		(fault) => /Use (#\w{6}) instead of #802060/.exec(fault)?.[1] ?? [],
	);
	expect(better.length).toBeGreaterThan(1);
	expect(faultsOf(withChanges(silk(better.sort().at(-1)!)))).toEqual([]);

	const [pale = ""] = faultsOf(withChanges(byDay({ fieldHint: "#999999" })));
	const [, fieldHint = ""] = /use (#\w{6})\.$/.exec(pale) ?? [];
	expect(faultsOf(withChanges(byDay({ fieldHint })))).toEqual([]);
});

test.each<[sentence: RegExp, changes: Changes]>([
	[/^brand\.product must not be empty\.$/, facts({ product: "" })],
	[/^brand\.company is "A\\nB": it must be one line/, facts({ company: "A\nB" })],
	[/^brand\.product is "i{19}", with 19 char.* at most 18/, facts({ product: "i".repeat(19) })],
	[/^brand\.email is "hello": it must be an ASCII email address/, facts({ email: "hello" })],
	[/^brand\.origin is "http:.*an https origin/, facts({ origin: "http://a.example" })],
	[/^brand\.origin is .*without a path/, facts({ origin: "https://a.example/" })],
	[/^brand\.signUp is .* https URL without a fragment/, facts({ signUp: "https://a.example/#/a" })],
	[/^brand\.legalEffectiveDate is .* be a day/, facts({ legalEffectiveDate: "2026-02-30" })],
	[/^brand\.language is "English!": .*BCP 47/, facts({ language: "English!" })],
	[/^brand\.language is "ar", written from right to left/, facts({ language: "ar" })],
	[/^words\.title is "Hello": it must name/, inWords({ title: "Hello" })],
	[/^words\.title is .* show at most 60\.$/, inWords({ title: "m".repeat(61) })],
	[/^words\.form\.note has 61 .* at most 60/, inWords({ form: { ...form, note: "m".repeat(61) } })],
	[/^words\.description has 6 characters: it needs 110 to 155/, inWords({ description: "Short." })],
	[/^words\.headline\.turning needs at least 2 words to rotate, and has 1/, turning("one")],
	[/^words\.headline\.turning has "one" twice/, turning("one", "two", "one")],
	[/^words\.headline\.lines needs at least/, inWords({ headline: { ...headline, lines: [] } })],
	[/^emoji has \d+ entries: it needs \d+/, { emoji: ourBrand.emoji.slice(1) }],
	[/^emoji has "a": each must be one emoji\.$/, { emoji: ["a", ...ourBrand.emoji.slice(1)] }],
	[
		/^words\.headline\.turning has "in.*", which is \d{3} px wide on a phone of 360 px: at most 320/,
		turning("short", "incomprehensibilities"),
	],
	[
		/^words\.notFound\.title has "D\w+", which is/,
		inWords({ notFound: { ...notFound, title: "Donaudampfschifffahrt" } }),
	],
	[
		/^words\.confirmation\.position has "1,.*", which is/,
		inWords({ confirmation: { ...confirmation, position: "1,234,567,890" } }),
	],
	[
		/^words\.form\.button has ".+", which is \d+ px wide .* at most 140 px/,
		inWords({ form: { ...form, button: "Put my address on the waitlist" } }),
	],
	[
		/^brand\.company has ".+", which is \d+ px wide in the footer: at most 405 px\.$/,
		facts({ company: "The Extraordinarily Quick Correspondence Company of Hamburg, Inc." }),
	],
	[
		/^fonts\.display\.files has ".+\.woff2", which has no "С", "т", "р", "а", "н", "и", "ц": add /,
		inWords({ notFound: { ...notFound, title: "Страница" } }),
	],
	[/^sphere\.shade is "plum": it must be a color as #rrggbb/, { sphere: { shade: "plum" } }],
	[/^sphere\.silk has 5 colors: it must have 6\.$/, silk()],
	[
		/^inks\.morning\.word is #ff66cc on #\w{6} of inks\.morning\.card, a contrast of \d[.\d]*:1 instead of at least 4\.5:1: use #\w{6}\./,
		byDay({ word: ["#ff66cc", "#2f1a9e"] }),
	],
	[
		/^inks\.night\.number is #553311 on .* at least 7:1: use #\w{6}\.$/,
		{ inks: { night: { ...night, number: Array(4).fill("#553311") } } },
	],
	[
		/^inks\.morning\.fieldHint is #999999 on #\w{6} of .* at least 4\.5:1: use #\w{6}\.$/,
		byDay({ fieldHint: "#999999" }),
	],
	[
		/^inks\.paper\.soft is #aaaaaa on .* at least 4\.5:1: /,
		{ inks: { paper: { ...paper, soft: "#aaaaaa" } } },
	],
	[
		/^inks\.morning\.ink is #\w{6} on #7a3a5c of inks\.morning\.selection, .* at least 7:1/,
		byDay({ selection: "#7a3a5c" }),
	],
	[
		/^inks\.darkPaper\.soft is #8d80a6 on .* at least 7:1: use #\w{6}\.$/,
		{ inks: { darkPaper: { ...darkPaper, soft: "#8d80a6" } } },
	],
	[
		/^inks\.more\.soft is #777777 on .* at least 7:1: use #\w{6}\.$/,
		{ inks: { more: { ...more, soft: "#777777" } } },
	],
	[
		/^inks\.morning\.word is #8f3a86 on the darkest blend of sky and sphere, .* at least 4\.5:1/,
		byDay({ word: ["#2f1a9e", "#8f3a86"] }),
	],
	[
		/^inks\.morning\.word .*: no text color has enough contrast there\. Use #\w{6} instead of #802060\.$/,
		silk("#802060"),
	],
	[
		/^inks\.night\.ink .*: no text color has enough contrast there\. Use #\w{6} instead of #ffb0ff\.$/,
		{ sky: { night: { ...ourBrand.sky.night, lights } } },
	],
])("reports %s", (sentence, changes) => {
	expect(faultsOf(withChanges(changes))).toContainEqual(expect.stringMatching(sentence));
});
