export interface GlCounts {
	calls: number;
	drawCalls: number;
	/** Counted per instance. */
	vertices: number;
	stateChanges: number;
	uniforms: number;
	bytesUploaded: number;
	/** Created so far, except fences. */
	objects: number;
	fences: number;
	/** Clearing, checking a fence and so on. */
	others: number;
}

export function createGlCounts(): GlCounts {
	return {
		calls: 0,
		drawCalls: 0,
		vertices: 0,
		stateChanges: 0,
		uniforms: 0,
		bytesUploaded: 0,
		objects: 0,
		fences: 0,
		others: 0,
	};
}

const STATE =
	/^(activeTexture|bind|blend|clear(Color|Depth|Stencil)$|color|cull|depth|disable|enable|front|pixelStore|polygon|sample|scissor|stencil|tex(ture)?Param|useProgram|vertexAttrib|viewport)/;

type Arguments = readonly unknown[];
type Method = (...values: unknown[]) => unknown;

/** Classifies a call by its method's name. */
function counterOf(name: string): (counts: GlCounts, values: Arguments) => void {
	if (name.startsWith("draw")) {
		return (counts, values) => {
			counts.drawCalls++;
			counts.vertices += verticesOf(name, values);
		};
	}
	if (/^uniform(Matrix)?\d/.test(name)) return (counts) => void counts.uniforms++;
	if (name === "fenceSync") return (counts) => void counts.fences++;
	if (name.startsWith("create")) return (counts) => void counts.objects++;
	if (/^buffer(Sub)?Data$/.test(name)) {
		return (counts, values) => {
			counts.bytesUploaded += sizeOf(values[name === "bufferData" ? 1 : 2]);
		};
	}
	if (/^tex(Sub)?Image/.test(name)) {
		return (counts, values) => {
			counts.bytesUploaded += texelsOf(values) * 4;
		};
	}
	if (STATE.test(name)) return (counts) => void counts.stateChanges++;
	return (counts) => void counts.others++;
}

/** `drawArrays` has its count as third argument, all others as second; instances come last. */
function verticesOf(name: string, values: Arguments): number {
	const count = Number(values[name.startsWith("drawArrays") ? 2 : 1]);
	return name.endsWith("Instanced") ? count * Number(values.at(-1)) : count;
}

/** Bytes of `bufferData`'s argument: a number of bytes, or a buffer. */
function sizeOf(data: unknown): number {
	if (typeof data === "number") return data;
	return (data as ArrayBufferView | null)?.byteLength ?? 0;
}

/**
 * Texels of an upload: those of the picture in the last argument, else width times height, and none
 * without data.
 */
function texelsOf(values: Arguments): number {
	const last = values.at(-1) as { width?: number; height?: number } | null;
	if (last === null) return 0;
	if (last.width !== undefined) return last.width * (last.height ?? 0);
	return Number(values.at(-6)) * Number(values.at(-5));
}

export function countGl<Gl extends object>(gl: Gl, counts: GlCounts): Gl {
	const counted = new Map<PropertyKey, unknown>();
	function wrap(name: PropertyKey): unknown {
		const value = Reflect.get(gl, name) as unknown;
		if (typeof value !== "function" || typeof name !== "string") return value;
		const count = counterOf(name);
		return (...values: unknown[]) => {
			counts.calls++;
			count(counts, values);
			return (value as Method).apply(gl, values);
		};
	}
	return new Proxy(gl, {
		get(_, name) {
			// These follow the canvas size and must not be cached.
			if (name === "drawingBufferWidth" || name === "drawingBufferHeight") {
				return Reflect.get(gl, name);
			}
			if (!counted.has(name)) counted.set(name, wrap(name));
			return counted.get(name);
		},
	});
}
