import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { FIREWORKS_BIT, SCENE_BITS, SCENES } from "../../../engine/simulation/index.ts";
import { landingZones } from "../render/sprites.ts";
import { referenceShots } from "./moments.ts";
import { type CallProbe, openProbe } from "./open-probe.ts";
import type * as probe from "./probes/picture-probe.ts";
import type { Shot } from "./probes/shot.ts";

/** The test creates missing reference pictures: check them before you commit them. */
const references = join(import.meta.dirname, "pictures");

let ask: CallProbe<typeof probe>;

beforeAll(async () => {
	ask = await openProbe("picture");
});

const pictures: (Shot & { name: string })[] = [
	...Object.entries(referenceShots).map(([name, shot]) => ({ name, ...shot })),
	{ name: "drift-flat", ...referenceShots["drift-wide"], backend: "flat" },
	{ name: "drift-quiet", ...referenceShots["drift-wide"], quietZone: [0, 0, 360, 500] },
];

// Other versions of software GL and emoji differ slightly; a missing sprite changes 0.5 % or more.
test.each(pictures)("$name matches its reference", async ({ name, ...shot }) => {
	const photo = await ask("photograph", shot);
	const file = join(references, `${name}.png`);
	if (!existsSync(file)) {
		await writeFile(file, Buffer.from(photo.split(",")[1]!, "base64"));
		throw new Error(`There was no ${file}: it has been made now. Look at it, then keep it.`);
	}
	const reference = `data:image/png;base64,${await readFile(file, "base64")}`;
	const { mean, off } = await ask("comparePictures", photo, reference);
	expect(mean).toBeLessThan(1);
	expect(off).toBeLessThan(0.003);
});

/** Matches the opacity of the orbit's line in the shader. */
const LINE = "mix\\(\\.6,[\\w.]+,\\w+\\)(\\*\\(1\\.-[^)]+\\)\\*mix\\(\\.)";

test.each([
	["a wide window shows", 640, 490, true],
	["a low window does not show", 640, 320, false],
	["an upright window does not show", 490, 640, false],
])("%s a hairline on the orbit", { tags: "slow" }, async (_, width, height, shows) => {
	const shot = { seed: 42, scene: "drift", tick: 600, width, height } as const;
	const without = await ask("photographWithEdit", shot, LINE, ".0$1");
	expect((await ask("photograph", shot)) !== without).toBe(shows);
});

const desktop = { width: 1440, height: 900, quietZone: landingZones["1440x900"] };
const phone = { width: 390, height: 844, quietZone: landingZones["390x844"] };

/** Together these shots cover all rules that the shader shares with TypeScript. */
const posed: readonly Shot[] = [
	{ seed: 7, scene: "drift", tick: 24, ...desktop },
	{ seed: 4, scene: "drift", tick: 1500, ...phone },
	{ seed: 7, scene: "both", tick: 12, width: 844, height: 390 },
	{ seed: 7, scene: "fireworks", tick: 430, ...desktop },
	{ seed: 7, scene: "fireworks", tick: 1500, ...phone },
	// A late tick has the largest rounding errors.
	{ seed: 4, scene: "both", tick: 100_000_000, ...phone },
];

test.each(posed)(
	"the GPU places sprites within 0.1 px of seen.ts: $scene at $tick, $width px wide",
	async (shot) => {
		const { px, particles, lights, ghosts } = await ask("poseError", shot);
		expect(particles).toBeGreaterThan(3);
		if (SCENE_BITS[shot.scene] & FIREWORKS_BIT) expect(lights).toBeGreaterThan(5);
		expect(px).toBeLessThan(0.1);
		expect(ghosts).toBe(0);
	},
);

/** Rectangles as on a landing page: brand, switch, headline, form, links, and one more. */
const words = [
	...[30, 20, 80, 30, 640, 18, 44, 44, 160, 150, 400, 90],
	...[220, 270, 280, 60, 300, 420, 120, 24, 20, 380, 60, 40],
];

const zoneMoments = 8;

