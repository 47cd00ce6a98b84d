import {
	createSimulation,
	DRIFT,
	FIELD,
	FIREWORKS,
	isAlive,
	KIND,
	ROCKET_DRAG,
	type Simulation,
	SPARK_DRAG,
	SPARK_GRAVITY,
	STRIDE,
	seek,
	step,
} from "../../../engine/simulation/index.ts";

/** A particle as it is usually written: an object that moves every tick. */
interface Particle {
	kind: number;
	emoji: number;
	x: number;
	y: number;
	velocityX: number;
	velocityY: number;
	size: number;
	turn: number;
	spin: number;
	sway: number;
	wave: number;
	waveRate: number;
	offset: number;
	age: number;
	life: number;
	opacity: number;
}

/** Rockets that burst in this tick. */
const burst: Particle[] = [];

/** The straightforward loop, without waste: move all, close the gaps of the dead, add births. */
interface Loop {
	tick: number;
	crowd: number;
	particles: Particle[];
}

function between(low: number, high: number): number {
	return low + (high - low) * Math.random();
}

function newParticle(kind: number, x: number, y: number, life: number, age = 0): Particle {
	return {
		kind,
		emoji: Math.floor(Math.random() * 20),
		x,
		y,
		velocityX: between(-0.01, 0.01),
		velocityY: between(0.001, 0.02),
		size: between(24, 120),
		turn: between(-0.5, 0.5),
		spin: between(-0.03, 0.03),
		sway: between(0.015, 0.06),
		wave: Math.random(),
		waveRate: between(0.0015, 0.0033),
		offset: 0,
		age,
		life,
		opacity: 0,
	};
}

function move(p: Particle): void {
	p.age++;
	if (p.kind === KIND.float) {
		p.wave += p.waveRate;
		p.offset = p.sway * Math.sin(p.wave * 2 * Math.PI);
	} else if (p.kind === KIND.rocket) {
		p.velocityX *= ROCKET_DRAG.keep;
		p.velocityY *= ROCKET_DRAG.keep;
	} else {
		p.velocityX *= SPARK_DRAG.keep;
		p.velocityY = (p.velocityY - SPARK_GRAVITY) * SPARK_DRAG.keep;
	}
	p.x += p.velocityX;
	p.y += p.velocityY;
	p.turn += p.spin;
	const fadeIn = p.age / 45;
	const fadeOut = (p.life - p.age) / 60;
	p.opacity = Math.min(fadeIn, fadeOut, 1);
}

function stepLoop(loop: Loop): void {
	loop.tick++;
	const { particles, crowd, tick } = loop;
	let kept = 0;
	let bursts = 0;
	for (let i = 0; i < particles.length; i++) {
		const p = particles[i]!;
		move(p);
		if (p.age < p.life) particles[kept++] = p;
		else if (p.kind === KIND.rocket) burst[bursts++] = p;
	}
	particles.length = kept;
	for (let i = 0; i < bursts; i++) {
		for (let spark = 0; spark < FIREWORKS.sparks; spark++) {
			particles.push(newParticle(KIND.spark, burst[i]!.x, burst[i]!.y, FIREWORKS.sparkLife));
		}
	}
	if ((tick - 1) % DRIFT.every === 0) {
		for (let i = 0; i < crowd; i++) {
			particles.push(newParticle(KIND.float, between(-1, 1), -1.2, Math.round(between(780, 3060))));
		}
	}
	if ((tick - 1) % FIREWORKS.every === 0) {
		for (let i = 0; i < crowd; i++) {
			particles.push(newParticle(KIND.rocket, between(-1, 1), -1.15, FIREWORKS.fuse));
		}
	}
}

/** The loop in the state of a simulation: as many particles of each kind, each of its age. */
function loopLike({ records, slots, tick }: Simulation, crowd: number): Loop {
	const particles: Particle[] = [];
	for (let slot = 0; slot < slots; slot++) {
		if (!isAlive(records, slot, tick)) continue;
		const field = (name: keyof typeof FIELD) => records.floats[slot * STRIDE + FIELD[name]]!;
		const birth = records.ints[slot * STRIDE + FIELD.birth]!;
		const life = records.ints[slot * STRIDE + FIELD.death]! - birth;
		particles.push(newParticle(field("kind"), field("x"), field("y"), life, tick - birth));
	}
	return { tick, crowd, particles };
}

function timed(work: () => void): number {
	const before = performance.now();
	work();
	return performance.now() - before;
}

function median(numbers: number[]): number {
	return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}

/** Work to be timed, and what has to be done before each time. */
interface Arm {
	prepare?(): void;
	work(): void;
}

/**
 * How many times longer the one takes than the other: blocks side by side, their order swapped each
 * time, the median of the ratios. Of all estimators tried, the one that noise moved least.
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
		// The first are for the compiler.
		if (pair >= 0) logs.push(log);
	}
	return Math.exp(median(logs));
}

function steps(simulation: Simulation, ticks: number): void {
	for (let i = 0; i < ticks; i++) step(simulation);
}

/** The object loop's time over ours, with the same particles and the same births. */
export function loopOverStep(crowd: number, ticks: number, pairs: number, warmUps: number) {
	const births = {
		floats: { initial: crowd, batch: crowd },
		rockets: { initial: crowd, batch: crowd },
	};
	const simulation = createSimulation(42, "both", births);
	seek(simulation, 12_000);
	const loop = loopLike(simulation, crowd);
	const before = loop.particles.length;
	const play = () => {
		for (let i = 0; i < ticks; i++) stepLoop(loop);
	};
	const times = ratio(pairs, { work: play }, { work: () => steps(simulation, ticks) }, warmUps);
	return { times, before, after: loop.particles.length };
}

/** The time of steps with many alive over those with few, both with one birth a second. */
export function manyOverFew(many: number, few: number, pairs: number): number {
	const [one, other] = [many, few].map((initial) => {
		const rockets = { initial: 0, batch: 0 };
		const simulation = createSimulation(42, "drift", { floats: { initial, batch: 1 }, rockets });
		// All are alive for the first 780 ticks.
		return { prepare: () => seek(simulation, 1), work: () => steps(simulation, 720) };
	}) as [Arm, Arm];
	return ratio(pairs, one, other);
}

/** The time of seeks far away over that of seeks near by. */
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
