/**
 * `npm run bench:sphere`: the same sphere through raw WebGL, through the engine's command on regl,
 * and through three.js, side by side in one Chromium with software GL. Subjects take turns, so that
 * noise hits all alike; what is printed are medians and ratios to raw WebGL.
 */
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";
import { compiledRegl } from "../src/tooling/compiled-regl.ts";
import { leanShaders } from "../src/tooling/lean-shaders.ts";
import { launchChromium } from "./harness/browsers/chromium.ts";
import type { run, Sample } from "./sphere/probe.ts";
import { median } from "./verdict.ts";

const SUBJECTS = ["raw", "ours", "three"] as const;
const ROUNDS = 15;
const FRAMES = 1000;

async function bundle(entry: string, name: string): Promise<string> {
	const [{ output }] = (await build({
		configFile: false,
		logLevel: "error",
		plugins: [compiledRegl(), leanShaders()],
		build: {
			write: false,
			target: "es2022",
			minify: true,
			lib: { entry, formats: ["iife"], name },
		},
	})) as unknown as [{ output: [{ code: string }] }];
	return output[0].code;
}

const code = new Map<string, string>();
for (const subject of SUBJECTS)
	code.set(subject, await bundle(`bench/sphere/${subject}.ts`, subject));
const probe = await bundle("bench/sphere/probe.ts", "probe");

const samples = new Map<string, Sample[]>(SUBJECTS.map((subject) => [subject, []]));
const browser = await launchChromium({ graphics: "software" });
try {
	for (let round = 0; round < ROUNDS; round++) {
		const order = round % 2 === 0 ? SUBJECTS : [...SUBJECTS].reverse();
		for (const subject of order) {
			// A fresh page each time: nothing is warm that a visitor's browser would not have warm.
			const page = await browser.newPage();
			await page.addScriptTag({ content: probe });
			const sample = await page.evaluate(
				([script, subject, frames]) =>
					(globalThis as never as { probe: { run: typeof run } }).probe.run(
						script,
						subject,
						frames,
					),
				[code.get(subject)!, subject, FRAMES] as const,
			);
			samples.get(subject)!.push(sample);
			await page.close();
		}
	}
} finally {
	await browser.close();
}

const of = (subject: string, read: (sample: Sample) => number) =>
	median(samples.get(subject)!.map(read));
const pictures = SUBJECTS.map((subject) => of(subject, (sample) => sample.pixels));
const spread = Math.max(...pictures) / Math.min(...pictures) - 1;
if (spread > 0.01) throw new Error(`The subjects did not draw the same: ${pictures.join(", ")}`);

console.log(`${ROUNDS} rounds of 40 batches of ${FRAMES} frames; software GL; medians\n`);
console.log("subject   brotli kB   first frame ms (ratio)   page thread µs/frame (ratio)");
for (const subject of SUBJECTS) {
	const bytes = brotliCompressSync(code.get(subject)!).length / 1024;
	const first = of(subject, (sample) => sample.firstFrameMs);
	const frame = of(subject, (sample) => sample.frameMs) * 1000;
	const ratio = (value: number, read: (sample: Sample) => number) =>
		(value / of("raw", read)).toFixed(2);
	console.log(
		[
			subject.padEnd(8),
			bytes.toFixed(1).padStart(11),
			`${first.toFixed(1)} (${ratio(first, (sample) => sample.firstFrameMs)})`.padStart(24),
			`${frame.toFixed(2)} (${ratio(frame / 1000, (sample) => sample.frameMs)})`.padStart(30),
		].join(" "),
	);
}
