import type { Browser } from "playwright-core";
import type { Budgets } from "../budgets.ts";
import { classifyGlCall, type GlKind } from "../probe/counted-gl.ts";
import type { FrameCounts } from "../probe/probe.ts";
import { formatSigned } from "../report.ts";
import type { MeasuredRow } from "../row.ts";

const GL_KINDS: Readonly<Record<string, GlKind>> = {
	"draw calls": "draw",
	"state changes": "state",
	uniforms: "uniform",
	"GL objects": "object",
	fences: "fence",
	"other GL calls": "other",
};

const NUMBERS = {
	ticks: "ticks",
	"records written": "records",
	"particles alive": "alive",
	"bytes uploaded": "bytesUploaded",
	"vertices drawn": "vertices",
} as const;

export async function countScenarios(
	browser: Browser,
	code: string,
	{ counts: { columns } }: Budgets,
): Promise<FrameCounts[]> {
	const page = await browser.newPage();
	try {
		await page.addScriptTag({ content: code });
		return await page.evaluate(`${JSON.stringify(columns)}.map(bundle.countFrames)`);
	} finally {
		await page.close();
	}
}

export function measureCounts(played: readonly FrameCounts[]): MeasuredRow[] {
	const row = (name: string, read: (counts: FrameCounts) => number) =>
		({ tier: "counts", name, values: played.map(read) }) as const;
	const callsOf = (kind: GlKind) => (counts: FrameCounts) =>
		Object.entries(counts.calls).reduce(
			(sum, [method, calls]) => sum + (classifyGlCall(method) === kind ? calls : 0),
			0,
		);
	return [
		...Object.entries(NUMBERS).map(([name, key]) => row(name, (counts) => counts[key])),
		...Object.entries(GL_KINDS).map(([name, kind]) => row(name, callsOf(kind))),
	];
}

/** @returns the WebGL methods that are called more or less often than in the base */
export function explainCountChange(
	name: string,
	played: readonly FrameCounts[],
	base: readonly FrameCounts[],
): string | undefined {
	const kind = GL_KINDS[name];
	if (kind === undefined) return undefined;
	const moved = new Map<string, number>();
	const add = (counts: readonly FrameCounts[], sign: 1 | -1) => {
		for (const [method, calls] of counts.flatMap((each) => Object.entries(each.calls))) {
			if (classifyGlCall(method) === kind)
				moved.set(method, (moved.get(method) ?? 0) + sign * calls);
		}
	};
	add(played, 1);
	add(base, -1);
	const frames = played.reduce((sum, { ticks }) => sum + ticks, 0);
	const words = [...moved]
		.filter(([, calls]) => calls !== 0)
		.map(([method, calls]) => `${method} ${formatSigned(calls / frames)} per frame`);
	return words.length > 0 ? words.join(", ") : undefined;
}
