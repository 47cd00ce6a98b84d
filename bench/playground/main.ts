import { createEngine, type Engine } from "#engine";
import { THEME } from "../../engine/default-theme.ts";
import { NIGHT } from "../../engine/player/director.ts";
import { fingerprint } from "../../engine/simulation/fingerprint.ts";
import { countParticles, restoreSimulation, sceneOf } from "../../engine/simulation/index.ts";
import { createFrameChart } from "./frame-chart.ts";
import { type CountedStats, countGl, type GlCounts } from "./gl-counts.ts";
import { addSelectOptions, fillFormFromLink, linkToRun, readRunFromForm } from "./run.ts";

const find = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!;
const form = find<HTMLFormElement>("run");
const track = find<HTMLInputElement>("track");
const tickField = find<HTMLInputElement>("tick");
const play = find<HTMLButtonElement>("play");
const stage = find("stage");
const agreement = find("agreement");
const status = find("status");
const chart = createFrameChart(find<HTMLCanvasElement>("chart"), find("frames"));
const glOfPage = countGl();

addSelectOptions(form);
status.textContent = fillFormFromLink(form, location.search).join(" ");
let linked = new URLSearchParams(location.search).get("fingerprint");

let run = readRunFromForm(form);
let engine: Engine | undefined;
let tick = tickField.valueAsNumber;
let playing = false;
let before: GlCounts | undefined;
let perPicture: Pick<GlCounts, "calls" | "bytes"> | undefined;

function start(): void {
	engine?.destroy();
	run = readRunFromForm(form);
	delete stage.dataset.backend;
	agreement.textContent = "no picture yet";
	perPicture = undefined;
	engine = createEngine(stage.querySelector<HTMLElement>(".picture")!, {
		...run,
		theme: THEME,
		onStats: show,
		onShown(backend) {
			stage.dataset.backend = backend;
		},
	});
	seek(tick);
	engine.set({ scene: "both" });
}

function setPlaying(value: boolean): void {
	playing = value;
	before = undefined;
	play.textContent = playing ? "Pause" : "Play";
	engine?.set({ paused: !playing });
	// A paused picture must show exactly this tick, without the fraction that has passed.
	if (!playing) engine?.seek(tick);
}

function seek(value: number): void {
	moveTo(value);
	setPlaying(false);
}

function moveTo(value: number): void {
	tick = value;
	tickField.value = track.value = `${tick}`;
}

function show({ gl = { ...glOfPage }, ...stats }: CountedStats): void {
	// Ignores stats from before the latest seek.
	if (!playing && stats.tick !== tick) return;
	if (playing) moveTo(stats.tick);
	const simulation = restoreSimulation({ ...run, tick });
	stage.dataset.sky = NIGHT[sceneOf(simulation)] ? "night" : "day";
	compare(stats, fingerprint(simulation));
	if (!playing) keepLink();

	// Skips the first stats after a pause, because their frame times include it.
	const frames = stats.frameTimes.length;
	if (playing && before && frames > 0) {
		chart.add(stats.frameTimes);
		perPicture = {
			calls: Math.round((gl.calls - before.calls) / frames),
			bytes: Math.round((gl.bytes - before.bytes) / frames),
		};
	}
	before = gl;
	const alive = Object.values(countParticles(simulation).alive);
	list(find("counters"), {
		"quality level": `${stats.level}, ${stats.pixelRatio.toFixed(2)} px per CSS px`,
		particles: alive.reduce((sum, count) => sum + count),
		"draw calls per picture": stats.drawCalls,
		"GL calls per picture": perPicture?.calls ?? "–",
		"bytes uploaded per picture": perPicture?.bytes ?? "–",
		"GL objects": gl.objects,
		"pictures skipped (GPU busy)": stats.skipped,
		"ticks dropped": stats.dropped,
	});
}

function compare({ backend, fingerprint }: CountedStats, computed: string): void {
	find("fingerprint").textContent = fingerprint;
	const agrees = fingerprint === computed;
	agreement.textContent = `${backend} ${agrees ? "agrees" : "differs"}`;
	agreement.dataset.agrees = `${agrees}`;
	if (linked) {
		status.append(linked === computed ? " Same run as in the link." : ` The link has ${linked}.`);
	}
	linked = null;
}

function list(place: HTMLElement, entries: Readonly<Record<string, string | number>>): void {
	const items = Object.entries(entries).flatMap(([name, value]) => [
		Object.assign(document.createElement("dt"), { textContent: name }),
		Object.assign(document.createElement("dd"), { textContent: `${value}` }),
	]);
	place.replaceChildren(...items);
}

const link = () => linkToRun(form, fingerprint(restoreSimulation({ ...run, tick })));

let timer: ReturnType<typeof setTimeout> | undefined;
/** Delayed, because browsers block frequent calls of `replaceState`. */
function keepLink(): void {
	clearTimeout(timer);
	timer = setTimeout(() => history.replaceState(null, "", link()), 300);
}

play.addEventListener("click", () => setPlaying(!playing));
track.addEventListener("keydown", (event) => {
	if (event.key !== " ") return;
	event.preventDefault();
	setPlaying(!playing);
});
track.addEventListener("input", () => seek(track.valueAsNumber));
tickField.addEventListener("focus", () => setPlaying(false));
find("copy").addEventListener("click", async () => {
	history.replaceState(null, "", link());
	await navigator.clipboard.writeText(location.href);
	status.textContent = `Link copied: tick ${tick}.`;
});
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", ({ target }) => {
	if (target === track || !form.reportValidity()) return;
	if (target === tickField) seek(tickField.valueAsNumber);
	else start();
});
start();
