/**
 * `npm run bench:page-load`: how the built site loads on a phone. Prints Lighthouse's mobile report of
 * every page, as medians of five runs with their spread. Two controls are included: pages without their
 * engine show what the engine costs, and a page of one line shows what browser and machine cost. Then
 * come the longest tasks of each page's thread at 4x CPU throttle, in CPU time, and last the first
 * paints at 4x, of each page and of the page of one line in turns, with ratios to the latter.
 *
 * The CPU does the GPU's work, as on a machine without one. Times are informational and have no limits,
 * because they depend on the machine's other work and on its host: load and host share are printed as
 * well. Lighthouse is installed next to this file first.
 *
 *     --runs 5          runs of each page
 *     --page /          this page only; may be repeated
 *     --against COMMIT  builds that commit, and measures its first paints in the same turns
 *     --json            prints one JSON object instead
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
	chromiumProgram,
	graphicsSwitches,
	launchChromium,
	withoutUnused,
} from "../harness/browsers/chromium.ts";
import { findProgram } from "../harness/browsers/find.ts";
import { start } from "../harness/browsers/program.ts";
import { openTab } from "../harness/browsers/tab.ts";
import { serveBuiltSite } from "../harness/built-site.ts";
import { watchStolen } from "../host-took.ts";
import { installPackages } from "../install-packages.ts";
import { median } from "../verdict.ts";
import { checkOut } from "../worktree.ts";
import { firstPaints, sayFirstPaints } from "./first-paint.ts";

const PAGES = ["/", "/confirmation", "/privacy", "/terms", "/nowhere"];
const PLAYING = ["/", "/confirmation"];
/** Must fail: search engines do not list these pages, and a 404 is logged as an error. */
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

await installPackages("bench/page-load");
const { default: lighthouse } = await import("lighthouse");

const { values: options } = parseArgs({
	options: {
		runs: { type: "string", default: "5" },
		page: { type: "string", multiple: true, default: PAGES },
		against: { type: "string" },
		json: { type: "boolean", default: false },
	},
});

interface Arm {
	url: string;
	path: string;
	title: string;
	/** Whether it is the complete page. Of others only the speed is measured. */
	isWhole: boolean;
	/** `false` blocks it. */
	engine?: boolean;
	visits: Visit[];
}

interface Visit {
	/** 0 to 100, by category. */
	scores: Record<string, number>;
	/** In ms; CLS is a plain number. */
	times: Record<string, number>;
	/** Failed audits other than performance. */
	faults: string[];
	/** Share of CPU time stolen by the host, 0 to 1. */
	stolen: number;
}

