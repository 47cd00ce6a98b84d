import { describe, expect, test } from "vitest";
import { emojiOf } from "../../../engine/render/emoji.ts";
import {
	createQuads,
	orbitLineTriangles,
	quadTriangles,
	VERTEX_LENGTH,
	writeBirths,
	writeDrawRange,
} from "../../../engine/render/gl/quads.ts";
import { ORBIT_LINE } from "../../../engine/render/orbits.ts";
import {
	EMOJI,
	FIELD,
	floatXOf,
	KIND,
	type Scene,
	STRIDE,
	setScene,
	step,
} from "../../../engine/simulation/index.ts";
import { simulationAt } from "./sprites.ts";

function start(scene: Scene, tick: number) {
	const simulation = simulationAt(1, scene, tick);
	const quads = createQuads(simulation);
	const range = new Int32Array(2);
	return {
		simulation,
		quads,
		write(): number {
			let uploaded = 0;
			writeBirths(quads, (from, to) => {
				uploaded += to - from;
			});
			return uploaded;
		},
		draws() {
			writeDrawRange(quads, range);
			return range[1]! - range[0]!;
		},
	};
}

describe("births", () => {
	test("are the only uploads: none in most ticks, one quad per float", () => {
		const { simulation, write, quads } = start("drift", 100);
		expect(write()).toBe(quads.starts.at(-1)! * 4 * VERTEX_LENGTH);
		const uploads = Array.from({ length: 120 }, () => {
			step(simulation);
			return write();
		});
		expect(uploads.filter((count) => count > 0)).toEqual([4 * VERTEX_LENGTH, 4 * VERTEX_LENGTH]);
	});

	test("count from an epoch that moves every ten minutes, with all records", () => {
		const { simulation, write, quads } = start("drift", 35_999);
		write();
		expect(quads.epoch).toBe(0);
		step(simulation);
		expect(write()).toBe(quads.starts.at(-1)! * 4 * VERTEX_LENGTH);
		expect(quads.epoch).toBe(36_000);
		for (let slot = 0; slot < simulation.slots; slot++) {
			const vertex = quads.starts[slot]! * 4 * VERTEX_LENGTH + 3;
			const record = slot * STRIDE;
			for (const field of [FIELD.birth, FIELD.death]) {
				expect(quads.vertices[vertex + field]).toBe(
					simulation.records.ints[record + field]! - 36_000,
				);
			}
		}
	});
});

test("a ring is drawn until its last death", () => {
	const { simulation, write, draws } = start("fireworks", 300);
	write();
	expect(draws()).toBeGreaterThan(0);
	setScene(simulation, "none");
	const { ints } = simulation.records;
	const lastDeath = () =>
		Math.max(...Array.from(ints).filter((_, word) => word % STRIDE === FIELD.death));
	while (simulation.tick < lastDeath()) {
		expect(draws()).toBeGreaterThan(0);
		step(simulation);
		write();
	}
	expect(draws()).toBe(0);
});

test("rockets alone are drawn with their lights, which are behind all rockets", () => {
	const { simulation, quads, write } = start("fireworks", 50);
	write();
	const range = new Int32Array(2);
	writeDrawRange(quads, range);
	const drawn = quadTriangles(quads)
		.slice(range[0]! * 6, range[1]! * 6)
		.filter((_, i) => i % 6 === 0)
		.map((vertex) => vertex / 4);
	const { first, length, width } = simulation.rings[KIND.rocket]!;
	const slots = Array.from({ length: length * width }, (_, i) => first + i);
	const rockets = slots.map((slot) => quads.starts[slot + 1]! - 1);
	expect(drawn.slice(-slots.length)).toEqual(rockets);
	expect(new Set(drawn)).toEqual(
		new Set(slots.flatMap((slot) => [0, 1, 2].map((quad) => quads.starts[slot]! + quad))),
	);
});

test("orbit segments are drawn behind floats, and not with fireworks alone", () => {
	const drift = start("drift", 100);
	drift.write();
	const { lines, from, slots } = drift.quads.order;
	expect(from - lines).toBe(ORBIT_LINE.steps);
	expect(drift.draws()).toBe(from - lines + slots.length);
	const fireworks = start("fireworks", 300);
	fireworks.write();
	expect(fireworks.draws()).toBeLessThanOrEqual(lines);
	const drawn = orbitLineTriangles(drift.quads, true);
	expect([...drawn]).toEqual(quadTriangles(drift.quads).slice(lines * 6, from * 6));
	expect(new Set(orbitLineTriangles(drift.quads, false)).size).toBe(1);
});

test("near floats are drawn over far ones, and over fireworks", () => {
	const simulation = simulationAt(7, "both", 1200);
	const quads = createQuads(simulation);
	const triangles = quadTriangles(quads);
	expect(new Set(triangles).size).toBe(quads.vertices.length / VERTEX_LENGTH);
	const floats = triangles.slice(quads.order.from * 6).filter((_, i) => i % 6 === 0);
	const sizes = floats.map(
		(vertex) => simulation.records.floats[(vertex / 4) * STRIDE + FIELD.size]!,
	);
	expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
	expect(Math.max(...sizes)).toBeGreaterThan(60);
});

test("the next round of floats swaps the sides of emoji", () => {
	const simulation = simulationAt(7, "drift", 2400);
	const { first } = simulation.rings[KIND.float]!;
	const sides = [0, EMOJI.length].map((from) => {
		const ordinals = Array.from({ length: EMOJI.length }, (_, i) => from + i);
		const kinds = ordinals.map((ordinal) => emojiOf(simulation, first + ordinal));
		return new Set(kinds.filter((_, i) => floatXOf(simulation.seed, from + i) < 0));
	});
	expect(sides[0]!.size).toBeGreaterThan(7);
	expect([...sides[0]!].filter((kind) => sides[1]!.has(kind)).length).toBeLessThan(3);
});
