import { number } from "./command.ts";

/** How many of something there are. */
export interface Counted {
	name: string;
	count: number;
	/** What is said beside the bar; the number where there is nothing else to say. */
	text?: string;
}

const BAR_COLUMNS = 40;

/** Draws in the terminal. One line each: name, bar, number. Eighths of a block make small numbers visible. */
export function chart(counted: readonly Counted[]): string[] {
	const most = Math.max(1, ...counted.map(({ count }) => count));
	const width = Math.max(0, ...counted.map(({ name }) => name.length));
	return counted.map(({ name, count, text = number(count) }) => {
		const eighths = count === 0 ? 0 : Math.max(1, Math.round((count / most) * BAR_COLUMNS * 8));
		const bar = "█".repeat(eighths >> 3) + (["", ..."▏▎▍▌▋▊▉"][eighths & 7] ?? "");
		return `  ${name.padEnd(width)}  ${bar}${bar && " "}${text}`;
	});
}
