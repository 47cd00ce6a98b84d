import { createStandInGl } from "../../src/tooling/stub-gl.ts";

/** What must be answered truly for a renderer to be made; all else may be nothing. */
const ANSWERED = /^(create|get|is|check|shaderSource|attachShader)/;

/**
 * WebGL 2 on a machine without it: every call is there, none does anything, and none allocates, so
 * that what is counted and timed is the caller's.
 */
function createGl(canvas: object): WebGL2RenderingContext {
	const answers = createStandInGl() as unknown as Record<string, unknown>;
	const nothing = () => undefined;
	const fence = {};
	const fixed: Record<string, unknown> = {
		canvas,
		fenceSync: () => fence,
		getSyncParameter: () => "SIGNALED",
	};
	function make(name: string): unknown {
		if (name in fixed) return fixed[name];
		// Constants are their own names, which nothing else is equal to.
		if (name === name.toUpperCase()) return name;
		if (name.startsWith("drawingBuffer")) return 1;
		return ANSWERED.test(name) ? answers[name] : nothing;
	}
	// What is asked for once becomes a plain property: a proxy would be slow, and allocate.
	const maker = new Proxy(
		{},
		{
			has: () => true,
			get(_, name, gl: Record<PropertyKey, unknown>) {
				gl[name] = make(String(name));
				return gl[name];
			},
		},
	);
	return Object.create(maker) as WebGL2RenderingContext;
}

/** A canvas in whose 2D context everything can be called, and all that is read is nothing. */
class StubCanvas {
	width: number;
	height: number;
	constructor(width = 1, height = 1) {
		this.width = width;
		this.height = height;
	}
	addEventListener(): void {}
	removeEventListener(): void {}
	getContext(kind: string): unknown {
		if (kind !== "2d") return createGl(this);
		const answers: Record<string, () => unknown> = {
			getImageData: () => ({ data: new Uint8ClampedArray(4) }),
			measureText: () => ({ actualBoundingBoxLeft: 0, actualBoundingBoxRight: 1 }),
			createRadialGradient: () => ({ addColorStop() {} }),
		};
		return new Proxy(
			{},
			{ get: (_, name) => answers[String(name)] ?? (() => {}), set: () => true },
		);
	}
}

/** A canvas where there is none, in Node. The engine's own, for its atlas, come from here as well. */
export function createStubCanvas(): HTMLCanvasElement {
	Object.assign(globalThis, { OffscreenCanvas: StubCanvas });
	return new StubCanvas() as unknown as HTMLCanvasElement;
}
