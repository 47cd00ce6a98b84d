/** Opens WebGL 2 or 1, and detects software rendering. */
import { createGlRenderer } from "../render/gl/gl-renderer.ts";
import type { Theme } from "../render/theme.ts";
import { createFramePacer } from "./frame-pacer.ts";
import { type Canvas, type Surface, watchContext } from "./surface.ts";

type Gl = WebGL2RenderingContext | WebGLRenderingContext;

/**
 * Without antialiasing, because the shaders soften edges, and a frame would cost 2.2 times as much
 * (measured). Low power, because a decoration should not wake a laptop's second GPU.
 */
const attributes: WebGLContextAttributes = {
	alpha: false,
	antialias: false,
	depth: false,
	stencil: false,
	powerPreference: "low-power",
};

function contextOf(canvas: Canvas, failIfMajorPerformanceCaveat: boolean): Gl | null {
	const wanted = { ...attributes, failIfMajorPerformanceCaveat };
	// TypeScript has no common signature for the `getContext` of both canvas types.
	const { getContext } = canvas as HTMLCanvasElement;
	return (
		(getContext.call(canvas, "webgl2", wanted) as WebGL2RenderingContext | null) ??
		(getContext.call(canvas, "webgl", wanted) as WebGLRenderingContext | null)
	);
}

function openContext(canvas: Canvas): { gl: Gl; software: boolean } | undefined {
	const fast = contextOf(canvas, true);
	const gl = fast ?? contextOf(canvas, false);
	return gl ? { gl, software: fast === null || isSoftware(gl) } : undefined;
}

/** Checks the name, because workers in Chromium ignore `failIfMajorPerformanceCaveat` (measured). */
function isSoftware(gl: Gl): boolean {
	// Firefox returns the GPU's name here, and logs a warning if the extension is requested.
	const name = String(gl.getParameter(gl.RENDERER));
	const names = name.startsWith("WebKit") && gl.getExtension("WEBGL_debug_renderer_info");
	const renderer = names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : name;
	return /swiftshader|llvmpipe|basic render/i.test(renderer);
}

/** Shows colors as Display-P3, up to a fifth more vivid. Emoji are converted, so theirs stay. */
function widen(gl: Gl): void {
	if (!("drawingBufferColorSpace" in gl)) return;
	gl.drawingBufferColorSpace = "display-p3";
	gl.unpackColorSpace = "display-p3";
}

function lose(gl: Gl): void {
	// Frees the context at once. Browsers allow 16 contexts, and count uncollected ones.
	gl.getExtension("WEBGL_lose_context")?.loseContext();
}

export function supportsWebGl(): boolean {
	const context = openContext(new OffscreenCanvas(1, 1));
	if (context) lose(context.gl);
	return context !== undefined;
}

/** @throws Error without WebGL 2 and 1 */
export function openSurface(canvas: Canvas, theme: Theme, wide = false): Surface {
	const context = openContext(canvas);
	if (!context) throw new Error("There is no WebGL.");
	const { gl, software } = context;
	if (wide) widen(gl);
	return {
		software,
		pacer: createFramePacer(gl),
		// After a context loss, a new renderer replaces regl's own restore, which leaves empty buffers
		// (measured in three browsers). `gl` is reused, because Firefox returns a worker's context once.
		createRenderer: (simulation) => createGlRenderer(gl, simulation, theme, software),
		isLost: () => gl.isContextLost(),
		watch: (onLost, onReturned) =>
			watchContext(canvas, ["webglcontextlost", "webglcontextrestored"], onLost, onReturned),
		destroy: () => lose(gl),
	};
}
