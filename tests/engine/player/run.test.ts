import { describe, expect, test } from "vitest";
import { SCENARIOS } from "../../../bench/harness/scenarios.ts";
import type { FrameStats } from "../../../engine/messages.ts";
import { fingerprint } from "../../../engine/simulation/fingerprint.ts";
import { restoreSimulation } from "../../../engine/simulation/index.ts";
import type { Input } from "../../../engine/simulation/runs.ts";
import { FINGERPRINTS } from "../simulation/fingerprints.ts";
import { startPlayer } from "./player-by-hand.ts";

describe("a salute", () => {
	/** Fingerprint of a simulation with seed 1 and these changes, at the player's last tick. */
	const runWith = (changes: readonly Input[], stats: readonly FrameStats[]) => {
		const { tick } = stats.at(-1)!;
		return fingerprint(
			restoreSimulation({ seed: 1, inputs: [{ tick: 0, scene: "drift" }, ...changes], tick }),
		);
	};

	test("adds rockets at the requested tick, and leaves the sky as it is", () => {
		const { player, turn, stats, drawn } = startPlayer();
		turn(30);
		const { tick } = player.pulse();
		player.set({ salutes: 1 });
		turn(90);
		expect(drawn.at(-1)!.night).toBe(0);
		const changes = [
			{ tick, scene: "both" },
			{ tick: tick + 1, scene: "drift" },
		] as const;
		expect(stats.at(-1)!.fingerprint).toBe(runWith(changes, stats));
		expect(stats.at(-1)!.fingerprint).not.toBe(runWith([], stats));
	});

	test.each([{ paused: true }, { still: true }, { seen: false }])("is dropped with %o", (quiet) => {
		const { player, turn, stats } = startPlayer();
		turn(30);
		player.set(quiet);
		player.set({ salutes: 1 });
		player.set({ paused: false, still: false, seen: true });
		turn(90);
		expect(stats.at(-1)!.fingerprint).toBe(runWith([], stats));
	});

	test("is dropped if requested before the first frame", () => {
		const { turn, stats } = startPlayer({ salutes: 2 });
		turn(60);
		expect(stats.at(-1)!.fingerprint).toBe(runWith([], stats));
	});
});

describe("a seek", () => {
	const visit = SCENARIOS.find(({ name }) => name === "visit 42")!;
	const settings = { seed: visit.seed, inputs: visit.inputs };

	test("redraws a stopped picture once, and reports its fingerprint", () => {
		const { turn, player, drawn, stats } = startPlayer({ paused: true }, settings);
		turn(2);
		player.seek(600);
		expect(turn(5)).toBe(1);
		expect(drawn.at(-1)?.time).toBe(600.5);
		expect(stats.at(-1)).toMatchObject({
			tick: 600,
			fingerprint: FINGERPRINTS["visit 42"]!.split(" ")[2],
		});
	});

	test("is where the run continues once the picture moves", () => {
		const { turn, player, drawn } = startPlayer();
		turn(100);
		player.seek(20);
		turn(11);
		expect(drawn.at(-1)?.time).toBeCloseTo(30.5, 2);
	});

	test("across dusk takes effect at once", () => {
		const { turn, player, drawn } = startPlayer({}, settings);
		turn(2);
		player.seek(600);
		turn(2);
		expect(drawn.at(-1)?.night).toBe(1);
	});
});

describe("inputs", () => {
	const settings = {
		seed: 42,
		inputs: [
			{ tick: 0, scene: "drift" },
			{ tick: 30, scene: "fireworks" },
		] as const,
	};

	test("turn morning into night at their tick, whatever scene is set", () => {
		const { turn, player, drawn } = startPlayer({ scene: "both" }, settings);
		player.set({ scene: "drift" });
		turn(30);
		expect(drawn.at(-1)?.night).toBe(0);
		turn(30);
		expect(drawn.at(-1)?.night).toBeGreaterThan(0.05);
		turn(90);
		expect(drawn.at(-1)?.night).toBe(1);
	});
});
