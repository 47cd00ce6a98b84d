/** The sphere fades into the sky between these z, to hide the mesh's corners. */
export const RIM_FADE = { from: 0.15, to: 0.02 };
const RIM = [0.11, 0.065, RIM_FADE.to];

/** Mesh rings of the air around the sphere, as shares of the air's width from the rim outward. */
const AIR_RINGS = [0.15, 0.4, 0.7, 1];

/** Number of mesh rings, at a low and at a high pixel ratio. */
export const MESH_RINGS = { coarse: 12, fine: 18 };

/**
 * The visible half of a unit sphere, in hexagonal rings of nearly equal triangles. Color channels
 * differ from those of 36 rings by at most 11 of 255 by day and 28 at night (12 rings), or by 6 and
 * 16 (18 rings).
 */
export interface Hemisphere {
	/** x, y and z per vertex. The air has the rim's x and y, and z falls from 0 to -1 outward. */
	readonly positions: number[];
	/** Three vertices per triangle, counterclockwise from outside. */
	readonly triangles: number[];
}

/** @param rings each has six more vertices than the one inside it */
export function createHemisphere(rings: number): Hemisphere {
	const positions = [0, 0, 1];
	const tilt = Math.acos(RIM_FADE.from) / rings;
	for (let ring = 1; ring <= rings; ring++) addRing(positions, 6 * ring, Math.cos(tilt * ring));
	for (const facing of RIM) addRing(positions, 6 * rings, facing);
	for (const away of AIR_RINGS) addRing(positions, 6 * rings, -away);
	return { positions, triangles: mesh(rings) };
}

function addRing(positions: number[], around: number, facing: number): void {
	const radius = facing > 0 ? Math.sqrt(1 - facing * facing) : 1;
	for (let i = 0; i < around; i++) {
		const turn = (i / around) * 2 * Math.PI;
		positions.push(radius * Math.cos(turn), radius * Math.sin(turn), facing);
	}
}

function mesh(rings: number): number[] {
	const triangles: number[] = [];
	const at = (ring: number, i: number) => {
		const inner = Math.min(ring, rings);
		const rim = ring - inner;
		const first = inner === 0 ? 0 : 1 + 3 * inner * (inner - 1 + 2 * rim);
		return first + (i % Math.max(1, 6 * inner));
	};
	for (let ring = 1; ring <= rings + RIM.length + AIR_RINGS.length; ring++) {
		const [outer, inner] = [Math.min(ring, rings), Math.min(ring - 1, rings)];
		for (let side = 0; side < 6; side++) {
			for (let i = 0; i < outer; i++) {
				const [o, n] = [side * outer + i, side * inner + i];
				triangles.push(at(ring, o), at(ring, o + 1), at(ring - 1, n));
				if (i < inner) triangles.push(at(ring - 1, n), at(ring, o + 1), at(ring - 1, n + 1));
			}
		}
	}
	return triangles;
}
