/**
 * Recorded on a busy machine with two cores: Chromium without a GPU, 1440 x 900. Each digit is a
 * drawn frame: 60 Hz display frames since the one before.
 */
import { expect, test } from "vitest";
import { witness } from "../../../../engine/player/quality/display.ts";
import {
	createQuality,
	isDue,
	levelOf,
	noteFrame,
} from "../../../../engine/player/quality/quality.ts";

/**
 * At a whole pixel, with a dozen runnable processes: 13 s at 20 frames a second, 48 % of them after
 * 50 ms.
 */
const BUSY = [
	"23343343232332333433233222333333434333233232332323233233233332334434447333233422332223343433433333432",
	"32323232333432443424344345444453443444434434444223223223234343454454344334333332333323333433333243333",
	"33333433234353332333323333423323332333242334233333334343333",
].join("");

/** With twice as many: 14 s at 16 frames a second. */
const OVERLOADED = [
	"552635575365a9b49523223222222222232222253232333232554232334322223444226d69363b33232322322332232422233",
	"2232233323322233222232222222222223232232342322332232584444675266438625449366572466555242534543323245",
	"3553574a33b534",
].join("");

/** Loops recordings, one per known level. Returns level and seconds of each change. */
function replay(schedules: Record<number, string>, seconds: number) {
	const quality = createQuality({ software: true, onPage: false, cores: 2 }, true, 1);
	const changes: [seconds: number, level: number][] = [];
	let frame = 0;
	let drawnAt = 0;
	const draws: Record<number, number> = {};
	const gap = () => {
		const { level } = quality.ladder;
		const schedule = schedules[level] ?? "2";
		draws[level] = (draws[level] ?? 0) + 1;
		return Number.parseInt(schedule[draws[level] % schedule.length]!, 36);
	};
	let next = gap();
	while (frame < seconds * 60) {
		frame++;
		const timeMs = (frame * 1000) / 60;
		if (frame % 60 === 0) witness(quality.display, 1000 / 60);
		const late = frame - drawnAt < next;
		const due = isDue(quality, timeMs);
		// Chromium throttles a slow worker's frames, so none is ever busy.
		if (late && due) continue;
		if (noteFrame(quality, timeMs, due ? "drawn" : "passed")) {
			changes.push([frame / 60, quality.ladder.level]);
		}
		if (!due) continue;
		drawnAt = frame;
		next = gap();
	}
	return { changes, pixelRatio: levelOf(quality).pixelRatio };
}

test("a busy machine has its whole pixel within 3 s, and keeps it", () => {
	const { changes, pixelRatio } = replay({ 6: BUSY }, 120);
	expect(pixelRatio).toBe(1);
	expect(changes.at(-1)![0]).toBeLessThan(3);
});

test("an overloaded machine trades pixels for frames", () => {
	const { pixelRatio } = replay({ 6: OVERLOADED }, 20);
	expect(pixelRatio).toBeLessThan(1);
});

test("a fall that gains no frames lasts 3 s and happens once", () => {
	const slow = Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [level, "4"]));
	const { changes, pixelRatio } = replay(slow, 120);
	expect(changes.map(([, level]) => level)).toEqual([5, 6, 5, 6]);
	expect(changes[3]![0] - changes[2]![0]).toBeLessThan(3);
	expect(pixelRatio).toBe(1);
});
