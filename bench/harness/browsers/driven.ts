export interface DrivenBrowser {
	readonly version: string;
	open(url: string): Promise<void>;
	/** Awaits promises. Values must fit JSON. Works under any Content-Security-Policy. */
	evaluate(expression: string): Promise<unknown>;
	/** Presses keys on the focused element; `\n` is Enter. */
	type(text: string): Promise<void>;
	click(selector: string): Promise<void>;
	photograph(): Promise<Buffer>;
	close(): Promise<void>;
}

export function webDriverKeyActions(text: string): object[] {
	const keys = [...text].map((key) => (key === "\n" ? "\uE007" : key));
	const actions = keys.flatMap((value) => [
		{ type: "keyDown", value },
		{ type: "keyUp", value },
	]);
	return [{ type: "key", id: "keyboard", actions }];
}

export function webDriverClickActions({ x, y }: Point): object[] {
	const actions = [
		{ type: "pointerMove", x, y },
		{ type: "pointerDown", button: 0 },
		{ type: "pointerUp", button: 0 },
	];
	return [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }];
}

interface Point {
	x: number;
	y: number;
}

/** Scrolls an element into view, and returns its middle in whole CSS px of the window. */
export async function findElementMiddle(browser: DrivenBrowser, selector: string): Promise<Point> {
	const point = await browser.evaluate(`(() => {
		const element = document.querySelector(${JSON.stringify(selector)});
		if (!element) return null;
		element.scrollIntoView({ block: "nearest", behavior: "instant" });
		const { x, y, width, height } = element.getBoundingClientRect();
		return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
	})()`);
	if (point === null) throw new Error(`No element matches ${selector}.`);
	return point as Point;
}

/** Runs all cleanup steps, the latest first, even if one fails. */
export function createCleanup(): { add(undo: () => Promise<void>): void; run(): Promise<void> } {
	const undos: (() => Promise<void>)[] = [];
	return {
		add: (undo) => void undos.unshift(undo),
		async run() {
			const failures: unknown[] = [];
			for (const undo of undos.splice(0)) await undo().catch((error) => failures.push(error));
			if (failures.length > 0) throw failures[0];
		},
	};
}
