import { THEME } from "../../../engine/default-theme.ts";
import "vitest-canvas-mock";
import { beforeEach, expect, test, vi } from "vitest";
import { FLOAT_SIZE, sidewaysSpreadOf } from "../../../engine/render/alone.ts";
import { ATLAS, atlasCellAt, CELL_PX, paintAtlas } from "../../../engine/render/atlas.ts";
import { createFlatRenderer } from "../../../engine/render/flat/flat-renderer.ts";
import { createPicture } from "../../../engine/render/renderer.ts";
import { EMOJI, POSE, type Scene, writePose } from "../../../engine/simulation/index.ts";
import { simulationAt } from "./sprites.ts";

/*
 * vitest-canvas-mock records 2D drawing calls. tests/engine/browser/picture.test.ts compares
 * pixels.
 */

const calls = (context: CanvasRenderingContext2D, type: string) =>
	context.__getDrawCalls().filter((call) => call.type === type);

beforeEach(() => {
	vi.restoreAllMocks();
	vi.stubGlobal("OffscreenCanvas", undefined);
	vi.spyOn(CanvasRenderingContext2D.prototype, "getImageData").mockReturnValue({
		data: new Uint8ClampedArray([255, 200, 0, 255]),
	} as ImageData);
});

test("the atlas has each of a theme's emoji once, and a separate cell for each of them and the 5 lights", () => {
	const canvas = Object.assign(document.createElement("canvas"), {
		width: ATLAS.edge,
		height: ATLAS.edge,
	});
	const context = canvas.getContext("2d")!;
	const others = EMOJI.map((_, place) => `${place}`);
	paintAtlas(context, { ...THEME, emoji: others });
	const glyphs = calls(context, "fillText").map((call) => call.props.text);
	expect(glyphs).toEqual(others);
	const cells = Array.from({ length: ATLAS.glow + ATLAS.glows }, (_, index) => atlasCellAt(index));
	expect(new Set(cells.map(({ left, top }) => `${left} ${top}`)).size).toBe(EMOJI.length + 5);
	for (const { left, top } of cells) {
		expect(left + CELL_PX).toBeLessThanOrEqual(ATLAS.edge);
		expect(top + CELL_PX).toBeLessThanOrEqual(ATLAS.edge);
	}
});

test.each([
	["drift", 45, 6],
	["drift", 61, 6],
	// Each rocket has two lights, each spark one, and each burst a flash until it is too dark.
	["fireworks", 1, 3],
	["fireworks", 101, 3 * (1 + 2) + (25 + 25 + 1)],
	["fireworks", 160, 2 * (1 + 2) + 4 * (25 + 25) + 1],
] as [Scene, number, number][])(
	"%s at tick %i draws %i sprites and lights",
	(scene, tick, sprites) => {
		const context = document.createElement("canvas").getContext("2d")!;
		const simulation = simulationAt(42, scene, tick);
		const renderer = createFlatRenderer(context, simulation, THEME);
		renderer.resize(800, 600, 1);
		const night = scene === "fireworks" ? 1 : 0;
		renderer.draw({ ...createPicture(), night, sunken: night, time: tick + 0.5 });
		expect(calls(context, "drawImage")).toHaveLength(sprites);
		expect(renderer.drawCalls).toBe(sprites);
	},
);

test("a sprite is centered, rotated counterclockwise and sized by its pose", () => {
	const context = document.createElement("canvas").getContext("2d")!;
	// The first float is far from the sides and from other floats, so nothing shifts or shrinks it.
	const simulation = simulationAt(9, "drift", 300);
	const pose = new Float32Array(POSE.length);
	writePose(simulation.records, 0, 300, pose);
	const turned = vi.spyOn(context, "setTransform");
	const renderer = createFlatRenderer(context, simulation, THEME);
	renderer.resize(6000, 6000, 2);
	renderer.draw({ ...createPicture(), time: 300 });

	const angle = 2 * Math.PI * pose[POSE.turn]!;
	const [cos, sin] = [2 * Math.cos(angle), 2 * Math.sin(angle)];
	const across = pose[POSE.x]! + sidewaysSpreadOf(simulation, 0);
	const x = 6000 * (1 + across + pose[POSE.offsetX]!);
	const y = 6000 * (1 - pose[POSE.y]! - pose[POSE.offsetY]!);
	const transform = [cos, -sin, sin, cos, x, y].map((value) => expect.closeTo(value, 2));
	expect(Math.abs(sin)).toBeGreaterThan(0.01);
	expect(turned.mock.calls[1]).toEqual(transform);
	const side = (FLOAT_SIZE.scale * pose[POSE.size]!) / ATLAS.glyphShare;
	const { dx, dy, dWidth, dHeight } = calls(context, "drawImage")[0]!.props;
	expect([dx, dy, dWidth, dHeight]).toEqual([-side / 2, -side / 2, side, side]);
});
