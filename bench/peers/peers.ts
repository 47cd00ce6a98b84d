/**
 * `npm run bench:peers`: measures CPU time per frame of moving emoji, drawn by the engine and by
 * libraries from npm, and prints the table of bench/README.md. `-- --quick` only checks that all
 * draw. Needs Linux.
 */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import type { Worker } from "playwright-core";
import { build } from "vite";
import { EMOJI } from "../../engine/simulation/index.ts";
import { compiledRegl } from "../../src/tooling/shaders/compiled-regl.ts";
import { minifyShaders } from "../../src/tooling/shaders/minify-shaders.ts";
import { launchChromium } from "../harness/browsers/chromium.ts";
import { median } from "../time-verdict.ts";

export interface Sprite {
	text: (typeof EMOJI)[number];
	size: number;
	x: number;
	y: number;
	/** px per frame; `spin` is in radians per frame. */
	velocityX: number;
	velocityY: number;
	spin: number;
}

interface Arm {
	title: string;
	file: string;
	inWorker?: boolean;
}

const ARMS: readonly Arm[] = [
	{ title: "a cleared canvas", file: "nothing.js" },
	{ title: "Orbit, in its worker", file: "orbit.ts", inWorker: true },
	{ title: "Orbit, on the page", file: "orbit.ts" },
	{ title: "pixi.js", file: "pixi.js" },
	{ title: "tsparticles", file: "tsparticles.js" },
	{ title: "canvas-confetti", file: "canvas-confetti.js" },
	{ title: "canvas-confetti, in its worker", file: "canvas-confetti.js", inWorker: true },
];

const [WIDTH, HEIGHT] = [1280, 800];
const SIZES_PX = [24, 48, 72, 96, 120];
/** Longer than any measurement, so that no sprite dies. */
const LIFE_FRAMES = 3600;

const isQuick = process.argv.includes("--quick");
const counts = isQuick ? [32] : [32, 100];
const rounds = isQuick ? 1 : 3;
const [warmMs, measuredMs] = isQuick ? [500, 500] : [2000, 4000];

interface Drawn {
	pictures: number;
	sprites: number;
}

declare global {
	var drawn: Drawn;
}

interface Sample {
	pageMs: number;
	workerMs: number;
	brotliBytes: number;
}

await promisify(execFile)(
	"npm",
	["install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"],
	{ cwd: "bench/peers/arms" },
);
const samples = new Map<string, Sample[]>();
for (let round = 0; round < rounds; round++) {
	for (const arm of round % 2 === 0 ? ARMS : ARMS.toReversed()) {
		const files = await buildArm(arm);
		for (const count of counts) {
			const sample = await measure(arm, files, count);
			console.error(`${arm.title}, ${count}: ${sample.pageMs.toFixed(2)} ms`);
			const key = `${arm.title} ${count}`;
			samples.set(key, [...(samples.get(key) ?? []), sample]);
		}
	}
}
console.log(table());

/** Bundles a library as a site would ship it. */
async function buildArm({ file }: Arm): Promise<Map<string, string>> {
	const plugins = () => [compiledRegl(), minifyShaders()];
	const { output } = (await build({
		configFile: false,
		logLevel: "error",
		plugins: plugins(),
		worker: { format: "es", plugins },
		build: {
			write: false,
			target: "es2022",
			modulePreload: false,
			rolldownOptions: {
				input: `bench/peers/arms/${file}`,
				preserveEntrySignatures: "strict",
				output: { entryFileNames: "start.js" },
				checks: { pluginTimings: false },
			},
		},
	})) as unknown as { output: { fileName: string; code?: string; source?: string }[] };
	return new Map(
		output.map(({ fileName, code, source }) => [`/${fileName}`, code ?? source ?? ""]),
	);
}

/** Uses a new browser, so that libraries do not slow each other down. */
async function measure(arm: Arm, files: Map<string, string>, count: number): Promise<Sample> {
	const browser = await launchChromium({ graphics: "software" });
	try {
		const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
		page.on("pageerror", (error) => console.error(`${arm.title}: ${error.message}`));
		let brotliBytes = 0;
		await page.route("http://bench.test/**", (route) => {
			const code = files.get(new URL(route.request().url()).pathname);
			brotliBytes += code ? brotliCompressSync(code).length : 0;
			const contentType = code ? "text/javascript" : "text/html";
			return route.fulfill({ contentType, body: code ?? html(arm, count) });
		});
		await page.goto("http://bench.test/");
		const { processInfo } = await (await browser.newBrowserCDPSession()).send(
			"SystemInfo.getProcessInfo",
		);
		const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
		const thread: Pick<Worker, "evaluate"> = arm.inWorker
			? (page.workers()[0] ?? (await page.waitForEvent("worker")))
			: page;
		await thread.evaluate(countPictures);
		const read = async () => ({
			...(await thread.evaluate(() => globalThis.drawn)),
			...(await cpuMs(renderers)),
		});
		/** Waits for at least `ms`, and until another frame has been drawn. */
		async function readAfter(ms: number, { pictures }: Drawn) {
			for (;;) {
				await sleep(ms);
				const now = await read();
				if (now.pictures > pictures) return now;
			}
		}
		const before = await readAfter(warmMs, await read());
		const after = await readAfter(measuredMs, before);
		if (arm.file !== "nothing.js" && after.sprites < count) {
			throw new Error(`${arm.title} draws ${after.sprites} of ${count} sprites.`);
		}
		const pictures = after.pictures - before.pictures;
		return {
			pageMs: (after.page - before.page) / pictures,
			workerMs: (after.worker - before.worker) / pictures,
			brotliBytes,
		};
	} finally {
		await browser.close();
	}
}

