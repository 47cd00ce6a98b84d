/** The bench page: one state, and the parts that show it and change it. */
import "./playground.css";
import { readAddress } from "./address.ts";
import { connectControls } from "./controls.ts";
import { hearGlCounts } from "./hear-gl-counts.ts";
import { makeJank } from "./jank.ts";
import { connectLink } from "./link.ts";
import { showPicture } from "./picture.ts";
import { showPlots } from "./plots.ts";
import { createTwin, type Moment } from "./reference-simulation.ts";
import { connectReplays } from "./replays.ts";
import { type BenchState, createBench, setPlaying } from "./state.ts";
import { connectTransport } from "./transport.ts";

const find = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!;
const stage = find("stage");
const status = find("status");

const { setup, print, complaints } = readAddress(location.search);
// A link may have been playing: that begins when its first picture has been compared.
const bench = createBench({ ...setup, playing: false });
const twin = createTwin();
let seen: Moment = twin(setup, setup.tick);

function say(words: string): void {
	status.textContent = words;
}

const INVITATION = "Press Play, or move along the track.";

/** What goes on, or why nothing does; nothing to say of a picture at rest. */
function presently({ nothing, playing }: BenchState): string {
	if (nothing) return `Nothing plays: ${nothing.why}`;
	return playing ? "Playing." : "";
}

/** The fingerprint, whether the picture has it as well, and the sky behind the picture. */
function show(now: BenchState): void {
	seen = twin(now, now.tick);
	find("fingerprint").textContent = seen.fingerprint;
	stage.dataset.sky = seen.scene === "fireworks" || seen.scene === "both" ? "night" : "morning";
	const { stats, nothing } = now;
	const [verdict, words] = nothing
		? ["waiting", "no engine"]
		: stats?.tick !== now.tick
			? ["waiting", "waiting"]
			: stats.fingerprint === seen.fingerprint
				? ["same", `${stats.backend} agrees`]
				: ["other", `${stats.backend} differs`];
	Object.assign(find("agreement").dataset, { verdict });
	find("agreement").textContent = words ?? "";
}

const pageCounts = hearGlCounts((gl) => bench.setState({ gl }));
bench.subscribe((now, before) => {
	if (now.stats && now.stats !== before.stats && now.stats.backend === "page")
		bench.setState({ gl: { ...pageCounts } });
});
bench.subscribe((now, before) => {
	if (now.nothing !== before.nothing) say(presently(now) || INVITATION);
	else if (now.playing !== before.playing) say(presently(now) || `Stopped at tick ${now.tick}.`);
});
// The others read what this one works out.
bench.subscribe(show);
connectTransport(bench, document);
connectControls(bench, find<HTMLFormElement>("controls"));
showPlots(bench, find("plots"), () => seen);
connectReplays(bench, say);
connectLink(bench, () => twin(bench.getState(), bench.getState().tick), say);
makeJank(bench);
show(bench.getState());
showPicture(bench, stage);

function greet(): void {
	const words = [...complaints];
	if (print === seen.fingerprint) words.unshift(`The same fingerprint as in the link: ${print}.`);
	else if (print)
		words.unshift(
			`Not as in the link: ${print} there, ${seen.fingerprint} here, tick ${setup.tick}.`,
		);
	if (setup.playing && !matchMedia("(prefers-reduced-motion: reduce)").matches)
		setPlaying(bench, true);
	say([...words, presently(bench.getState())].join(" ").trim() || INVITATION);
}
greet();
