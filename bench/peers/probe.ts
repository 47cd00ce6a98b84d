export interface Drawn {
	pictures: number;
	sprites: number;
}

/**
 * Counts at the canvas, in 2D and in WebGL, instead of trusting a library's own count. Clearing the
 * canvas begins a picture. Sent to the page or worker as text, so it uses nothing from outside.
 */
export function watchDrawing({ width }: { width: number }): void {
	const drawn: Drawn = { pictures: 0, sprites: 0 };
	let sprites = 0;
	const begin = () => {
		drawn.pictures++;
		drawn.sprites = sprites;
		sprites = 0;
	};
	type Method = (this: { canvas?: { width: number } }, ...values: unknown[]) => unknown;
	type Methods = Record<string, Method>;

	// Arguments are passed on one by one: an array would count as the library's bytes.
	function wrap(
		owner: string,
		name: string,
		note: (first: unknown, second: unknown) => void,
	): void {
		const prototype = (globalThis as never as Record<string, { prototype: Methods }>)[owner]
			?.prototype;
		const method = prototype?.[name];
		if (!method) return;
		prototype[name] = function (...values) {
			if (!this.canvas || this.canvas.width === width) note(values[0], values[1]);
			return method.apply(this, values);
		};
	}

	for (const owner of ["CanvasRenderingContext2D", "OffscreenCanvasRenderingContext2D"]) {
		wrap(owner, "clearRect", begin);
		for (const name of ["drawImage", "fillText", "fillRect"]) wrap(owner, name, () => sprites++);
	}
	for (const owner of ["WebGLRenderingContext", "WebGL2RenderingContext"]) {
		wrap(owner, "clear", begin);
		wrap(owner, "drawElements", (_, indices) => {
			sprites += (indices as number) / 6;
		});
	}
	// js-confetti clears its canvas by setting its size, the height last.
	wrap("HTMLCanvasElement", "setAttribute", (name) => {
		if (name === "height") begin();
	});
	Object.assign(globalThis, { drawn });
}