function html({ inWorker = false }: Arm, count: number): string {
	return `<!doctype html>
		<style>body { margin: 0 }</style>
		<canvas width="${WIDTH}" height="${HEIGHT}"></canvas>
		<script type="module">
			import { start } from "/start.js";
			const sprites = ${JSON.stringify(spritesOf(count))};
			start(document.querySelector("canvas"), sprites, ${LIFE_FRAMES}, ${inWorker});
		</script>`;
}

function spritesOf(count: number): Sprite[] {
	return Array.from({ length: count }, (_, n) => {
		// Spread evenly by additive recurrences: http://extremelearning.com.au
		const [a, b] = [(n * 0.7548776662) % 1, (n * 0.5698402909) % 1];
		return {
			text: EMOJI[n % EMOJI.length]!,
			size: SIZES_PX[n % SIZES_PX.length]!,
			x: a * WIDTH,
			y: b * HEIGHT,
			velocityX: b - 0.5,
			velocityY: -a,
			spin: (a - 0.5) * 0.05,
		};
	});
}

/** Counts frames in which something is drawn, because libraries count frames differently. */
function countPictures(): void {
	const drawn = { pictures: 0, sprites: 0 };
	let draws = 0;
	let sprites = 0;
	function wrap(context: string, name: string, spritesOf: (count: number) => number): void {
		const prototype = Reflect.get(globalThis, context)?.prototype;
		const method = prototype?.[name];
		if (!method) return;
		prototype[name] = function (...args: number[]) {
			draws++;
			sprites += spritesOf(args[1]!);
			return method.apply(this, args);
		};
	}
	for (const name of ["CanvasRenderingContext2D", "OffscreenCanvasRenderingContext2D"]) {
		wrap(name, "clearRect", () => 0);
		for (const method of ["drawImage", "fillRect", "fillText"]) wrap(name, method, () => 1);
	}
	for (const name of ["WebGLRenderingContext", "WebGL2RenderingContext"]) {
		// A sprite has six indices, for two triangles.
		wrap(name, "drawElements", (count) => count / 6);
	}
	const request = globalThis.requestAnimationFrame;
	globalThis.requestAnimationFrame = (callback) =>
		request((time) => {
			draws = sprites = 0;
			callback(time);
			if (draws > 0) Object.assign(drawn, { pictures: drawn.pictures + 1, sprites });
		});
	globalThis.drawn = drawn;
}

/** CPU time of the threads that run JavaScript, from `schedstat` in proc(5). */
async function cpuMs(processes: readonly number[]): Promise<{ page: number; worker: number }> {
	const sum = { page: 0, worker: 0 };
	for (const id of processes) {
		for (const thread of await readdir(`/proc/${id}/task`)) {
			const read = (name: string) =>
				readFile(`/proc/${id}/task/${thread}/${name}`, "utf8").catch(() => "");
			const ms = Number((await read("schedstat")).split(" ")[0]) / 1e6;
			if (thread === `${id}`) sum.page += ms;
			else if ((await read("comm")).startsWith("DedicatedWorker")) sum.worker += ms;
		}
	}
	return sum;
}

function table(): string {
	const ms = (value: number) => value.toLocaleString("en", { maximumSignificantDigits: 3 });
	const rows = ARMS.map(({ title, inWorker }) => {
		const middle = (count: number, read: (sample: Sample) => number) =>
			median(samples.get(`${title} ${count}`)!.map(read));
		const cells = counts.map((count) => {
			const page = ms(middle(count, ({ pageMs }) => pageMs));
			return inWorker ? `${page} + ${ms(middle(count, ({ workerMs }) => workerMs))}` : page;
		});
		const bytes = middle(counts[0]!, ({ brotliBytes }) => brotliBytes);
		return [title, ...cells, (bytes / 1000).toFixed(1)];
	});
	const head = ["", ...counts.map((count) => count.toLocaleString("en")), "kB"];
	const rule = head.map((_, column) => (column === 0 ? "---" : "--:"));
	return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
