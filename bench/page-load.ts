/**
 * `npm run bench:page-load`: measures First Contentful Paint on a simulated phone, with 4x CPU
 * throttling and software GL. With `-- --against COMMIT`, exits with 1 if a page is slower than that
 * commit's.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { launchChromium } from "./harness/browsers/chromium.ts";
import { openTab } from "./harness/browsers/tab.ts";
import { serveBuiltSite } from "./harness/built-site.ts";
import { formatStolenCpu, watchStolenCpu } from "./stolen-cpu.ts";
import { median } from "./time-verdict.ts";
import { checkOutCommit } from "./worktree.ts";

const PAGES = ["/", "/confirmation", "/privacy", "/terms", "/nowhere"];
const PHONE = { width: 412, height: 823, deviceScaleFactor: 1.75, mobile: true };
const ONE_LINE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>One line</title><p>One line.</p></html>`;

const PAINTED = `location.protocol === "about:" ? null :
	performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null`;

const { values: options } = parseArgs({
	options: {
		page: { type: "string", multiple: true, default: PAGES },
		runs: { type: "string", default: "9" },
		against: { type: "string" },
	},
});
const runs = Number(options.runs);

const plain = createServer((_, response) => {
	response.setHeader("content-type", "text/html; charset=utf-8").end(ONE_LINE);
}).listen(0, "127.0.0.1");
await once(plain, "listening");
const site = await serveBuiltSite(process.cwd());
const base = options.against ? await checkOutCommit(process.cwd(), options.against) : undefined;
const baseSite = base && (await serveBuiltSite(base.folder));
try {
	const measure = (url: string) => ({ url, ms: [] as number[] });
	const oneLine = measure(`http://127.0.0.1:${(plain.address() as AddressInfo).port}`);
	const pages = options.page.map((path) => ({
		path,
		now: measure(site.url + path),
		before: baseSite && measure(baseSite.url + path),
	}));
	const turns = [oneLine, ...pages.flatMap(({ now, before }) => (before ? [now, before] : [now]))];
	const readStolen = watchStolenCpu();
	for (let run = 0; run < runs; run++) {
		console.error(`Run ${run + 1} of ${runs} …`);
		for (const { url, ms } of run % 2 === 0 ? turns : turns.toReversed()) {
			ms.push(await firstPaint(url));
		}
	}
	console.log(`Medians of ${runs} runs, ${formatStolenCpu(readStolen())}`);
	console.log(`one line       ${spread(oneLine.ms, 0)} ms`);
	for (const { path, now, before } of pages) {
		const cells = [`${path.padEnd(15)}${spread(now.ms, 0)} ms`];
		cells.push(`${spread(ratios(now.ms, oneLine.ms), 2)} of one line's`);
		if (before) {
			const ofBase = ratios(now.ms, before.ms);
			cells.push(`${spread(ofBase, 2)} of ${options.against}'s: ${judge(ofBase)}`);
			if (judge(ofBase) === "slower") process.exitCode = 1;
		}
		console.log(cells.join("; "));
	}
} finally {
	await baseSite?.stop();
	await base?.remove();
	await site.stop();
	plain.close();
}

/** First Contentful Paint, in ms since the navigation, in a new browser. */
async function firstPaint(url: string): Promise<number> {
	const browser = await launchChromium({ graphics: "software" });
	try {
		const tab = await openTab(browser, "about:blank");
		await tab.send("Emulation.setDeviceMetricsOverride", PHONE);
		await tab.send("Emulation.setCPUThrottlingRate", { rate: 4 });
		await sleep(300);
		await tab.send("Page.navigate", { url });
		for (;;) {
			await sleep(200);
			// `evaluate` fails while the page navigates.
			const ms = await tab.evaluate<number | null>(PAINTED).catch(() => null);
			if (ms !== null) return ms;
		}
	} finally {
		await browser.close();
	}
}

function ratios(ms: readonly number[], others: readonly number[]): number[] {
	return ms.map((value, run) => value / others[run]!);
}

/** Ignores one outlier. With 9 runs, one comparison of equal pages in 26 gets a wrong verdict. */
function judge(ratios: readonly number[]): "slower" | "faster" | "cannot tell" {
	const sorted = ratios.toSorted((a, b) => a - b);
	if (sorted[1]! > 1) return "slower";
	return sorted.at(-2)! < 1 ? "faster" : "cannot tell";
}

function spread(values: readonly number[], digits: number): string {
	const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
	return `${middle.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}
