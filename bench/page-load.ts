/**
 * `npm run bench:page-load`: how the built site loads on a phone. Prints Lighthouse's mobile report
 * of every page, the medians of five runs with their spread, and the same for the pages whose engine
 * is kept from loading, which tells what the engine costs; then the longest tasks of the page's
 * thread at 4x CPU throttle, in CPU time.
 *
 * The processor does the GPU's work, as on a machine without one. Times are for reading, not for
 * gates: they hang on what else the machine does, so its load is printed, too.
 *
 *     --runs 5      runs of each page
 *     --page /      this page only; may be given again
 *     --json        the same as one JSON object
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import lighthouse from "lighthouse";
import { chromiumProgram, graphicsSwitches, launchChromium } from "../tests/browsers/chromium.ts";
import { findProgram } from "../tests/browsers/find.ts";
import { start } from "../tests/browsers/program.ts";
import { serveBuiltSite } from "./built-site.ts";
import { median } from "./verdict.ts";

const PAGES = ["/", "/confirmation", "/privacy", "/terms", "/nowhere"];
/** Those with an engine to leave out. */
const PLAYING = ["/", "/confirmation"];
/** What is so on purpose: not listed by search engines, and a 404, which browsers log as an error. */
const SKIPPED: Readonly<Record<string, string[]>> = {
	"/confirmation": ["is-crawlable"],
	"/nowhere": ["is-crawlable", "http-status-code", "errors-in-console"],
};

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const TIMES = {
	FCP: "first-contentful-paint",
	LCP: "largest-contentful-paint",
	TBT: "total-blocking-time",
	CLS: "cumulative-layout-shift",
	SI: "speed-index",
} as const;

const { values: options } = parseArgs({
	options: {
		runs: { type: "string", default: "5" },
		page: { type: "string", multiple: true, default: PAGES },
		json: { type: "boolean", default: false },
	},
});

interface Arm {
	path: string;
	engine: boolean;
	/** One report for each run. */
	reports: Report[];
}

interface Report {
	/** 0 to 100, by category. */
	scores: Record<string, number>;
	/** ms, and for CLS a plain number. */
	times: Record<string, number>;
	/** Audits outside of performance that found something to mend. */
	faults: string[];
}

