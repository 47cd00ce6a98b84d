/** The time that a try has. */
export interface Limit {
	/** Calls back when the time is over. The last callback counts. */
	onOver(close: () => void): void;
	isOver(): boolean;
	end(): void;
}

/** Begins to count. `end` it, or the process lives until it is over. */
export function startLimit(ms: number): Limit {
	let over = false;
	let close = () => {};
	const timer = setTimeout(() => {
		over = true;
		close();
	}, ms);
	return {
		onOver(callback) {
			close = callback;
		},
		isOver: () => over,
		end: () => clearTimeout(timer),
	};
}
