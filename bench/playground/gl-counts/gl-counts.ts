export interface GlCounts {
	calls: number;
	draws: number;
	bytes: number;
	/** Including textures, programs and shaders, without fences. */
	objects: number;
}

/** Wraps the methods of this thread. */
export function countGl(): GlCounts {
	const counts: GlCounts = { calls: 0, draws: 0, bytes: 0, objects: 0 };
	for (const name of ["WebGLRenderingContext", "WebGL2RenderingContext"]) {
		const api = Reflect.get(globalThis, name) as { prototype: object } | undefined;
		if (api) wrapCalls(api.prototype, counts);
	}
	return counts;
}

function wrapCalls(prototype: object, counts: GlCounts): void {
	for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
		const call: unknown = property.value;
		if (typeof call !== "function" || name === "constructor") continue;
		const note = noteOf(name, counts);
		Object.defineProperty(prototype, name, {
			...property,
			value(this: unknown, ...words: unknown[]) {
				counts.calls++;
				note?.(words);
				return Reflect.apply(call, this, words);
			},
		});
	}
}

function noteOf(name: string, counts: GlCounts): ((words: unknown[]) => void) | undefined {
	if (name.startsWith("draw") && name !== "drawBuffers") return () => counts.draws++;
	if (name === "bufferData" || name === "bufferSubData") {
		return (words) => {
			const sent = words.find((word) => ArrayBuffer.isView(word) || word instanceof ArrayBuffer);
			if (sent) counts.bytes += (sent as ArrayBufferView).byteLength;
		};
	}
	if (name.startsWith("create")) return () => counts.objects++;
	if (name.startsWith("delete") && name !== "deleteSync") {
		return ([object]) => {
			if (object) counts.objects--;
		};
	}
	return undefined;
}

/** A counting worker's message, sent alongside the engine's own. */
export interface GlCountsMessage {
	kind: "gl-counts";
	counts: GlCounts;
}
