import { afterEach, expect, test, vi } from "vitest";
import { createFramePacer } from "../../../engine/player/frame-pacer.ts";

/** A stub of the parts of a WebGL context that frame-pacer.ts uses. */
const context = <Calls extends object>(calls: Calls) =>
	({ RGBA: 6408, UNSIGNED_BYTE: 5121, ...calls }) as Calls & WebGL2RenderingContext;

afterEach(() => vi.unstubAllGlobals());

test("with WebGL 2 the GPU is free once the last frame's fence has passed", () => {
	const fences: object[] = [];
	let status = 0;
	const gl = context({
		UNSIGNALED: 0,
		SYNC_STATUS: 2,
		SYNC_GPU_COMMANDS_COMPLETE: 3,
		fenceSync(kind: number) {
			fences.push({ kind });
			return fences.at(-1);
		},
		deleteSync: (fence: object) => fences.splice(fences.indexOf(fence), 1),
		getSyncParameter: () => status,
		flush: vi.fn(),
	});
	const pacer = createFramePacer(gl);
	expect(pacer.pollFree()).toBe(true);
	pacer.mark();
	expect(fences).toEqual([{ kind: gl.SYNC_GPU_COMMANDS_COMPLETE }]);
	expect(gl.flush).not.toHaveBeenCalled();
	expect([pacer.pollFree(), pacer.pollFree()]).toEqual([false, false]);
	// Browsers do not flush a hidden canvas. Without a flush its fence would never pass.
	expect(gl.flush).toHaveBeenCalledOnce();
	status = 1;
	expect(pacer.pollFree()).toBe(true);
	expect(fences).toEqual([]);
	status = 0;
	expect(pacer.pollFree()).toBe(true);
	pacer.mark();
	pacer.forget();
	expect(pacer.pollFree()).toBe(true);
});

test.each([
	[
		"a worker waits for each frame by reading one pixel",
		undefined,
		[
			[0, 0, 1, 1],
			[0, 0, 1, 1],
		],
	],
	["the page's thread, which handles clicks, does not wait", {}, []],
])("with WebGL 1 %s", (_, document, reads) => {
	vi.stubGlobal("document", document);
	const gl = context({ readPixels: vi.fn() });
	const pacer = createFramePacer(gl);
	pacer.mark();
	pacer.mark();
	expect(gl.readPixels.mock.calls.map((call) => call.slice(0, 4))).toEqual(reads);
	expect(pacer.pollFree()).toBe(true);
});
