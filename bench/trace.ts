/** `--trace`: each frame's activity in a fixed schedule, with times, in Node and in Chromium. */
import type { Browser } from "playwright-core";
import type { Plugin } from "vite";
import { bundleProbe, ROOT } from "./probe/bundle-probe.ts";
import type { Span } from "./probe/probe.ts";
import { runInNode, writeProbe } from "./probe/run-probe.ts";

const TRACED = "both 42";

export async function traceFrames(browser: Browser): Promise<string> {
	const code = await bundleProbe(ROOT, [spanEdits()]);
	const probe = await writeProbe({ bundle: code });
	const context = await browser.newContext();
	try {
		const node = (await runInNode(probe, `return bundle.traceFrames("${TRACED}")`)) as Span[];
		const page = await context.newPage();
		// A cross-origin isolated page has a timer of 5 µs instead of 100.
		await page.route("https://bench.example/", (route) =>
			route.fulfill({
				contentType: "text/html",
				headers: {
					"cross-origin-opener-policy": "same-origin",
					"cross-origin-embedder-policy": "require-corp",
				},
				body: "<!doctype html><title>bench</title>",
			}),
		);
		await page.goto("https://bench.example/");
		await page.addScriptTag({ content: code });
		const chromium = await page.evaluate<Span[]>(`bundle.traceFrames("${TRACED}")`);
		return writeTrace({ "Node, stub of WebGL": node, "Chromium, software GL": chromium });
	} finally {
		await context.close();
		probe.remove();
	}
}

/** The file and the exported function that a span covers, and the span's name. */
const SPANS = [
	["engine/simulation/clock.ts", "advance", "clock"],
	["engine/simulation/simulation.ts", "step", "step"],
	["engine/render/gl/quads.ts", "writeBirths", "upload"],
] as const;

/**
 * Makes some of the engine's functions record their start and end. Changes the bench's bundle only:
 * the engine has no code for it.
 */
export function spanEdits(): Plugin {
	return {
		name: "span-edits",
		enforce: "pre",
		transform(code, id) {
			const found = SPANS.find(([file]) => id.endsWith(file));
			if (!found) return;
			const [file, name, span] = found;
			const from = `export function ${name}(`;
			if (code.split(from).length !== 2) {
				throw new Error(`${file} has no "${from}" any more: bench/trace.ts must follow.`);
			}
			const watched = `export function ${name}(...values: never[]) {
				const from = performance.now();
				const answer = (${name}Itself as Function)(...values);
				(globalThis as any).spans?.push([${JSON.stringify(span)}, from, performance.now()]);
				return answer;
			}
			function ${name}Itself(`;
			return { code: code.replace(from, watched), map: null };
		},
	};
}

/**
 * Chrome trace (Trace Event Format, "X" events, µs), for Perfetto and DevTools. Times are whole
 * nanoseconds, so that a span ends no later than the one around it. Sorted by start, the longer
 * first.
 * @param machines spans by the name of their machine; each is a process of the trace
 */
export function writeTrace(machines: Readonly<Record<string, readonly Span[]>>): string {
	const traceEvents = Object.entries(machines).flatMap(([machine, spans], index) => {
		const [pid, tid] = [index + 1, 1];
		const first = Math.min(...spans.map(([, from]) => from));
		return [
			{ ph: "M", name: "process_name", pid, tid, args: { name: machine } },
			{ ph: "M", name: "thread_name", pid, tid, args: { name: "player" } },
			...spans
				.map(([name, from, to]) => ({ name, from: whole(from - first), to: whole(to - first) }))
				.sort((a, b) => a.from - b.from || b.to - a.to)
				.map(({ name, from, to }) => ({
					ph: "X",
					cat: "frame",
					name,
					pid,
					tid,
					ts: from / 1000,
					dur: (to - from) / 1000,
				})),
		];
	});
	return JSON.stringify({ displayTimeUnit: "ms", traceEvents });
}

const whole = (ms: number) => Math.round(ms * 1e6);
