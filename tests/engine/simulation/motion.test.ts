import { describe, expect, test } from "vitest";
import {
	createSimulation,
	FIELD,
	FIREWORKS,
	KIND,
	LAST_TICK,
	ORBIT,
	POSE,
	SPARK_DRAG,
	SPARK_GRAVITY,
	STRIDE,
	seek,
	writePose,
} from "../../../engine/simulation/index.ts";

const f = Math.fround;

test("a never-used slot has an all-zero pose at any time, to the bit", () => {
	const { records } = createSimulation(1, "none");
	// Tests for zeros, because the bits of a NaN would differ between processors.
	for (const pose of [new Float32Array(POSE.length), new Float64Array(POSE.length)]) {
		for (const time of [-22, -0.5, 0, 0.5, 1, 96.25, LAST_TICK]) {
			pose.fill(1);
			writePose(records, 0, time, pose);
			expect([...new Int32Array(pose.buffer)], `at ${time}`).toEqual(
				new Array(pose.byteLength / 4).fill(0),
			);
		}
	}
});

function fireworks(seed: number, tick: number) {
	const simulation = createSimulation(seed, "fireworks");
	seek(simulation, tick);
	const pose = new Float64Array(POSE.length);
	const at = (slot: number, time: number) => {
		writePose(simulation.records, slot, time, pose);
		const [x, y, offsetX, offsetY] = pose as unknown as [number, number, number, number];
		return { x, y, offsetX, offsetY };
	};
	const field = (slot: number, name: keyof typeof FIELD) =>
		simulation.records.floats[slot * STRIDE + FIELD[name]]!;
	return { simulation, at, field };
}

test("a spark moves as drag and gravity applied tick by tick would move it", () => {
	const { simulation, at, field } = fireworks(4, 97);
	const slot = simulation.rings[2].first + 3;
	let [x, y] = [0, 0];
	let [velocityX, velocityY] = [field(slot, "velocityX"), field(slot, "velocityY")];
	for (let age = 1; age <= FIREWORKS.sparkLife; age++) {
		velocityX *= SPARK_DRAG.keep;
		velocityY = (velocityY - SPARK_GRAVITY) * SPARK_DRAG.keep;
		x += velocityX;
		y += velocityY;
		expect(at(slot, 97 + age).offsetX).toBeCloseTo(x, 12);
		expect(at(slot, 97 + age).offsetY).toBeCloseTo(y, 12);
	}
});

test("every burst starts exactly at its rocket", () => {
	const { simulation, at, field } = fireworks(6, 49);
	for (let rocket = 0; rocket < 40; rocket++) {
		const launch = rocket < 3 ? 1 : 1 + (rocket - 2) * FIREWORKS.every;
		const burst = launch + FIREWORKS.fuse;
		seek(simulation, launch);
		const [, rockets, bursts] = simulation.rings;
		const end = at(rockets.first + (rocket % rockets.length), burst);
		seek(simulation, burst);
		for (let spark = 0; spark < FIREWORKS.sparks; spark++) {
			const slot = bursts.first + (rocket % bursts.length) * FIREWORKS.sparks + spark;
			expect(field(slot, "kind")).toBe(KIND.spark);
			expect([field(slot, "x"), field(slot, "y")]).toEqual([f(end.x), f(end.y)]);
			expect(Math.abs(at(slot, burst).offsetX)).toBe(0);
			expect(Math.abs(at(slot, burst).offsetY)).toBe(0);
		}
	}
});

test("bursts are round and all different", () => {
	const shapes = new Set<string>();
	for (let burst = 0; burst < 200; burst++) {
		const { simulation, field } = fireworks(9, 97 + burst * FIREWORKS.every);
		const ring = simulation.rings[2];
		const slot = ring.first + ((ring.born - 1) % ring.length) * FIREWORKS.sparks;
		const way = Array.from({ length: FIREWORKS.sparks }, (_, spark) => [
			field(slot + spark, "velocityX") * SPARK_DRAG.reach,
			field(slot + spark, "velocityY") * SPARK_DRAG.reach,
		]);
		const angles = way.map(([x, y]) => Math.atan2(y!, x!)).sort((a, b) => a - b);
		const gaps = angles.map((angle, i) =>
			i === 0 ? angle + 2 * Math.PI - angles.at(-1)! : angle - angles[i - 1]!,
		);
		// The burst is round: no gap exceeds a tenth of a turn, and the centroid is near its middle.
		expect(Math.max(...gaps)).toBeLessThan((2 * Math.PI) / 10);
		const middle = way.reduce(([x, y], [dx, dy]) => [x! + dx! / 25, y! + dy! / 25], [0, 0]);
		expect(Math.hypot(middle[0]!, middle[1]!)).toBeLessThan(0.06);
		shapes.add(way.join());
	}
	expect(shapes.size).toBe(200);
});

