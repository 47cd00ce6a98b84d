import { number } from "./command.ts";

/** How many of something there are. */
export interface Counted {
	name: string;
	count: number;
	/** What is said beside the bar; the number where there is nothing else to say. */
	text?: string;
}

const BAR_COLUMNS = 40;

/**
 * Draws one line each: name, number, bar. The number comes first, because screen readers read bars out or
 * leave them out. Eighths of a block make small numbers visible.
 */
export function chart(counted: readonly Counted[]): string[] {
	const most = Math.max(1, ...counted.map(({ count }) => count));
	const rows = counted.map(({ name, count, text = number(count) }) => ({ name, count, text }));
	const width = Math.max(0, ...rows.map(({ name }) => name.length));
	const columns = Math.max(0, ...rows.map(({ text }) => text.length));
	return rows.map(({ name, count, text }) =>
		`  ${name.padEnd(width)}  ${text.padStart(columns)}  ${bar(count / most)}`.trimEnd(),
	);
}

function bar(share: number): string {
	const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * BAR_COLUMNS * 8));
	return "█".repeat(eighths >> 3) + (["", ..."▏▎▍▌▋▊▉"][eighths & 7] ?? "");
}
