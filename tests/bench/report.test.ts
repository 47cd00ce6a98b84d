import { expect, test } from "vitest";
import { bundleProbe, ROOT } from "../../bench/probe/bundle-probe.ts";
import type { Span } from "../../bench/probe/probe.ts";
import { runInNode, writeProbe } from "../../bench/probe/run-probe.ts";
import { type BenchReport, parseReport } from "../../bench/report.ts";
import type { BenchRow } from "../../bench/row.ts";
import { writeTable } from "../../bench/table.ts";
import { spanEdits, writeTrace } from "../../bench/trace.ts";

const row: BenchRow = {
	tier: "counts",
	name: "draw calls, drift 42",
	value: 1800,
	unit: "calls",
	reason: "two",
	limit: 1200,
	verdict: "breach",
	note: "at most 1,200, off by +600",
};

const report: BenchReport = {
	format: "bench",
	version: 1,
	at: "2026-01-01T00:00:00.000Z",
	subject: "0".repeat(40),
	machine: { node: "20", chromium: "1", cpu: "any", cores: 2, load: [0, 1], stolen: 0.25 },
	rows: [row, { ...row, tier: "bytes", name: "engine", verdict: "within" }],
};

test("the table shows what is over budget and by how much", () => {
	const table = writeTable(report.rows);
	expect(table).toMatch(/draw calls +1,800 +✗ breach/);
	expect(table).toContain("draw calls, drift 42: 1,800; at most 1,200, off by +600");
});

test("a report survives writing and reading, and other files are rejected", () => {
	expect(parseReport(JSON.stringify(report))).toEqual(report);
	expect(() => parseReport("x")).toThrow("invalid JSON");
	expect(() => parseReport("[]")).toThrow('its format must be "bench"');
	expect(() => parseReport('{"format":"bench","version":1}')).toThrow("subject");
	const words = { ...report, rows: [{ ...row, value: "many" }] };
	expect(() => parseReport(JSON.stringify(words))).toThrow("rows with name and value");
});

interface TraceEvent {
	name: string;
	ts: number;
	dur: number;
}

test("the trace has every frame's activity, each span within its frame", async () => {
	const probe = await writeProbe({ bundle: await bundleProbe(ROOT, [spanEdits()]) });
	const spans = (await runInNode(probe, 'return bundle.traceFrames("both 42")')) as Span[];
	probe.remove();
	const { traceEvents } = JSON.parse(writeTrace({ Node: spans })) as { traceEvents: TraceEvent[] };
	const named = (name: string) => traceEvents.filter((event) => event.name === name);
	for (const name of ["frame", "clock", "step", "upload", "draw"]) {
		expect(named(name), name).toHaveLength(600);
	}
	for (const [inner, outer] of [
		["clock", "frame"],
		["step", "frame"],
		["draw", "frame"],
		["upload", "draw"],
	] as const) {
		for (const [i, { ts, dur }] of named(inner).entries()) {
			const around = named(outer)[i]!;
			expect(ts).toBeGreaterThanOrEqual(around.ts);
			expect(ts + dur).toBeLessThanOrEqual(around.ts + around.dur + 0.001);
		}
	}
});
