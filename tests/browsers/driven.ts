/** A browser that is not Chromium, with as much of a remote control as our tests need. */
export interface DrivenBrowser {
	readonly version: string;
	/** Goes to an address and waits for its load event. */
	open(url: string): Promise<void>;
	/**
	 * The value of an expression in the page, after waiting for it if it is a promise, by way of JSON.
	 * It needs no `eval`, so it works under any content security policy.
	 */
	evaluate(expression: string): Promise<unknown>;
	close(): Promise<void>;
}

/** Undoes what was started, latest first, also when starting the next thing failed. */
export function createUndo(): { add(undo: () => Promise<void>): void; run(): Promise<void> } {
	const undos: (() => Promise<void>)[] = [];
	return {
		add: (undo) => void undos.unshift(undo),
		async run() {
			for (const undo of undos.splice(0)) await undo();
		},
	};
}
