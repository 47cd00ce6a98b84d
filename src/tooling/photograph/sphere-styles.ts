import { mat4 } from "gl-matrix";
import type { Browser } from "playwright-core";
import { createCamera } from "../../../engine/render/camera.ts";
import { writeSphere } from "../../../engine/render/gl/blocks.ts";
import { sphereFragment, sphereVertex } from "../../../engine/render/gl/sphere.glsl.ts";
import * as SPHERE from "../../../engine/render/gl/sphere-fields.ts";
import { createHemisphere, MESH_RINGS, RIM_FADE } from "../../../engine/render/hemisphere.ts";
import { createPicture } from "../../../engine/render/renderer.ts";
import { glslColors } from "../../../engine/render/theme.ts";
import { theme } from "../../site/stage/theme.ts";
import { brandHash } from "./brand-hash.ts";

const ROWS = 15;
const COLUMNS = 13;

/** Grid margin around the sphere and blur radius, as shares of the diameter. */
const BEYOND = 0.05;
const BLUR = 0.024;

/** Edge of the square canvas for the sphere, in px. */
const EDGE = 512;

/** Share of the radius at which the sphere begins to fade into the sky. */
const WHOLE = Math.sqrt(1 - RIM_FADE.from ** 2) - 2 / EDGE;

/**
 * Turns the first frame of the engine's shader into one CSS gradient per grid row; a blur removes
 * the seams.
 *
 * A picture would cost a request, or need `data:` in the Content-Security-Policy.
 */
export async function sphereStyles(browser: Browser): Promise<string> {
	const rows = await photographSphere(browser);
	const gradients = rows.map((colors) => `linear-gradient(90deg, ${colors.join(", ")})`);
	const places = rows.map((_, row) => `0 ${percent(row / (ROWS - 1))}`);
	return `/* Written by \`npm run photograph\` from the engine's shader, for brand ${brandHash}. */
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

/** Points outside the sphere have the nearest color inside. */
async function photographSphere(browser: Browser): Promise<string[][]> {
	const camera = createCamera();
	// The sphere fills the canvas.
	mat4.identity(camera.view);
	const block = new Float32Array(SPHERE.length);
	writeSphere(block, camera, createPicture());
	const { positions, triangles } = createHemisphere(MESH_RINGS.fine);
	const page = await browser.newPage();
	try {
		const pixels = await page.evaluate(drawSphere, {
			edge: EDGE,
			block: [...block],
			positions,
			triangles,
			shaders: [glslColors(theme.colors) + sphereVertex, sphereFragment],
		});
		const colorAt = (x: number, y: number) => {
			const inside = Math.min(1, WHOLE / Math.hypot(x, y));
			const [column, line] = [x, -y].map((at) => Math.floor(((at * inside + 1) / 2) * EDGE));
			return hex(pixels.slice((line! * EDGE + column!) * 4).slice(0, 3));
		};
		// Points are in radii from the sphere's center. A row samples the middle of its band.
		const reach = 1 + 2 * BEYOND;
		return Array.from({ length: ROWS }, (_, row) =>
			Array.from({ length: COLUMNS }, (_, column) =>
				colorAt(reach * ((2 * column) / (COLUMNS - 1) - 1), reach * ((2 * row + 1) / ROWS - 1)),
			),
		);
	} finally {
		await page.close();
	}
}

interface Drawn {
	edge: number;
	block: number[];
	positions: number[];
	triangles: number[];
	/** Vertex and fragment shader. */
	shaders: string[];
}

/** Runs in the page. Returns RGBA pixels, bottom row first. */
function drawSphere({ edge, block, positions, triangles, shaders }: Drawn): number[] {
	const canvas = Object.assign(document.createElement("canvas"), { width: edge, height: edge });
	const gl = canvas.getContext("webgl", { antialias: false })!;
	const program = gl.createProgram();
	for (const [place, source] of shaders.entries()) {
		const shader = gl.createShader(place === 0 ? gl.VERTEX_SHADER : gl.FRAGMENT_SHADER)!;
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
	const position = gl.getAttribLocation(program, "a_position");
	gl.enableVertexAttribArray(position);
	gl.vertexAttribPointer(position, 3, gl.FLOAT, false, 0, 0);
	gl.uniform4fv(gl.getUniformLocation(program, "u"), block);
	gl.drawElements(gl.TRIANGLES, triangles.length, gl.UNSIGNED_SHORT, 0);
	const pixels = new Uint8Array(edge * edge * 4);
	gl.readPixels(0, 0, edge, edge, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
	return [...pixels];
}

const hex = (color: readonly number[]) =>
	`#${color.map((value) => value.toString(16).padStart(2, "0")).join("")}`;

const percent = (share: number) => `${Number((100 * share).toFixed(2))}%`;
