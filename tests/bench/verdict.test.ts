import { expect, test } from "vitest";
import type { BenchRow } from "../../bench/row.ts";
import { exitCode } from "../../bench/row.ts";
import { judgeLogRatios } from "../../bench/verdict.ts";

const around = (ratio: number, spread = 0.01) =>
	Array.from({ length: 9 }, (_, i) => Math.log(ratio) + ((i - 4) / 4) * spread);

test.each([
	["slower", around(1.2), around(1)],
	["faster", around(0.8), around(1)],
	["as fast", around(1.03), around(1)],
	["cannot tell", around(1.08, 0.1), around(1)],
	["cannot tell", around(0.92, 0.1), around(1)],
	["void", around(1.2), around(1.06)],
	["void", around(1), around(0.94)],
	["void", around(2), around(1, 0.3)],
])("reports %s", (verdict, subject, control) => {
	expect(judgeLogRatios(subject, control).verdict).toBe(verdict);
});

test.each([
	[0, ["within", "as fast", "faster"]],
	[1, ["void", "breach", "cannot tell"]],
	[1, ["within", "slower"]],
	[4, ["cannot tell", "void", "within"]],
	[3, ["cannot tell", "faster"]],
] as const)("exits with %d after %j", (code, verdicts) => {
	expect(exitCode(verdicts.map((verdict) => ({ verdict }) as BenchRow))).toBe(code);
});