test.each(
	(["gl", "flat"] as const).flatMap((backend) =>
		SCENES.filter((scene) => scene !== "none" && scene !== "both").map((scene) => ({
			backend,
			scene,
		})),
	),
)("no pixel of $scene by $backend is in any of six quiet zones that have moved", async (drawn) => {
	const shot = { ...drawn, seed: 9, tick: 0, width: 720, height: 450 };
	const ticks = Array.from({ length: zoneMoments }, (_, moment) => 100 + moment * 97);
	const { inside, outside } = await ask("countSpritePixels", { ...shot, quietZone: words }, ticks);
	expect(inside).toBe(0);
	expect(outside).toBeGreaterThan(zoneMoments * 500);
});

test("fireworks and their trails rise behind the sphere at night", {
	tags: "slow",
}, async () => {
	const shot = { seed: 9, scene: "fireworks", tick: 0, width: 240, height: 480 } as const;
	const ticks = Array.from({ length: 20 }, (_, moment) => 20 + moment * 9);
	// Rows of 10 px over the sphere except its soft rim: center (120, 245), radius 142 px.
	const rows = Array.from({ length: 26 }, (_, row) => {
		const half = Math.sqrt(134 ** 2 - Math.max((row - 13) ** 2, (row - 12) ** 2) * 100);
		return [120 - half, 115 + row * 10, 2 * half, 10];
	});
	const { inside, outside } = await ask("countSpritePixels", shot, ticks, rows.flat());
	expect(inside).toBe(0);
	expect(outside).toBeGreaterThan(5000);
});

const tiny = { seed: 42, scene: "drift", tick: 600, width: 64, height: 40 } as const;

test("a destroyed renderer leaves nothing on the GPU", async () => {
	const { life } = await ask("countGlCalls", tiny, [[600, 1]]);
	for (const thing of ["Buffer", "Texture", "Shader", "Program"]) {
		expect(life[`create${thing}`]).toBeGreaterThan(0);
		expect(life[`delete${thing}`]).toBe(life[`create${thing}`]);
	}
});

test("sky and sphere use half as many vertices up to half a device pixel per CSS px", async () => {
	const ratios = [1 / 3, 0.5, 0.75, 2, 0.5];
	const { each } = await ask(
		"countGlCalls",
		{ ...tiny, scene: "none" },
		ratios.map((ratio) => [0, ratio]),
	);
	expect(each.map(({ vertices }) => vertices)).toEqual([6096, 6096, 11712, 11712, 6096]);
});

describe("the atlas", () => {
	/** No font draws `NONE` as emoji: a letter and an unassigned code point. */
	const GRAY = ["🤍", "🖤", "⚽", "🎱", "☁️", "✉️", "🛡️"];
	const NONE = ["A", "\u{10fffd}"];

	test.each([1, 2])(
		"has gray emoji but no letters or missing glyphs (detail %i)",
		async (detail) => {
			const shares = await ask("glyphCoverage", [...GRAY, ...NONE], detail);
			for (const share of shares.slice(0, GRAY.length)) expect(share).toBeGreaterThan(0.15);
			expect(shares.slice(GRAY.length)).toEqual(NONE.map(() => 0));
		},
	);

	const ratios = [0.75, 2, 1, 2].map((ratio) => [300, ratio] as const);
	const wide = { ...tiny, width: 1000 };

	test.each<[string, Shot, (readonly [number, number])[], number[]]>([
		[
			"at the first births: the first picture does not wait",
			tiny,
			[0, 1, 2].map((tick) => [tick, 1]),
			[0, 1, 0],
		],
		["once without a GPU", wide, ratios, [1, 0, 0, 0]],
		["once on a phone", { ...wide, width: 390, software: false }, ratios, [1, 0, 0, 0]],
		[
			"again in detail on a GPU with many pixels",
			{ ...wide, software: false },
			ratios,
			[1, 4, 0, 0],
		],
	])("is painted %s", async (_, shot, pictures, megapixels) => {
		const { each } = await ask("countGlCalls", shot, pictures);
		const uploaded = each.map(({ bytesUploaded }) => Math.round(bytesUploaded / 2 ** 22));
		expect(uploaded).toEqual(megapixels);
	});
});
