import { createAtlas } from "../atlas.ts";
import type { Camera } from "../camera.ts";
import type { Theme } from "../theme.ts";
import type { Gl } from "./commands.ts";

/** From this width and device pixels per CSS px on, emoji are larger than their atlas cells. */
const FINE = { ratio: 1.4, width: 640 };

/** Paints the atlas into the bound texture, once, and again at twice the detail if needed. */
export function createAtlasPainter(
	gl: Gl,
	theme: Theme,
	software: boolean,
): (camera: Readonly<Camera>, pixelRatio: number) => void {
	let painted = 0;
	return ({ width }, pixelRatio) => {
		const detail = software || pixelRatio < FINE.ratio || width < FINE.width ? 1 : 2;
		if (painted >= detail) return;
		painted = detail;
		gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
		gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, createAtlas(theme, detail));
		gl.generateMipmap(gl.TEXTURE_2D);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
	};
}