/** One visit of a browser that has never been anywhere. */
async function visit(url: string, { path, engine }: Arm): Promise<Report> {
	const profile = await mkdtemp(join(tmpdir(), "orbit-lighthouse-"));
	const browser = start(await findProgram(chromiumProgram), [
		"--headless",
		"--no-sandbox",
		"--no-first-run",
		"--disable-quic",
		"--disable-background-networking",
		"--remote-debugging-port=0",
		`--user-data-dir=${profile}`,
		...graphicsSwitches.processor,
		"about:blank",
	]);
	try {
		const [, port] = await browser.waitFor(/DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/);
		const result = await lighthouse(url + path, {
			port: Number(port),
			logLevel: "error",
			onlyCategories: engine ? [...CATEGORIES] : ["performance"],
			disableFullPageScreenshot: true,
			// The not-found page answers 404, as it should.
			ignoreStatusCode: true,
			skipAudits: SKIPPED[path] ?? null,
			...(engine ? {} : { blockedUrlPatterns: ["*/assets/engine-*"] }),
		});
		if (!result || result.lhr.runtimeError)
			throw new Error(`Lighthouse has no report of ${path}: ${result?.lhr.runtimeError?.message}`);
		const { audits, categories } = result.lhr;
		return {
			scores: Object.fromEntries(
				Object.entries(categories).map(([name, { score }]) => [name, (score ?? 0) * 100]),
			),
			times: Object.fromEntries(
				Object.entries(TIMES).map(([name, id]) => [name, audits[id]?.numericValue ?? Number.NaN]),
			),
			faults: Object.entries(categories)
				.filter(([name]) => name !== "performance")
				.flatMap(([, { auditRefs }]) => auditRefs)
				.map(({ id }) => id)
				.filter((id) => (audits[id]?.score ?? 1) < 1),
		};
	} finally {
		await browser.end();
		await rm(profile, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** ms of CPU of each task of the page's thread from its start until the engine plays, 4x throttled. */
async function tasks(url: string, path: string): Promise<number[]> {
	const browser = await launchChromium({ graphics: "processor" });
	try {
		const page = await browser.newPage({ viewport: { width: 412, height: 823 } });
		const session = await page.context().newCDPSession(page);
		await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
		await browser.startTracing(page, {
			categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"],
		});
		await page.goto(url + path);
		if ((await page.locator("script").count()) > 0)
			await page.locator(".stage[data-way]").waitFor({ state: "attached", timeout: 120_000 });
		const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
			traceEvents: TraceEvent[];
		};
		// The page's thread is the one that was given the page's markup to read.
		const parsed = traceEvents.find(
			({ name, args }) => name === "ParseHTML" && args?.beginData?.url?.startsWith(url),
		);
		const ofPage = traceEvents.filter(({ pid, tid }) => pid === parsed?.pid && tid === parsed.tid);
		// Playwright puts scripts of its own into every page.
		const foreign = ofPage.filter(
			({ name, args }) => name === "EvaluateScript" && !args?.data?.url?.startsWith(url),
		);
		return ofPage
			.filter(({ name }) => /RunTask$/.test(name))
			.filter((task) => !foreign.some(({ ts }) => ts >= task.ts && ts < task.ts + (task.dur ?? 0)))
			.map(({ tdur = 0 }) => tdur / 1000);
	} finally {
		await browser.close();
	}
}

interface TraceEvent {
	name: string;
	pid: number;
	tid: number;
	/** µs: when it began, and how long it took. */
	ts: number;
	dur?: number;
	/** µs of the thread's own time. */
	tdur?: number;
	args?: { beginData?: { url?: string }; data?: { url?: string } };
}

function spread(values: number[], digits = 0): string {
	const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
	const text = (value: number) => value.toFixed(digits);
	return least === most ? text(middle) : `${text(middle)} (${text(least)}-${text(most)})`;
}

function row({ path, engine, reports }: Arm): string {
	const scores = CATEGORIES.map((name) =>
		engine || name === "performance" ? spread(reports.map((report) => report.scores[name]!)) : "",
	);
	const times = Object.keys(TIMES).map((name) =>
		spread(
			reports.map((report) => report.times[name]!),
			name === "CLS" ? 4 : 0,
		),
	);
	return cells([engine ? path : `${path} without engine`, ...scores, ...times]);
}

function cells(texts: string[]): string {
	return texts
		.map((text, index) => text.padEnd(index === 0 ? 29 : 16))
		.join("")
		.trimEnd();
}

const { url, stop } = await serveBuiltSite(process.cwd());
try {
	const arms = options.page.flatMap((path): Arm[] =>
		(PLAYING.includes(path) ? [true, false] : [true]).map((engine) => ({
			path,
			engine,
			reports: [],
		})),
	);
	const loads = [loadavg()[0]!];
	for (let run = 0; run < Number(options.runs); run++) {
		// In turns, and back again: a machine that slows down slows all of them down.
		for (const arm of run % 2 === 0 ? arms : arms.toReversed()) {
			arm.reports.push(await visit(url, arm));
			loads.push(loadavg()[0]!);
		}
	}
	const longest = new Map<string, number[]>();
	for (const path of options.page) longest.set(path, await tasks(url, path));

	if (options.json) {
		const cpu = [...longest].map(([path, ms]) => ({ path, longestMs: Math.max(...ms) }));
		console.log(JSON.stringify({ cores: cpus().length, loads, arms, cpu }, undefined, "\t"));
	} else {
		console.log(
			`Lighthouse's phone (simulated throttling), medians of ${options.runs} runs (least-most), ms; ` +
				`${cpus().length} cores, load ${spread(loads, 1)}\n`,
		);
		console.log(
			cells([
				"page",
				"performance",
				"accessibility",
				"best practices",
				"SEO",
				...Object.keys(TIMES),
			]),
		);
		for (const arm of arms) console.log(row(arm));
		for (const { path, reports } of arms) {
			const faults = new Set(reports.flatMap((report) => report.faults));
			if (faults.size > 0) console.log(`\n${path} is to be mended: ${[...faults].join(", ")}`);
		}
		console.log("\nCPU time of the page's tasks until the engine plays, at 4x throttle");
		for (const [path, ms] of longest) {
			const worst = ms.toSorted((a, b) => b - a).slice(0, 3);
			console.log(
				`${path}: longest ${worst.map((value) => value.toFixed(0)).join(", ")} ms; ` +
					`${ms.filter((value) => value > 50).length} of ${ms.length} above 50 ms`,
			);
		}
	}
} finally {
	await stop();
}
