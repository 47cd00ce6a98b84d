import { createSimulation, type Simulation, seek, step } from "../../../engine/simulation/index.ts";

function timed(work: () => void): number {
	const before = performance.now();
	work();
	return performance.now() - before;
}

function median(numbers: number[]): number {
	return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}

interface Arm {
	prepare?(): void;
	work(): void;
}

/**
 * Returns the duration of `one` over `other`: the median ratio of pairs whose order alternates, which
 * was the least noisy estimator tried.
 */
function ratio(pairs: number, one: Arm, other: Arm, warmUps = 2): number {
	const run = (arm: Arm) => {
		arm.prepare?.();
		return timed(arm.work);
	};
	const logs: number[] = [];
	for (let pair = -warmUps; pair < pairs; pair++) {
		const first = pair % 2 === 0 ? run(one) : 0;
		const second = run(other);
		const log = Math.log((pair % 2 === 0 ? first : run(one)) / second);
		// The first pairs warm up the compiler.
		if (pair >= 0) logs.push(log);
	}
	return Math.exp(median(logs));
}

function steps(simulation: Simulation, ticks: number): void {
	for (let i = 0; i < ticks; i++) step(simulation);
}

/** Time of steps with many live particles over few, both with one birth a second. */
export function manyOverFew(many: number, few: number, pairs: number): number {
	const [one, other] = [many, few].map((initial) => {
		const rockets = { initial: 0, batch: 0 };
		const simulation = createSimulation(42, "drift", { floats: { initial, batch: 1 }, rockets });
		// All initial floats live for the first 780 ticks.
		return { prepare: () => seek(simulation, 1), work: () => steps(simulation, 720) };
	}) as [Arm, Arm];
	return ratio(pairs, one, other);
}

export function farOverNear(pairs: number): number {
	const simulation = createSimulation(42, "both");
	const seeks = (from: number) => {
		let tick = from;
		return () => {
			for (let i = 0; i < 50; i++) {
				tick += 977;
				seek(simulation, tick);
			}
		};
	};
	return ratio(pairs, { work: seeks(900_000_000) }, { work: seeks(12_000) });
}
