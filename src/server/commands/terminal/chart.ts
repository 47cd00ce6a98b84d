import { number } from "./command.ts";

/** How many of something there are. */
export interface Counted {
	name: string;
	count: number;
	/** What is said beside the bar; the number where there is nothing else to say. */
	text?: string;
}

const BAR_COLUMNS = 40;

/** As many in a row are told in one line. */
const RUN = 3;

/**
 * Draws in the terminal. One line each: name, number, bar. The number comes first, because screen readers
 * read bars out or leave them out. Eighths of a block make small numbers visible.
 *
 * @param fold says how many in a row have nothing, in one line
 */
export function chart(counted: readonly Counted[], fold?: (howMany: number) => string): string[] {
	const most = Math.max(1, ...counted.map(({ count }) => count));
	const texts = counted.map(({ count, text = number(count) }) => text);
	const width = Math.max(0, ...counted.map(({ name }) => name.length));
	const columns = Math.max(0, ...texts.map(({ length }) => length));
	const lines: string[] = [];
	let empty: string[] = [];
	const endRun = () => {
		const isLong = fold !== undefined && empty.length >= RUN;
		lines.push(...(isLong ? [`  ${"…".padEnd(width)}  ${fold(empty.length)}`] : empty));
		empty = [];
	};
	for (const [place, { name, count, text }] of counted.entries()) {
		const line = `  ${name.padEnd(width)}  ${texts[place]!.padStart(columns)}`;
		if (count === 0 && text === undefined) {
			empty.push(line);
			continue;
		}
		endRun();
		lines.push(`${line}  ${bar(count / most)}`.trimEnd());
	}
	endRun();
	return lines;
}

/** Draws parts of a whole beside each other in one line: name, number, bar. */
export function stacked(counted: readonly Counted[]): string {
	const total = Math.max(
		1,
		counted.reduce((sum, { count }) => sum + count, 0),
	);
	const parts = counted.map(({ name, count, text = number(count) }) =>
		`${name} ${text} ${bar(count / total)}`.trimEnd(),
	);
	return `  ${parts.join("  ")}`;
}

function bar(share: number): string {
	const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * BAR_COLUMNS * 8));
	return "█".repeat(eighths >> 3) + (["", ..."▏▎▍▌▋▊▉"][eighths & 7] ?? "");
}
