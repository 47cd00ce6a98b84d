import { SCENES } from "../../../engine/simulation/index.ts";
import type { Replay, Verification } from "../../../engine/simulation/replay.ts";
import { parseReplay } from "../../replay/replay-file.ts";
import { scriptOf } from "../scripts.ts";
import { type Playground, seek } from "../state.ts";
import type { Answer, Order } from "./replay-worker.ts";

/** Larger than any one-hour recording. */
const MOST_BYTES = 64e6;

export function connectReplays(playground: Playground, say: (words: string) => void): void {
	const button = document.querySelector<HTMLButtonElement>("#record")!;
	const field = document.querySelector<HTMLInputElement>("#load")!;

	button.addEventListener("click", async () => {
		const { seed, inputs, ticks } = playground.getState();
		button.disabled = true;
		say(`Recording ${ticks} ticks …`);
		const answer = await ask({ kind: "record", seed, inputs, ticks });
		button.disabled = false;
		button.focus();
		if (answer.kind !== "recorded") return say(reasonOf(answer));
		const name = `${scriptOf(inputs) ?? "replay"}-${seed}-${ticks}.replay.json`;
		download(name, `${JSON.stringify(answer.replay)}\n`);
		say(`Recorded ${ticks} ticks, ${answer.replay.writes.length} records, to ${name}.`);
	});

	async function load(file: File): Promise<void> {
		if (file.size > MOST_BYTES) {
			return say(`${file.name}: Not a replay: it is larger than ${MOST_BYTES / 1e6} MB.`);
		}
		say(`Playing ${file.name} again …`);
		let replay: Replay;
		try {
			replay = parseReplay(await file.text());
		} catch (error) {
			return say(`${file.name}: ${error instanceof Error ? error.message : error}`);
		}
		const answer = await ask({ kind: "verify", replay });
		if (answer.kind !== "verified") return say(`${file.name}: ${reasonOf(answer)}`);
		if (answer.verdict.state === "foreign") {
			return say(`${file.name} cannot be played here. ${answer.verdict.reason}`);
		}
		play(playground, replay, answer.verdict);
		say(`${file.name}: ${describe(replay, answer.verdict)}`);
	}

	field.addEventListener("change", async () => {
		const [file] = field.files ?? [];
		if (file) await load(file);
		// Allows selecting a changed file again.
		field.value = "";
	});

	const { documentElement: page } = document;
	addEventListener("dragover", (event) => {
		event.preventDefault();
		page.dataset.dropping = "";
	});
	addEventListener("dragleave", ({ relatedTarget }) => {
		if (relatedTarget === null) delete page.dataset.dropping;
	});
	addEventListener("drop", (event) => {
		event.preventDefault();
		delete page.dataset.dropping;
		const [file] = event.dataTransfer?.files ?? [];
		if (file) void load(file);
		else say("Drop a file.");
	});
}

/** Starts at the first difference, if any. */
function play(playground: Playground, replay: Replay, verdict: Verification): void {
	const inputs = replay.inputs.map(([tick, scene]) => ({ tick, scene: SCENES[scene]! }));
	playground.setState({
		inputs,
		seed: Number.parseInt(replay.seed, 16),
		ticks: Math.max(1, replay.ticks),
	});
	const difference = verdict.state === "diverged" ? verdict.difference : undefined;
	seek(playground, difference?.tick ?? 0);
}

function describe(replay: Replay, verdict: Verification): string {
	if (verdict.state === "diverged" && verdict.difference) {
		const { tick, slot, field, values } = verdict.difference;
		const [recorded, played] = values.map((value) => value || "nothing");
		return `It differs from tick ${tick}, first in slot ${slot}, field ${field}: ${recorded} recorded, ${played} played.`;
	}
	if (verdict.state === "diverged") {
		return `All records agree, but not the checkpoints ${verdict.checkpoints.join(", ")}.`;
	}
	return `The replay is identical: ${replay.writes.length} records, ${replay.ticks} ticks.`;
}

function ask(order: Order): Promise<Answer> {
	const worker = new Worker(new URL("./replay-worker.ts", import.meta.url), { type: "module" });
	return new Promise<Answer>((resolve) => {
		worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
		worker.onerror = ({ message }) =>
			resolve({ kind: "refused", reason: message || "The worker could not be loaded." });
		worker.postMessage(order);
	}).finally(() => worker.terminate());
}

function reasonOf(answer: Answer): string {
	return answer.kind === "refused" ? answer.reason : "Something else was answered.";
}

function download(name: string, text: string): void {
	const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
	Object.assign(document.createElement("a"), { href: url, download: name }).click();
	// The browser reads it after the click.
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
