import { expect, test } from "vitest";
import {
	CHANGES_LENGTH,
	createCursor,
	createSimulation,
	readChanges,
	STRIDE,
	seek,
	setScene,
	step,
} from "../../../engine/simulation/index.ts";

function reader() {
	const simulation = createSimulation(1, "both");
	const cursor = createCursor();
	const ranges = new Int32Array(CHANGES_LENGTH);
	const read = () => Array.from(ranges.subarray(0, readChanges(simulation, cursor, ranges)));
	return { simulation, read };
}

test("the first reading is of everything", () => {
	const { simulation, read } = reader();
	expect(read()).toEqual([0, simulation.slots]);
});

test("after that, only what is born is read", () => {
	const { simulation, read } = reader();
	const [floats, rockets, bursts] = simulation.rings;
	read();
	step(simulation);
	expect(read()).toEqual([floats.first, floats.first + 6, rockets.first, rockets.first + 3]);
	step(simulation);
	expect(read()).toEqual([]);
	while (simulation.tick < 96) step(simulation);
	read();
	step(simulation);
	expect(read()).toEqual([rockets.first + 4, rockets.first + 5, bursts.first, bursts.first + 75]);
});

test("a minute of both scenes is 2,017 records, whatever lives", () => {
	const { simulation, read } = reader();
	read();
	let records = 0;
	while (simulation.tick < 3_600) {
		step(simulation);
		for (const [i, slot] of read().entries()) records += i % 2 === 0 ? -slot : slot;
	}
	const [floats, rockets, bursts] = [6 + 59, 3 + 74, 3 + 72];
	expect(records).toBe(floats + rockets + 25 * bursts);
	expect(records).toBe(2_017);
});

test("a seek and the end of drift bring everything again", () => {
	const { simulation, read } = reader();
	step(simulation);
	read();
	seek(simulation, 500);
	expect(read()).toEqual([0, simulation.slots]);
	setScene(simulation, "fireworks");
	step(simulation);
	expect(read()).toEqual([0, simulation.slots]);
	expect(read()).toEqual([]);
});

test("two readers do not disturb each other", () => {
	const { simulation, read } = reader();
	const other = createCursor();
	const ranges = new Int32Array(CHANGES_LENGTH);
	read();
	step(simulation);
	expect(readChanges(simulation, other, ranges)).toBe(2);
	expect(read()).toHaveLength(4);
});

test("what is read is what was written, however often the rings have gone round", () => {
	const { simulation, read } = reader();
	const { ints } = simulation.records;
	seek(simulation, 12_000);
	read();
	for (let reading = 0; reading < 400; reading++) {
		const before = ints.slice();
		for (let steps = 1 + (reading % 130); steps > 0; steps--) step(simulation);
		const written = Array.from({ length: simulation.slots }, (_, slot) => slot).filter((slot) =>
			ints
				.subarray(slot * STRIDE, (slot + 1) * STRIDE)
				.some((word, i) => word !== before[slot * STRIDE + i]),
		);
		const ranges = read();
		const told: number[] = [];
		for (let i = 0; i < ranges.length; i += 2) {
			for (let slot = ranges[i]!; slot < ranges[i + 1]!; slot++) told.push(slot);
		}
		expect(told.sort((a, b) => a - b)).toEqual(written);
	}
});