/** One float's poses over its life, every quarter second. */
function lifeOf(seed: number, ordinal: number) {
	const simulation = createSimulation(seed, "drift");
	const birth = ordinal < 6 ? 1 : 1 + (ordinal - 5) * 60;
	seek(simulation, birth);
	const slot = ordinal % simulation.rings[0].length;
	const { floats, ints } = simulation.records;
	const death = ints[slot * STRIDE + FIELD.death]!;
	expect(ints[slot * STRIDE + FIELD.birth]).toBe(birth);
	const poses: Float64Array[] = [];
	for (let time = birth; time <= death; time += 15) {
		poses.push(new Float64Array(POSE.length));
		writePose(simulation.records, slot, time, poses.at(-1)!);
	}
	const speed = floats[slot * STRIDE + FIELD.velocityY]!;
	return { poses, speed, size: floats[slot * STRIDE + FIELD.size]!, ticks: death - birth };
}

const isCaught = (poses: Float64Array[]) => poses[0]![POSE.orbit] !== 0;
const turned = (poses: Float64Array[]) => poses.at(-1)![POSE.round]! - poses[0]![POSE.round]!;

describe("floats", () => {
	const lives = Array.from({ length: 400 }, (_, i) => lifeOf(i % 20, i));

	test("always rise, except on an orbit of the sphere", () => {
		for (const { poses } of lives) {
			const rises = poses.slice(1).map((pose, i) => pose[POSE.y]! - poses[i]![POSE.y]!);
			if (isCaught(poses)) expect(Math.min(...rises)).toBeGreaterThan(-1e-9);
			else expect(Math.min(...rises)).toBeGreaterThan(0);
		}
	});

	test("are caught one in ten, on either orbit, in either direction", () => {
		const caught = lives.map(({ poses }, ordinal) => [ordinal, isCaught(poses)] as const);
		expect(caught.filter(([, is]) => is).map(([ordinal]) => ordinal)).toEqual(
			Array.from({ length: 40 }, (_, i) => 10 * i + 9),
		);
		const ways = lives
			.filter(({ poses }) => isCaught(poses))
			.map(({ poses }) => `${poses[0]![POSE.orbit]} ${Math.sign(turned(poses))}`);
		expect([...new Set(ways)].sort()).toEqual(["-1 -1", "-1 1", "1 -1", "1 1"]);
	});

	test("that are caught go halfway around, starting and ending slowly", () => {
		for (const { poses, ticks, size } of lives.filter(({ poses }) => isCaught(poses))) {
			expect(Math.abs(turned(poses))).toBeCloseTo(ORBIT.turns, 6);
			const steps = poses.slice(1).map((pose, i) => pose[POSE.round]! - poses[i]![POSE.round]!);
			const moving = steps.filter((step) => step !== 0);
			expect(new Set(moving.map(Math.sign)).size).toBe(1);
			expect(moving.length * 15).toBeGreaterThanOrEqual(Math.min(540, 0.45 * ticks) - 30);
			expect(moving.length * 15).toBeLessThanOrEqual(Math.min(540, 0.45 * ticks) + 30);
			const fastest = Math.max(...moving.map(Math.abs));
			expect(Math.abs(moving[0]!)).toBeLessThan(fastest / 3);
			expect(Math.abs(moving.at(-1)!)).toBeLessThan(fastest / 3);
			// Floats get larger in front of the sphere and smaller behind it, but stay 24 to 120 px.
			const sizes = poses.map((pose) => pose[POSE.size]!);
			const inFront = poses.some((pose) => Math.sin(2 * Math.PI * pose[POSE.round]!) < -0.99);
			if (inFront) expect(Math.max(...sizes)).toBeGreaterThan(1.19 * size);
			else expect(Math.min(...sizes)).toBeLessThan(0.81 * size);
			expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
			expect(Math.max(...sizes)).toBeLessThanOrEqual(120);
		}
	});

	test("start with six far from each other", () => {
		for (let seed = 0; seed < 200; seed++) {
			const places = [0, 1, 2, 3, 4, 5].map((ordinal) => lifeOf(seed, ordinal).poses[3]!);
			for (const [i, one] of places.entries()) {
				for (const other of places.slice(i + 1)) {
					expect(Math.hypot(one[0]! - other[0]!, one[1]! - other[1]!)).toBeGreaterThan(0.3);
				}
			}
		}
	});
});
