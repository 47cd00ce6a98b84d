import { writeFile } from "node:fs/promises";
import type { CDPSession } from "playwright-core";
import { launchChromium } from "./harness/browsers/chromium.ts";
import { bundleProbe } from "./probe/bundle-probe.ts";

/** DevTools and VS Code open these files. */
export const PROFILE_EXTENSIONS = [".cpuprofile", ".heapprofile"] as const;

const FRAMES = 60_000;

/**
 * @param file where to write the profile: of CPU time or allocated bytes, by its extension
 * @returns each function's share of the engine's total, `sum`
 */
export async function profileFrames(file: string) {
	const browser = await launchChromium({ graphics: "software", shell: true });
	try {
		const page = await browser.newPage();
		await page.addScriptTag({ content: await bundleProbe() });
		const session = await page.context().newCDPSession(page);
		const play = () => page.evaluate(`bundle.runFrames(${FRAMES})`);
		await play();
		const sample = file.endsWith(".cpuprofile") ? sampleTime : sampleBytes;
		const { sampled, functions } = await sample(session, play);
		await writeFile(file, JSON.stringify(sampled));
		// `lineNumber` is -1 in native code, which mostly waits for the GPU, and 0 in `play`.
		const ours = functions.filter(
			({ callFrame }) => callFrame.lineNumber > 0 && callFrame.functionName !== "runFrames",
		);
		const sum = ours.reduce((all, { own }) => all + own, 0);
		const shares = new Map<string, number>();
		for (const { callFrame, own } of ours) {
			const name = callFrame.functionName;
			shares.set(name, (shares.get(name) ?? 0) + own / sum);
		}
		const unit = sample === sampleTime ? "samples in the engine" : "bytes in the samples";
		return { shares, sum, unit };
	} finally {
		await browser.close();
	}
}

interface CallFrame {
	readonly functionName: string;
	readonly lineNumber: number;
}

interface Sampled {
	readonly sampled: object;
	/** `own` is in samples or allocated bytes, without callees. A function may appear several times. */
	readonly functions: readonly { callFrame: CallFrame; own: number }[];
}

async function sampleTime(session: CDPSession, play: () => Promise<unknown>): Promise<Sampled> {
	await session.send("Profiler.enable");
	await session.send("Profiler.setSamplingInterval", { interval: 100 });
	await session.send("Profiler.start");
	await play();
	const { profile: sampled } = await session.send("Profiler.stop");
	const functions = sampled.nodes.map(({ callFrame, hitCount: own = 0 }) => ({ callFrame, own }));
	return { sampled, functions };
}

async function sampleBytes(session: CDPSession, play: () => Promise<unknown>): Promise<Sampled> {
	await session.send("HeapProfiler.startSampling", {
		samplingInterval: 128,
		includeObjectsCollectedByMajorGC: true,
		includeObjectsCollectedByMinorGC: true,
	});
	await play();
	const { profile: sampled } = await session.send("HeapProfiler.stopSampling");
	type Node = typeof sampled.head;
	const all = (node: Node): Node[] => [node, ...node.children.flatMap(all)];
	const functions = all(sampled.head).map(({ callFrame, selfSize: own }) => ({ callFrame, own }));
	return { sampled, functions };
}
