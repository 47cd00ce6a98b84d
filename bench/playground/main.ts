import "./playground.css";
import { readAddress } from "./address.ts";
import { hearGlCounts } from "./gl-counts/hear-gl-counts.ts";
import { makeJank } from "./jank.ts";
import { connectLink } from "./link.ts";
import { connectControls } from "./panels/controls.ts";
import { showPicture } from "./panels/picture.ts";
import { showPlots } from "./panels/plots.ts";
import { connectReplays } from "./panels/replays.ts";
import { connectTransport } from "./panels/transport.ts";
import { createReferenceSimulation, type Moment } from "./reference-simulation.ts";
import { createPlayground, type PlaygroundState, setPlaying } from "./state.ts";

const find = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!;
const stage = find("stage");
const status = find("status");

const { setup, print, complaints } = readAddress(location.search);
// A link may request playing, which starts once its first picture has been compared.
const playground = createPlayground({ ...setup, playing: false });
const reference = createReferenceSimulation();
let seen: Moment = reference(setup, setup.tick);

function say(words: string): void {
	status.textContent = words;
}

const INVITATION = "Press Play, or move along the track.";

/** The current status; empty for a picture at rest. */
function presently({ nothing, playing }: PlaygroundState): string {
	if (nothing) return `Nothing plays: ${nothing.why}`;
	return playing ? "Playing." : "";
}

function show(now: PlaygroundState): void {
	seen = reference(now, now.tick);
	find("fingerprint").textContent = seen.fingerprint;
	// Not the site's morning, which is dusk in dark mode: a link shows the same picture everywhere.
	stage.dataset.sky = seen.scene === "fireworks" || seen.scene === "both" ? "night" : "day";
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

const pageCounts = hearGlCounts((gl) => playground.setState({ gl }));
playground.subscribe((now, before) => {
	if (now.stats && now.stats !== before.stats && now.stats.backend === "page") {
		playground.setState({ gl: { ...pageCounts } });
	}
});
playground.subscribe((now, before) => {
	if (now.nothing !== before.nothing) say(presently(now) || INVITATION);
	else if (now.playing !== before.playing) say(presently(now) || `Stopped at tick ${now.tick}.`);
});
// First, because the other parts read its results.
playground.subscribe(show);
connectTransport(playground, document);
connectControls(playground, find<HTMLFormElement>("controls"));
showPlots(playground, find("plots"), () => seen);
connectReplays(playground, say);
connectLink(playground, () => reference(playground.getState(), playground.getState().tick), say);
makeJank(playground);
show(playground.getState());
showPicture(playground, stage);

function greet(): void {
	const words = [...complaints];
	if (print === seen.fingerprint) words.unshift(`The same fingerprint as in the link: ${print}.`);
	else if (print) {
		words.unshift(
			`Not as in the link: ${print} there, ${seen.fingerprint} here, tick ${setup.tick}.`,
		);
	}
	if (setup.playing && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
		setPlaying(playground, true);
	}
	say([...words, presently(playground.getState())].join(" ").trim() || INVITATION);
}
greet();
