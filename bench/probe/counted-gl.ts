export interface GlCounts {
	calls: Record<string, number>;
	vertices: number;
	bytesUploaded: number;
}

export const createGlCounts = (): GlCounts => ({ calls: {}, vertices: 0, bytesUploaded: 0 });

export type GlKind = "draw" | "state" | "uniform" | "object" | "fence" | "upload" | "other";

const KINDS: readonly [GlKind, RegExp][] = [
	["draw", /^draw/],
	["uniform", /^uniform(Matrix)?\d/],
	["fence", /^fenceSync$/],
	["object", /^create/],
	["upload", /^(buffer(Sub)?Data|tex(Sub)?Image)/],
	[
		"state",
		/^(activeTexture|bind|blend|clear(Color|Depth|Stencil)$|color|cull|depth|disable|enable|front|pixelStore|polygon|sample|scissor|stencil|tex(ture)?Param|useProgram|vertexAttrib|viewport)/,
	],
];

export function classifyGlCall(method: string): GlKind {
	return KINDS.find(([, pattern]) => pattern.test(method))?.[0] ?? "other";
}

type Arguments = readonly unknown[];

/** The vertex count is the third argument of `drawArrays`, the second of other methods. */
function verticesOf(method: string, values: Arguments): number {
	const count = Number(values[method.startsWith("drawArrays") ? 2 : 1]);
	return method.endsWith("Instanced") ? count * Number(values.at(-1)) : count;
}

function sizeOf(data: unknown): number {
	if (typeof data === "number") return data;
	return (data as ArrayBufferView | null)?.byteLength ?? 0;
}

function texelsOf(values: Arguments): number {
	const last = values.at(-1) as { width?: number; height?: number } | null;
	if (last === null) return 0;
	if (last.width !== undefined) return last.width * (last.height ?? 0);
	return Number(values.at(-6)) * Number(values.at(-5));
}

function bytesOf(method: string, values: Arguments): number {
	if (method.startsWith("tex")) return texelsOf(values) * 4;
	return sizeOf(values[method === "bufferData" ? 1 : 2]);
}

export function countGl(gl: WebGL2RenderingContext, counts: GlCounts): WebGL2RenderingContext {
	const counted = new Map<PropertyKey, unknown>();
	function wrap(name: PropertyKey): unknown {
		const value = Reflect.get(gl, name) as unknown;
		if (typeof value !== "function" || typeof name !== "string") return value;
		const kind = classifyGlCall(name);
		return (...values: unknown[]) => {
			counts.calls[name] = (counts.calls[name] ?? 0) + 1;
			if (kind === "draw") counts.vertices += verticesOf(name, values);
			if (kind === "upload") counts.bytesUploaded += bytesOf(name, values);
			return Reflect.apply(value, gl, values) as unknown;
		};
	}
	return new Proxy(gl, {
		get(_, name) {
			// Not cached, because they change with the canvas size.
			if (name === "drawingBufferWidth" || name === "drawingBufferHeight") {
				return Reflect.get(gl, name);
			}
			if (!counted.has(name)) counted.set(name, wrap(name));
			return counted.get(name);
		},
	});
}
