import { expect, test } from "vitest";
import { formatReport } from "../../bench/report.ts";
import type { Row } from "../../bench/row.ts";

const calls: Row = {
	tier: "counts",
	name: "draw calls",
	columns: ["drift", "both"],
	values: [1200, 1800],
	limits: [1200, 1200],
	base: [1200, 1200],
	verdict: "over",
	note: "drawArrays +1 per frame",
};
const step: Row = {
	tier: "times",
	name: "step",
	us: 0.3,
	baseUs: 0.1,
	ratio: { median: 3, low: 2.9, high: 3.1 },
	verdict: "slower",
};

test("shows what is over budget, by how much, why, and the command that shows more", () => {
	const report = formatReport([calls], "HEAD");
	expect(report).toMatch(/✗ draw calls +both +1,800 +1,200 +█+▶ \+600 \(\+50%\)/);
	expect(report).toContain("✗ Not within budget. 1 of 1 rows moved since HEAD.");
	expect(report).toContain("draw calls: off its limit, +600 in both (drawArrays +1 per frame)");
	expect(report).toContain("npm run bench:page");
});

test("shows the column over its limit, not the one farthest from it", () => {
	const bytes: Row = { ...calls, tier: "bytes", values: [120, 1250], base: [100, 1250] };
	expect(formatReport([bytes], "HEAD")).toMatch(/both +1,250 +1,200/);
});

test("shows the interval of a slower time", () => {
	const report = formatReport([step], "HEAD");
	expect(report).toMatch(
		/✗ step +0\.1 µs +0\.3 µs +·+┼·+● slower, takes 3\.00x \(2\.90 to 3\.10\)/,
	);
	expect(report).toContain("✗ Within budget, but slower.");
});

test("concludes that all is within budget if no row is red", () => {
	const fine: Row = { ...calls, values: [1200, 1200], verdict: "within" };
	expect(formatReport([fine])).toContain("✓ Within budget.");
});
