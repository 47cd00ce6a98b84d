/** Surfaces on canvases that record calls. tests/engine/browser has real canvases. */

import { afterEach, expect, test, vi } from "vitest";
import { THEME } from "../../../engine/default-theme.ts";
import { openSurface, supportsWebGl } from "../../../engine/player/gl-surface.ts";

type Asked = [kind: string, attributes: WebGLContextAttributes];

/** A canvas that opens these contexts; if not `fast`, only without `failIfMajorPerformanceCaveat`. */
function createCanvas(kinds: readonly string[], fast = true, renderer = "A GPU", unmasked = "") {
	const asked: Asked[] = [];
	const loseContext = vi.fn();
	const gl = {
		getExtension: () => ({ loseContext, UNMASKED_RENDERER_WEBGL: 1 }),
		getParameter: (name?: number) => (name === 1 ? unmasked : renderer),
		isContextLost: () => false,
	};
	const getContext = (kind: string, attributes: WebGLContextAttributes) => {
		asked.push([kind, attributes]);
		const refused = !fast && attributes.failIfMajorPerformanceCaveat;
		return kinds.includes(kind) && !refused ? gl : null;
	};
	return { canvas: { getContext } as unknown as OffscreenCanvas, asked, loseContext };
}

afterEach(() => vi.unstubAllGlobals());

test("fast WebGL 2 is requested first, without waking a second GPU", () => {
	const { canvas, asked } = createCanvas(["webgl2", "webgl"]);
	expect(openSurface(canvas, THEME).software).toBe(false);
	expect(asked).toEqual([
		[
			"webgl2",
			{
				alpha: false,
				antialias: false,
				depth: false,
				stencil: false,
				powerPreference: "low-power",
				failIfMajorPerformanceCaveat: true,
			},
		],
	]);
});

test("slow WebGL is the fallback, reported as software", () => {
	const { canvas, asked } = createCanvas(["webgl"], false);
	expect(openSurface(canvas, THEME).software).toBe(true);
	const tried = asked.map(
		([kind, attributes]) => `${kind} ${attributes.failIfMajorPerformanceCaveat}`,
	);
	expect(tried).toEqual(["webgl2 true", "webgl true", "webgl2 false", "webgl false"]);
});

test.each([
	["llvmpipe, or similar", ""],
	["WebKit WebGL", "ANGLE (Google, Vulkan 1.3 (SwiftShader))"],
])("software that passes for a fast GPU is detected by its name: %s", (renderer, unmasked) => {
	const { canvas } = createCanvas(["webgl2"], true, renderer, unmasked);
	expect(openSurface(canvas, THEME).software).toBe(true);
});

test.each([
	[true, ["webgl"]],
	[false, []],
])("WebGL detection (%s) releases its scratch context", (has, kinds) => {
	const { canvas, loseContext } = createCanvas(kinds);
	vi.stubGlobal(
		"OffscreenCanvas",
		class {
			getContext = canvas.getContext;
		},
	);
	expect(supportsWebGl()).toBe(has);
	expect(loseContext).toHaveBeenCalledTimes(has ? 1 : 0);
});