/** The control: no page can block its thread less. */
const ONE_LINE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>One line</title><p>One line.</p></html>`;

async function serveOneLine() {
	const server = createServer((_, response) => {
		response.setHeader("content-type", "text/html; charset=utf-8").end(ONE_LINE);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return { url, stop: () => void server.close() };
}

/** One visit with a fresh browser profile. */
async function visit({ url, path, isWhole, engine = true }: Arm): Promise<Visit> {
	const profile = await mkdtemp(join(tmpdir(), "orbit-lighthouse-"));
	const stolen = watchStolen();
	const browser = start(await findProgram(chromiumProgram), [
		"--headless",
		"--no-sandbox",
		"--no-first-run",
		"--disable-quic",
		"--disable-background-networking",
		"--remote-debugging-port=0",
		withoutUnused,
		`--user-data-dir=${profile}`,
		...graphicsSwitches.processor,
		"about:blank",
	]);
	try {
		const [, port] = await browser.waitFor(/DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/);
		const result = await lighthouse(url + path, {
			port: Number(port),
			logLevel: "error",
			onlyCategories: isWhole ? [...CATEGORIES] : ["performance"],
			disableFullPageScreenshot: true,
			// The not-found page answers 404, as it should.
			ignoreStatusCode: true,
			skipAudits: SKIPPED[path] ?? null,
			...(engine ? {} : { blockedUrlPatterns: ["*/assets/engine-*"] }),
		});
		if (!result || result.lhr.runtimeError) {
			throw new Error(`Lighthouse has no report of ${path}: ${result?.lhr.runtimeError?.message}`);
		}
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
			stolen: stolen(),
		};
	} finally {
		await browser.end();
		await rm(profile, { recursive: true, force: true, maxRetries: 5 });
	}
}

/**
 * CPU ms of the page's tasks until the engine plays, at 4x throttle. Playwright stays detached:
 * with its inspector attached, V8 rereads the code around each new error, which alone takes 15 to
 * 50 ms while React starts (measured).
 */
async function tasks(url: string, path: string): Promise<number[]> {
	const browser = await launchChromium({ graphics: "processor" });
	try {
		const tab = await openTab(browser, "about:blank");
		const screen = { width: 412, height: 823, deviceScaleFactor: 1, mobile: true };
		await tab.send("Emulation.setDeviceMetricsOverride", screen);
		await tab.send("Emulation.setCPUThrottlingRate", { rate: 4 });
		await browser.startTracing(undefined, {
			categories: ["devtools.timeline", "disabled-by-default-devtools.timeline"],
		});
		await tab.send("Page.navigate", { url: url + path });
		const deadline = Date.now() + 120_000;
		while (!(await tab.evaluate<boolean>(COMPLETE).catch(() => false))) {
			if (Date.now() > deadline) throw new Error(`${path} did not finish within two minutes.`);
			await sleep(200);
		}
		const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
			traceEvents: TraceEvent[];
		};
		// The page's thread is the one that parses its markup.
		const parsed = traceEvents.find(
			({ name, args }) => name === "ParseHTML" && args?.beginData?.url?.startsWith(url),
		);
		return traceEvents
			.filter(({ pid, tid }) => pid === parsed?.pid && tid === parsed.tid)
			.filter(({ name }) => name === "RunTask")
			.map(({ tdur = 0 }) => tdur / 1000);
	} finally {
		await browser.close();
	}
}

/** Whether the page has loaded, and plays if it has an engine. */
const COMPLETE = `location.protocol !== "about:" && document.readyState === "complete" &&
	(document.scripts.length === 0 || document.querySelector(".stage[data-backend]") !== null)`;

interface TraceEvent {
	name: string;
	pid: number;
	tid: number;
	/** CPU time of the thread in µs. */
	tdur?: number;
	args?: { beginData?: { url?: string } };
}

function spread(values: number[], digits = 0): string {
	const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
	const text = (value: number) => value.toFixed(digits);
	return least === most ? text(middle) : `${text(middle)} (${text(least)}-${text(most)})`;
}

function row({ title, isWhole, visits }: Arm): string {
	const scores = CATEGORIES.map((name) =>
		isWhole || name === "performance" ? spread(visits.map((visit) => visit.scores[name]!)) : "",
	);
	const times = Object.keys(TIMES).map((name) =>
		spread(
			visits.map((visit) => visit.times[name]!),
			name === "CLS" ? 4 : 0,
		),
	);
	const host = spread(visits.map(({ stolen }) => stolen * 100));
	return cells([title, ...scores, ...times, host]);
}

function cells(texts: string[]): string {
	return texts
		.map((text, index) => text.padEnd(index === 0 ? 29 : 16))
		.join("")
		.trimEnd();
}

const { url, stop } = await serveBuiltSite(process.cwd());
const control = await serveOneLine();
const base = options.against ? await checkOut(process.cwd(), options.against) : undefined;
const baseSite = base ? await serveBuiltSite(base.folder) : undefined;
try {
	const arms = options.page.flatMap((path): Arm[] => {
		const whole: Arm = { url, path, title: path, isWhole: true, visits: [] };
		const title = `${path} without engine`;
		const bare: Arm = { ...whole, title, isWhole: false, engine: false, visits: [] };
		return PLAYING.includes(path) ? [whole, bare] : [whole];
	});
	arms.push({ url: control.url, path: "/", title: "one line", isWhole: false, visits: [] });
	const loads = [loadavg()[0]!];
	for (let run = 0; run < Number(options.runs); run++) {
		// In turns, and back again: a machine that slows down affects all of them.
		for (const arm of run % 2 === 0 ? arms : arms.toReversed()) {
			// Occasionally a recording lacks its beginning (NO_NAVSTART).
			arm.visits.push(await visit(arm).catch(() => visit(arm)));
			loads.push(loadavg()[0]!);
		}
	}
	const longest = new Map<string, number[]>();
	for (const path of options.page) longest.set(path, await tasks(url, path));
	longest.set("one line", await tasks(control.url, "/"));
	const sites = { here: url, ...(baseSite && { [options.against!]: baseSite.url }) };
	const paints = await firstPaints(control.url, sites, options.page, Number(options.runs));

	if (options.json) {
		const cpu = [...longest].map(([path, ms]) => ({ path, longestMs: Math.max(...ms) }));
		console.log(
			JSON.stringify({ cores: cpus().length, loads, arms, cpu, paints }, undefined, "\t"),
		);
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
				"host took, %",
			]),
		);
		for (const arm of arms) console.log(row(arm));
		for (const { title, visits } of arms) {
			const faults = new Set(visits.flatMap(({ faults }) => faults));
			if (faults.size > 0) console.log(`\n${title} fails audits: ${[...faults].join(", ")}`);
		}
		console.log("\nCPU time of the page's tasks until the engine plays, at 4x throttle");
		for (const [path, ms] of longest) {
			const worst = ms.toSorted((a, b) => b - a).slice(0, 3);
			console.log(
				`${path}: longest ${worst.map((value) => value.toFixed(0)).join(", ")} ms; ` +
					`${ms.filter((value) => value > 50).length} of ${ms.length} above 50 ms`,
			);
		}
		console.log(`\n${sayFirstPaints(paints)}`);
	}
} finally {
	control.stop();
	await baseSite?.stop();
	await base?.remove();
	await stop();
}
