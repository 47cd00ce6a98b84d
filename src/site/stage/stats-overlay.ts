import type { FrameStats } from "#engine";

const width = 240;
const height = 64;
/** The plot's top: 50 ms, three frames of a 60 Hz display. */
const topMs = 50;

/**
 * Shows engine stats and live frame times over the page, but over nothing clickable.
 * @returns a function that updates the stats
 */
export function createStatsOverlay(): (stats: FrameStats) => void {
	const overlay = document.createElement("aside");
	overlay.className = "stats-overlay";
	overlay.ariaHidden = "true";
	const plot = Object.assign(document.createElement("canvas"), { width, height });
	const text = document.createElement("pre");
	overlay.append(plot, text);
	document.body.append(overlay);
	const context = plot.getContext("2d");
	const times: number[] = [];
	let drawn = 0;

	function draw(): void {
		if (!context) return;
		context.clearRect(0, 0, width, height);
		for (const [ms, color] of [
			[1000 / 60, "#7cf0b0"],
			[1000 / 30, "#ffd36b"],
		] as const) {
			context.fillStyle = color;
			context.fillRect(0, height - (ms / topMs) * height, width, 1);
		}
		context.fillStyle = "#ffffff";
		times.forEach((ms, x) => {
			const bar = Math.min(1, ms / topMs) * height;
			context.fillRect(x, height - bar, 1, bar);
		});
	}

	return (stats) => {
		times.push(...stats.frameTimes);
		drawn += stats.frameTimes.length;
		times.splice(0, times.length - width);
		draw();
		text.textContent = [
			`backend     ${stats.backend}`,
			`level       ${stats.level} (${stats.pixelRatio.toFixed(2)} px)`,
			`tick        ${stats.tick}`,
			`drawn       ${drawn}`,
			`dropped     ${stats.dropped}`,
			`skipped     ${stats.skipped}`,
			`draw calls  ${stats.drawCalls}`,
			`fingerprint ${stats.fingerprint}`,
		].join("\n");
	};
}
