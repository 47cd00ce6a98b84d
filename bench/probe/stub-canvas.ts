import { createStubGl } from "../../src/tooling/shaders/stub-gl.ts";

/** Calls that need a real result before a renderer can be created. All others may return nothing. */
const ANSWERED = /^(create|get|is|check|shaderSource|attachShader)/;

/**
 * WebGL 2 on a machine without it. No call does or allocates anything, so that only the caller is
 * counted and timed.
 */
function createGl(canvas: object): WebGL2RenderingContext {
	const answers = createStubGl() as unknown as Record<string, unknown>;
	const nothing = () => undefined;
	const fence = {};
	const fixed: Record<string, unknown> = {
		canvas,
		fenceSync: () => fence,
		getSyncParameter: () => "SIGNALED",
	};
	function make(name: string): unknown {
		if (name in fixed) return fixed[name];
		// A constant is its own name, which equals nothing else.
		if (name === name.toUpperCase()) return name;
		if (name.startsWith("drawingBuffer")) return 1;
		return ANSWERED.test(name) ? answers[name] : nothing;
	}
	// After its first use a member becomes a plain property: a proxy is slow and allocates.
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

/** A canvas whose 2D context accepts every call and returns empty results. */
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

/** A canvas for Node. The engine's own canvas for its atlas is a stub, too. */
export function createStubCanvas(): HTMLCanvasElement {
	Object.assign(globalThis, { OffscreenCanvas: StubCanvas });
	return new StubCanvas() as unknown as HTMLCanvasElement;
}
