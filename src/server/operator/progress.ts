/** How far a long piece of work has come. */
export interface Progress {
	show(done: string, n: number, total: number): void;
	/** Clears the line. */
	end(): void;
}

/** Ten times a second is as often as a person can read. */
const EVERY_MS = 100;

/** Shows progress on standard error where that is a terminal; results alone go to standard output. */
export function progressOnTerminal(): Progress {
	if (!process.stderr.isTTY) return { show: () => {}, end: () => {} };
	let shownAt = 0;
	return {
		show(done, n, total) {
			const now = performance.now();
			if (now - shownAt < EVERY_MS) return;
			shownAt = now;
			const percent = total > 0 ? ` (${Math.floor((100 * n) / total)} %)` : "";
			process.stderr.write(`\r\x1b[K${done} ${n.toLocaleString("en")}${percent}`);
		},
		end() {
			process.stderr.write("\r\x1b[K");
		},
	};
}
