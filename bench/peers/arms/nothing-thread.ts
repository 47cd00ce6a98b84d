/** Like the engine, but only clears: one frame requested, one picture at a time on the GPU. */
addEventListener("message", ({ data: canvas }: MessageEvent<OffscreenCanvas>) => {
	const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, depth: false });
	if (!gl) throw new Error("There is no WebGL 2.");
	let fence: WebGLSync | null = null;
	let pictures = 0;
	function frame(): void {
		requestAnimationFrame(frame);
		if (fence && gl!.getSyncParameter(fence, gl!.SYNC_STATUS) === gl!.UNSIGNALED) return;
		gl!.deleteSync(fence);
		pictures++;
		gl!.clearColor((pictures & 63) / 64, 0, 0, 1);
		gl!.clear(gl!.COLOR_BUFFER_BIT);
		fence = gl!.fenceSync(gl!.SYNC_GPU_COMMANDS_COMPLETE, 0);
		gl!.flush();
	}
	requestAnimationFrame(frame);
});
