import { WIDE_WORDS } from "../bands.ts";
import { QUIET } from "../quiet.ts";
import { glsl } from "./glsl.ts";

export const glslForEachZone = (code: (zone: string) => string): string =>
	Array.from({ length: QUIET.rectangles }, (_, i) => code(`u_zones[${i}]`)).join("\n\t");

/** Words and quiet zones, as in bands.ts and quiet.ts. */
export const quietGlsl = glsl`
// 0 if there is room beside the words, 1 if they span the window.
float wide() {
	return smoothstep(${WIDE_WORDS}, u_halfWidth * u_clip.x);
}

// Px from a quiet zone to a box of half size reach.
float away(vec4 zone, vec2 at, float reach) {
	return length(max((abs(at - zone.xy) - zone.zw) / u_clip - reach, 0.0));
}

float room(vec2 at, float reach) {
	float room = 1.0e5;
	${glslForEachZone((zone) => `room = min(room, away(${zone}, at, reach));`)}
	return room;
}

float quiet(vec2 at, float reach) {
	return smoothstep(0.0, ${QUIET.fade}, room(at, reach));
}
`;
