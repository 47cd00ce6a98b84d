import { arch, availableParallelism, platform } from "node:os";
import { launchChromium } from "../harness/browsers/chromium.ts";
import { ARMS, type Arm, BASE } from "./arms.ts";
import { measure, type Sample, type Watch } from "./measure.ts";
import type { Scene } from "./scene.ts";
import { buildArm } from "./shipped.ts";

/** `scale` multiplies sprite sizes. */
export const SCENES: readonly Scene[] = [
	{ count: 32, scale: 1 },
	{ count: 100, scale: 1 },
	// At full size these would cover the canvas 5 and 50 times, and only pixels would be measured.
	{ count: 1000, scale: 0.1 },
	{ count: 10_000, scale: 0.1 },
];

/** Cost of one arm in one scene: medians over the rounds. */
export interface PeerRow {
	arm: string;
	title: string;
	count: number;
	/** CPU ms per picture: of the page's thread, and of the arm's worker. */
	pageMs: number;
	workerMs: number;
	/** `pageMs` relative to the engine on the page, round by round; without and with the worker's. */
	ratio: number;
	ratioOfAll: number;
	/** Allocated per picture, on all threads. */
	bytes: number;
	picturesPerSecond: number;
	/** Fetched by the page, brotli. */
	shipped: number;
	/** Sprites in the last picture of every round, counted at the canvas. */
	sprites: number;
	/** Non-empty share of the canvas. */
	lit: number;
	samples: Sample[];
}

export interface Comparison {
	browser: string;
	/** Platform, architecture and cores. */
	machine: string;
	rounds: number;
	rows: PeerRow[];
}

/**
 * Each arm gets a fresh browser in each round, so that none waits for another's pictures. Every
 * other round is reversed.
 * @throws Error if an arm does not draw what it should
 */
export async function compare(
	scenes: readonly Scene[],
	rounds: number,
	watch: Watch,
	tell: (line: string) => void,
): Promise<Comparison> {
	const built = new Map(
		await Promise.all(
			ARMS.map(async (arm) => [arm.name, await buildArm(arm.name, arm.inWorker === true)] as const),
		),
	);
	const samples = new Map<string, Sample[]>();
	let version = "";
	for (let round = 0; round < rounds; round++) {
		const order = round % 2 === 0 ? ARMS : [...ARMS].reverse();
		for (const arm of order) {
			tell(`round ${round + 1} of ${rounds}: ${arm.title}`);
			for (const scene of scenesOf(arm, scenes)) {
				const browser = await launchChromium({ graphics: "software" });
				version = browser.version();
				try {
					const sample = await measure(browser, built.get(arm.name)!, scene, watch);
					const expected = arm.isFloor ? 0 : scene.count;
					if (sample.sprites !== expected) {
						throw new Error(`${arm.title} draws ${sample.sprites} sprites, not ${expected}.`);
					}
					if (!arm.isFloor && sample.lit < 0.005) {
						throw new Error(`${arm.title} leaves its canvas blank.`);
					}
					const key = keyOf(arm.name, scene.count);
					samples.set(key, [...(samples.get(key) ?? []), sample]);
				} finally {
					await browser.close();
				}
			}
		}
	}
	const rows = ARMS.flatMap((arm) =>
		scenesOf(arm, scenes).map(({ count }): PeerRow => {
			const own = samples.get(keyOf(arm.name, count))!;
			const base = samples.get(keyOf(BASE, count))!;
			const of = (read: (sample: Sample) => number) => median(own.map(read));
			const ratioOf = (read: (sample: Sample) => number) =>
				median(own.map((sample, round) => read(sample) / base[round]!.pageMs));
			return {
				arm: arm.name,
				title: arm.title,
				count,
				pageMs: of(({ pageMs }) => pageMs),
				workerMs: of(({ workerMs }) => workerMs),
				ratio: ratioOf(({ pageMs }) => pageMs),
				ratioOfAll: ratioOf(({ pageMs, workerMs }) => pageMs + workerMs),
				bytes: of(({ bytes }) => bytes),
				picturesPerSecond: of(({ picturesPerSecond }) => picturesPerSecond),
				shipped: own[0]!.shipped,
				sprites: own[0]!.sprites,
				lit: of(({ lit }) => lit),
				samples: own,
			};
		}),
	);
	const machine = `${platform()} ${arch()} with ${availableParallelism()} cores`;
	return { browser: `Chromium ${version.split(".")[0]}`, machine, rounds, rows };
}

function scenesOf(arm: Arm, scenes: readonly Scene[]): readonly Scene[] {
	return arm.isFloor ? scenes.slice(0, 1) : scenes;
}

const keyOf = (arm: string, count: number) => `${arm} ${count}`;

/** For an even number of values, the geometric mean of the middle two, because values are ratios. */
function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	if (sorted.length % 2 === 1) return sorted[middle]!;
	return Math.sqrt(sorted[middle - 1]! * sorted[middle]!);
}
