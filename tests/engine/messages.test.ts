import { describe, expect, test } from "vitest";
import {
	type PageMessage,
	readPageMessage,
	readWorkerMessage,
	type WorkerMessage,
} from "../../engine/messages.ts";

const facts = {
	scene: "drift",
	paused: false,
	still: false,
	salutes: 0,
	quietZone: [0, 0, 100, 20],
	width: 390,
	height: 844,
	pixelRatio: 3,
	seen: true,
} as const;

const fromPage: Exclude<PageMessage, { kind: "start" }>[] = [
	{ kind: "set", facts },
	{ kind: "set", facts: { paused: true } },
	{ kind: "set", facts: { quietZone: new Float32Array(4) } },
	{ kind: "set", facts: {} },
	{ kind: "seek", tick: 600 },
	{ kind: "ping", period: 16.7 },
	{ kind: "destroy" },
];

const stats = {
	way: "worker",
	level: 4,
	pixelRatio: 0.75,
	tick: 60,
	dropped: 0,
	skipped: 0,
	drawCalls: 2,
	fingerprint: "0123456789abcdef",
	frameTimes: new Float32Array(3),
} as const;

const fromWorker: WorkerMessage[] = [
	{ kind: "proof", webgl: true },
	{ kind: "shown", shown: false },
	{ kind: "alive", frames: 1, due: true, tick: 1 },
	{ kind: "stats", stats },
	{ kind: "failed", reason: "There is no WebGL.", final: false },
];

describe("what was meant is understood", () => {
	test.each(fromPage)("by the worker: $kind $facts", (message) => {
		expect(readPageMessage(structuredClone(message))).toEqual(message);
	});

	test.each(fromWorker)("by the page: $kind", (message) => {
		expect(readWorkerMessage(structuredClone(message))).toEqual(message);
	});
});

describe("anything else is refused in a sentence", () => {
	test.each<unknown>([
		undefined,
		null,
		"ping",
		7,
		[],
		{},
		{ kind: "toString" },
		{ kind: "Ping" },
		{ kind: "set" },
		{ kind: "set", facts: null },
		{ kind: "set", facts: { scene: "storm" } },
		{ kind: "set", facts: { paused: 1 } },
		{ kind: "set", facts: { width: -1 } },
		{ kind: "set", facts: { width: Number.NaN } },
		{ kind: "set", facts: { quietZone: "0 0 1 1" } },
		{ kind: "set", facts: { quietZone: [Number.NaN] } },
		{ kind: "set", facts: { colour: "red" } },
		{ kind: "set", facts: { constructor: true } },
		{ kind: "seek" },
		{ kind: "seek", tick: 0.5 },
		{ kind: "seek", tick: 1e9 + 1 },
		{ kind: "ping" },
		{ kind: "ping", period: Number.POSITIVE_INFINITY },
	])("by the worker: %o", (message) => {
		expect(() => readPageMessage(message)).toThrow(TypeError);
		expect(() => readPageMessage(message)).toThrow(/^The page said .*means nothing to the worker/);
	});

	test.each<unknown>([
		undefined,
		{ kind: "proof" },
		{ kind: "proof", webgl: "yes" },
		{ kind: "alive", frames: 1, due: true },
		{ kind: "stats", stats: { ...stats, way: "magic" } },
		{ kind: "stats", stats: { ...stats, frameTimes: [1] } },
		{ kind: "failed", reason: 7, final: false },
		{ kind: "ping" },
	])("by the page: %o", (message) => {
		expect(() => readWorkerMessage(message)).toThrow(
			/^The worker said .*means nothing to the page/,
		);
	});

	test("even when it cannot be written down", () => {
		const ring: { kind: string; itself?: unknown } = { kind: "ring" };
		ring.itself = ring;
		expect(() => readWorkerMessage(ring)).toThrow(/^The worker said/);
	});
});
