import type { FrameStats } from "#engine";

export interface GlCounts {
	calls: number;
	bytes: number;
	/** Present number of buffers, textures, programs and shaders. */
	objects: number;
}

export type CountedStats = FrameStats & { gl?: GlCounts };

export function countGl(): GlCounts {
	const counts: GlCounts = { calls: 0, bytes: 0, objects: 0 };
	for (const name of ["WebGLRenderingContext", "WebGL2RenderingContext"]) {
		const api = Reflect.get(globalThis, name) as { prototype: object } | undefined;
		if (api) wrapMethods(api.prototype, counts);
	}
	return counts;
}

function wrapMethods(prototype: object, counts: GlCounts): void {
	for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
		const method: unknown = property.value;
		if (typeof method !== "function" || name === "constructor") continue;
		const note = noteOf(name, counts);
		Object.defineProperty(prototype, name, {
			...property,
			value(this: unknown, ...args: unknown[]) {
				counts.calls++;
				note?.(args);
				return Reflect.apply(method, this, args);
			},
		});
	}
}

function noteOf(name: string, counts: GlCounts): ((args: unknown[]) => void) | undefined {
	if (name === "bufferData" || name === "bufferSubData") {
		return (args) => {
			const sent = args.find((arg) => ArrayBuffer.isView(arg));
			if (sent) counts.bytes += sent.byteLength;
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
