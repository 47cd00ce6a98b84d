import { launchChromium } from "../harness/browsers/chromium.ts";
import { writeProbe } from "../probe/run-probe.ts";
import { type Judged, judgeLogRatios, median } from "../verdict.ts";
import {
	type Arm,
	type Blocks,
	type Kernel,
	SAME_COMPILER,
	timeInChromium,
	timeInNode,
} from "./blocks.ts";

/**
 * Processes after which a run tries for a verdict: multiples of the six orders of the arms. Four
 * looks at 5 % would be wrong in more than 5 % of runs, so each gets a quarter (Bonferroni).
 */
const LOOKS = [12, 18, 24, 36];
const LEVEL = 0.05 / LOOKS.length;

export const TIMED: Readonly<
	Record<string, { kernel: Kernel; inChromium?: true; unit: string; reason: string }>
> = {
	"step, Node": {
		kernel: { call: "steps", times: 12_000 },
		unit: "µs",
		reason: "what is born, and the check whether anything is",
	},
	"frame, Node": {
		kernel: { call: "frames", without: "steps", times: 720 },
		unit: "µs",
		reason: "without its step: clock, births, camera, regl",
	},
	"frame, Chromium": {
		// The step is a twentieth of the frame, and smaller than the noise of either.
		kernel: { call: "frames", times: 240 },
		inChromium: true,
		unit: "µs",
		reason: "with its step, and WebGL's own calls",
	},
	"picture, Chromium": {
		kernel: { call: "pictures", times: 2, wall: true },
		inChromium: true,
		unit: "µs",
		reason: "960 x 600 pixels by software, by the clock on the wall until the GPU is done",
	},
};

export interface TimedRow extends Judged {
	readonly name: string;
	readonly us: number;
	readonly baseUs: number;
	readonly processes: number;
}

/** One process: CPU µs per call, and the logarithm of each arm's time over the base's. */
function readSample(blocks: Blocks) {
	const over = (arm: Arm) => median(blocks.map((us) => Math.log(us[arm] / us.base)));
	return {
		us: median(blocks.map(({ subject }) => subject)),
		baseUs: median(blocks.map(({ base }) => base)),
		subject: over("subject"),
		control: over("control"),
	};
}

/**
 * Until there is a verdict, or the last look is done.
 * @param time times one process, by its turn
 */
async function measure(name: string, time: (turn: number) => Promise<Blocks>): Promise<TimedRow> {
	const samples: ReturnType<typeof readSample>[] = [];
	const all = (key: keyof (typeof samples)[number]) => samples.map((sample) => sample[key]);
	for (const [look, processes] of LOOKS.entries()) {
		while (samples.length < processes) samples.push(readSample(await time(samples.length)));
		const judged = judgeLogRatios(all("subject"), all("control"), LEVEL);
		const told = judged.verdict !== "cannot tell" && judged.verdict !== "void";
		if (told || look === LOOKS.length - 1) {
			return { ...judged, name, us: median(all("us")), baseUs: median(all("baseUs")), processes };
		}
	}
	throw new RangeError("No looks are configured.");
}

/**
 * Each fresh process runs both engines, and a second copy of the base, in interleaved blocks, and
 * yields one ratio. The verdict comes from the median of the ratios and its interval.
 * @param codes bundled probes
 * @param chromium whether to time frames in Chromium on software GL, too
 */
export async function compareTimes(
	codes: { readonly base: string; readonly subject: string },
	chromium: boolean,
	wanted: readonly string[] = Object.keys(TIMED),
): Promise<TimedRow[]> {
	const scripts = { base: codes.base, subject: codes.subject, control: codes.base };
	const probe = await writeProbe(scripts);
	const browser = chromium
		? await launchChromium({ graphics: "software", engineFlags: SAME_COMPILER })
		: undefined;
	const rows: TimedRow[] = [];
	try {
		for (const name of wanted) {
			const { kernel, inChromium } = TIMED[name]!;
			if (!inChromium) rows.push(await measure(name, (turn) => timeInNode(probe, kernel, turn)));
			else if (browser) {
				rows.push(await measure(name, (turn) => timeInChromium(browser, scripts, kernel, turn)));
			}
		}
	} finally {
		await browser?.close();
		probe.remove();
	}
	return rows;
}
