import type { Browser } from "playwright-core";
import { aim, createCamera } from "../../../engine/render/camera.ts";
import { sphereFragment, sphereVertex } from "../../../engine/render/gl/sphere.glsl.ts";
import { FADE, hemisphere, RINGS } from "../../../engine/render/hemisphere.ts";
import { glslColours } from "../../../engine/render/looks.ts";
import { createPicture } from "../../../engine/render/renderer.ts";
import { looks } from "../../site/stage/looks.ts";

/** The grid's rows, and colours in a row. */
const ROWS = 15;
const COLUMNS = 13;

/** How far the grid reaches beyond the sphere on each side, and how far it is blurred: shares of its diameter. */
const BEYOND = 0.05;
const BLUR = 0.024;

/** Px of the photographed sphere's edge. */
const EDGE = 512;

/** How far the sphere reaches before it fades into the sky, as a share of its radius. */
const WHOLE = Math.sqrt(1 - FADE.from ** 2) - 2 / EDGE;

/**
 * The style sheet of the still sphere: the first frame of the engine's shader, read at the points of
 * a grid. Each row is a gradient in a band of its own, and a blur of two fifths of a band's height takes
 * away all seams. The grid is larger than the sphere, so that the blur finds colours beyond the rim.
 *
 * Pictures would be one request more, or need `data:` in the Content-Security-Policy.
 */
export async function sphereStyles(browser: Browser): Promise<string> {
	const rows = await photographSphere(browser);
	const gradients = rows.map((colours) => `linear-gradient(90deg, ${colours.join(", ")})`);
	const places = rows.map((_, row) => `0 ${percent(row / (ROWS - 1))}`);
	return `/* Written by \`npm run photograph\` from the engine's shader. */
.sphere::before {
	inset: -${percent(BEYOND)};
	background: no-repeat 0 0 / 100% ${percent(1 / ROWS)};
	background-image:
		${gradients.join(",\n\t\t")};
	background-position: ${places.join(", ")};
	filter: blur(calc(var(--diameter) * ${BLUR}));
}
`;
}

/** The colours at the grid's points, row by row. What lies outside the sphere is as its nearest point inside. */
async function photographSphere(browser: Browser): Promise<string[][]> {
	const camera = createCamera();
	Object.assign(camera, { width: 100, height: 100 });
	aim(camera, createPicture());
	// The sphere alone fills the canvas.
	Object.assign(camera.sphere, { 0: 1, 5: 1, 12: 0, 13: 0 });
	const { positions, triangles } = hemisphere(RINGS.fine);
	const page = await browser.newPage();
	try {
		const scene = { edge: EDGE, view: [...camera.sphere], positions, triangles };
		const vertex = glslColours(looks.colours) + sphereVertex;
		const pixels = await page.evaluate(drawSphere, {
			...scene,
			sphereVertex: vertex,
			sphereFragment,
		});
		const colourAt = (x: number, y: number) => {
			const inside = Math.min(1, WHOLE / Math.hypot(x, y));
			const [column, line] = [x, -y].map((at) => Math.floor(((at * inside + 1) / 2) * EDGE));
			return hex(pixels.slice((line! * EDGE + column!) * 4).slice(0, 3));
		};
		// From the middle of the sphere, in radii. A row's colours are those of the middle of its band.
		const reach = 1 + 2 * BEYOND;
		return Array.from({ length: ROWS }, (_, row) =>
			Array.from({ length: COLUMNS }, (_, column) =>
				colourAt(reach * ((2 * column) / (COLUMNS - 1) - 1), reach * ((2 * row + 1) / ROWS - 1)),
			),
		);
	} finally {
		await page.close();
	}
}

/** What is handed to the page. */
interface Drawn {
	edge: number;
	view: number[];
	positions: number[];
	triangles: number[];
	sphereVertex: string;
	sphereFragment: string;
}

/** Runs in the page. Returns red, green, blue and alpha of each pixel, from the lowest line upwards. */
function drawSphere({
	edge,
	view,
	positions,
	triangles,
	sphereVertex,
	sphereFragment,
}: Drawn): number[] {
	const canvas = Object.assign(document.createElement("canvas"), { width: edge, height: edge });
	const gl = canvas.getContext("webgl", { antialias: false })!;
	const program = gl.createProgram();
	for (const [kind, source] of [
		[gl.VERTEX_SHADER, sphereVertex],
		[gl.FRAGMENT_SHADER, sphereFragment],
	] as const) {
		const shader = gl.createShader(kind)!;
		gl.shaderSource(shader, source);
		gl.compileShader(shader);
		gl.attachShader(program, shader);
	}
	gl.linkProgram(program);
	if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
		throw new Error(`The sphere's shaders do not link: ${gl.getProgramInfoLog(program)}`);
	}
	// biome-ignore lint/correctness/useHookAtTopLevel: WebGL's, not React's.
	gl.useProgram(program);
	gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
	gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(positions), gl.STATIC_DRAW);
	gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
	gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(triangles), gl.STATIC_DRAW);
	const position = gl.getAttribLocation(program, "position");
	gl.enableVertexAttribArray(position);
	gl.vertexAttribPointer(position, 3, gl.FLOAT, false, 0, 0);
	gl.uniformMatrix4fv(gl.getUniformLocation(program, "view"), false, view);
	gl.drawElements(gl.TRIANGLES, triangles.length, gl.UNSIGNED_SHORT, 0);
	const pixels = new Uint8Array(edge * edge * 4);
	gl.readPixels(0, 0, edge, edge, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
	return [...pixels];
}

const hex = (colour: readonly number[]) =>
	`#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;

const percent = (share: number) => `${Number((100 * share).toFixed(2))}%`;
