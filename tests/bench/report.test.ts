import { expect, test } from "vitest";
import { bundleProbe, ROOT } from "../../bench/bundle-probe.ts";
import { launchChromium } from "../../bench/harness/browsers/chromium.ts";
import type { LiveReport, Span } from "../../bench/probe.ts";
import { writeHtml } from "../../bench/report/html.ts";
import { parseReport, type Report } from "../../bench/report/report.ts";
import { writeTable } from "../../bench/report/table.ts";
import { writeTrace } from "../../bench/report/trace.ts";
import type { Row } from "../../bench/row.ts";
import { runInNode, writeProbe } from "../../bench/run-probe.ts";
import { spanEdits } from "../../bench/span-edits.ts";

const row: Row = {
	...{ tier: "counts", name: "draw calls, drift 42", value: 1800, unit: "calls", reason: "two" },
	...{ limit: 1200, verdict: "breach", note: "at most 1,200, off by +600" },
};

const live = Array.from({ length: 8 }, (_, i): LiveReport => {
	const gl = { calls: 150, drawCalls: 30, vertices: 9, stateChanges: 60, uniforms: 45 };
	return {
		...{ atMs: 250 * (i + 1), frameTimes: Array<number>(15).fill(16.7), level: 2, pixelRatio: 1 },
		...{ tick: 15 * i, droppedTicks: i, skippedFrames: 0, heapBytes: 1e6 + i },
		gl: { ...gl, bytesUploaded: 0, objects: 0, fences: 15, others: 0 },
	};
});

const subject = `</script>${"0".repeat(40)}`;
const report: Report = {
	...{ format: "bench", version: 1, at: "2026-01-01T00:00:00.000Z", subject, live },
	machine: { node: "20", chromium: "1", cpu: "any", cores: 2, load: [0, 1], stolen: 0.25 },
	rows: [row, { ...row, tier: "bytes", name: "engine", verdict: "within" }],
};

test("the table says what is over budget and by how much", () => {
	const table = writeTable(report.rows);
	expect(table).toMatch(/draw calls +1,800 +✗ breach/);
	expect(table).toContain("draw calls, drift 42: 1,800; at most 1,200, off by +600");
});

test("a metric's line has the verdict of its worst scenario", () => {
	const within: Row = { ...row, verdict: "within" };
	const table = writeTable([within, { ...row, name: "draw calls, both 42" }, within]);
	expect(table).toMatch(/draw calls .*✗ breach/);
});

test("the page shows every row and every plot, and asks for nothing from elsewhere", async () => {
	const html = await writeHtml(report);
	const browser = await launchChromium();
	try {
		const page = await browser.newPage();
		const complaints: string[] = [];
		page.on("pageerror", (error) => complaints.push(String(error)));
		page.on("request", (request) => complaints.push(request.url()));
		await page.setContent(html);
		await expect.poll(() => page.locator(".uplot").count()).toBe(4);
		expect(await page.locator("td.verdict").allTextContents()).toEqual(["breach", "within"]);
		expect(await page.locator("h1 + p").textContent()).toContain("</script>");
		expect(await page.locator("h1 + p").textContent()).toContain("host took 25 %");
		await page.setViewportSize({ width: 360, height: 640 });
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
		expect(complaints).toEqual([]);
	} finally {
		await browser.close();
	}
}, 240_000);

test("a report is read as it was written, and nothing else is taken for one", () => {
	expect(parseReport(JSON.stringify(report))).toEqual(report);
	expect(() => parseReport("x")).toThrow("it is not JSON");
	expect(() => parseReport("[]")).toThrow('its format must be "bench"');
	expect(() => parseReport('{"format":"bench","version":1}')).toThrow("subject");
	const words = { ...report, rows: [{ ...row, value: "many" }] };
	expect(() => parseReport(JSON.stringify(words))).toThrow("rows with name and value");
});

interface TraceEvent {
	ph: string;
	name: string;
	pid: number;
	tid: number;
	ts: number;
	dur: number;
}

/** The Trace Event Format's rules for complete events: in order, and on each thread one in another. */
function expectTrace(events: readonly TraceEvent[]): void {
	const open = new Map<string, number[]>();
	let latest = 0;
	// In whole ns, which sums of µs are not.
	const ns = (us: number) => Math.round(us * 1000);
	for (const { ph, name, pid, tid, ts, dur } of events) {
		expect([Number.isInteger(pid), Number.isInteger(tid)]).toEqual([true, true]);
		if (ph === "M") continue;
		expect(ph, name).toBe("X");
		expect(ts, name).toBeGreaterThanOrEqual(latest);
		expect(dur, name).toBeGreaterThanOrEqual(0);
		latest = ts;
		const thread = `${pid}/${tid}`;
		const end = ns(ts) + ns(dur);
		const ends = (open.get(thread) ?? []).filter((other) => other > ns(ts));
		expect(end, `${name} at ${ts}`).toBeLessThanOrEqual(ends.at(-1) ?? Number.POSITIVE_INFINITY);
		open.set(thread, [...ends, end]);
	}
}

test("the trace has every frame with what was done in it, each within the other", async () => {
	const probe = await writeProbe({ bundle: await bundleProbe(ROOT, [spanEdits()]) });
	const spans = (await runInNode(probe, 'return bundle.traceFrames("both 42")')) as Span[];
	probe.remove();
	const { traceEvents } = JSON.parse(writeTrace({ Node: spans })) as { traceEvents: TraceEvent[] };
	expectTrace(traceEvents);
	const named = (name: string) => traceEvents.filter((event) => event.name === name);
	for (const name of ["frame", "clock", "step", "upload", "draw"])
		expect(named(name), name).toHaveLength(600);
	for (const [inner, outer] of [
		["clock", "frame"],
		["step", "frame"],
		["draw", "frame"],
		["upload", "draw"],
	] as const)
		for (const [i, { ts, dur }] of named(inner).entries()) {
			const around = named(outer)[i]!;
			expect(ts).toBeGreaterThanOrEqual(around.ts);
			expect(ts + dur).toBeLessThanOrEqual(around.ts + around.dur + 0.001);
		}
}, 120_000);
