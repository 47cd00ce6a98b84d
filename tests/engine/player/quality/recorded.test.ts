/**
 * Frame times of Chromium without a GPU on a busy machine, at 1440 x 900. Each digit is the number
 * of 60 Hz display frames between two drawn frames.
 */
import { expect, test } from "vitest";
import {
	createQuality,
	isFrameDue,
	levelOf,
	noteDrawnFrame,
} from "../../../../engine/player/quality/quality.ts";

/** With a dozen runnable processes: 13 s at 20 frames a second, 48 % of them 50 ms apart. */
const BUSY = [
	"23343343232332333433233222333333434333233232332323233233233332334434447333233422332223343433433333432",
	"32323232333432443424344345444453443444434434444223223223234343454454344334333332333323333433333243333",
	"33333433234353332333323333423323332333242334233333334343333",
].join("");

/** With two dozen runnable processes: 14 s at 16 frames a second. */
const OVERLOADED = [
	"552635575365a9b49523223222222222232222253232333232554232334322223444226d69363b33232322322332232422233",
	"2232233323322233222232222222222223232232342322332232584444675266438625449366572466555242534543323245",
	"3553574a33b534",
].join("");

/** Repeats a recording. At levels below one pixel per CSS px, it draws 30 frames a second instead. */
function replay(recording: string, seconds: number) {
	const quality = createQuality({ software: true, onPage: false, cores: 2 }, 1);
	let latestChange = 0;
	let drawnAt = 0;
	let draws = 0;
	for (let frame = 1; frame < seconds * 60; frame++) {
		const timeMs = (frame * 1000) / 60;
		const digit = levelOf(quality).pixelRatio === 1 ? recording[draws % recording.length]! : "2";
		if (!isFrameDue(quality, timeMs) || frame - drawnAt < Number.parseInt(digit, 36)) continue;
		if (noteDrawnFrame(quality, timeMs)) latestChange = frame / 60;
		drawnAt = frame;
		draws++;
	}
	return { latestChange, pixelRatio: levelOf(quality).pixelRatio };
}

test("a busy machine gets one pixel per CSS px within 3 s, and keeps it", () => {
	const { latestChange, pixelRatio } = replay(BUSY, 120);
	expect(pixelRatio).toBe(1);
	expect(latestChange).toBeLessThan(3);
});

test("an overloaded machine trades pixels for frames", () => {
	const { pixelRatio } = replay(OVERLOADED, 60);
	expect(pixelRatio).toBeLessThan(1);
});
