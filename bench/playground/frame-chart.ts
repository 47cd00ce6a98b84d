const MOST = 240;
const LATE_MS = 20;
const TOP_MS = 50;
const GUIDES_MS = [1000 / 60, 1000 / 30];

/** Draws one bar per frame time, the latest on the right. Bars of late frames have another color. */
export function createFrameChart(canvas: HTMLCanvasElement, caption: HTMLElement) {
	const times: number[] = [];

	function draw(): void {
		const { clientWidth: width, clientHeight: height } = canvas;
		canvas.width = width * devicePixelRatio;
		canvas.height = height * devicePixelRatio;
		const context = canvas.getContext("2d")!;
		context.scale(devicePixelRatio, devicePixelRatio);
		const style = getComputedStyle(canvas);
		const [ink, bar, late] = ["color", "--bar", "--late"].map((name) =>
			style.getPropertyValue(name),
		);
		const scale = height / TOP_MS;
		const step = width / MOST;
		for (const [i, ms] of times.entries()) {
			context.fillStyle = ms > LATE_MS ? late! : bar!;
			const x = width - (times.length - i) * step;
			context.fillRect(x, height - ms * scale, step - 0.5, ms * scale);
		}
		context.fillStyle = ink!;
		context.font = `11px ${style.fontFamily}`;
		for (const ms of GUIDES_MS) {
			const y = Math.round(height - ms * scale);
			context.fillRect(0, y, width, 1);
			context.fillText(`${ms.toFixed(1)} ms`, 2, y - 3);
		}
	}

	return {
		add(ms: Iterable<number>): void {
			times.push(...ms);
			times.splice(0, times.length - MOST);
			draw();
			if (times.length > 0) caption.textContent = describe(times);
		},
	};
}

function describe(times: readonly number[]): string {
	const sorted = times.toSorted((a, b) => a - b);
	const quantile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]!.toFixed(1);
	const late = times.filter((ms) => ms > LATE_MS).length;
	return `median ${quantile(0.5)} ms, 95 % within ${quantile(0.95)}, longest ${quantile(1)}; ${late} of ${times.length} late`;
}
