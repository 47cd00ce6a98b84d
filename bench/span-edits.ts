import type { Plugin } from "vite";

/** What a span is of: the exported function whose calls it covers, and the file that has it. */
const SPANS = [
	["engine/simulation/clock.ts", "advance", "clock"],
	["engine/simulation/simulation.ts", "step", "step"],
	["engine/render/quads.ts", "writeBirths", "upload"],
] as const;

/**
 * Makes some of the engine's functions tell when they began and ended, in a bundle that nobody
 * ships: the engine itself knows nothing of being watched.
 */
export function spanEdits(): Plugin {
	return {
		name: "span-edits",
		enforce: "pre",
		transform(code, id) {
			const found = SPANS.find(([file]) => id.endsWith(file));
			if (!found) return;
			const [file, name, span] = found;
			const from = `export function ${name}(`;
			if (code.split(from).length !== 2)
				throw new Error(`${file} has no "${from}" any more: bench/span-edits.ts must follow.`);
			const watched = `export function ${name}(...values: never[]) {
				const from = performance.now();
				const answer = (${name}Itself as Function)(...values);
				(globalThis as any).spans?.push([${JSON.stringify(span)}, from, performance.now()]);
				return answer;
			}
			function ${name}Itself(`;
			return { code: code.replace(from, watched), map: null };
		},
	};
}
