import { createHemisphere, MESH_RINGS } from "../hemisphere.ts";
import { createSkyGrid, SKY_GRID_SIZES } from "../sky.ts";
import { type Quads, quadTriangles, VERTEX_LENGTH } from "./quads.ts";

export interface TriangleRange {
	offset: number;
	count: number;
}

export interface Geometry {
	/** Vertices of the quads, then of the coarse and the fine mesh: a sky and a sphere each. */
	vertices: Float32Array;
	triangles: Uint16Array;
	coarse: TriangleRange;
	fine: TriangleRange;
}

export function createGeometry(quads: Quads): Geometry {
	const triangles = quadTriangles(quads);
	const positions: number[] = [];
	const firstPoint = quads.vertices.length / VERTEX_LENGTH;
	function addMesh(mesh: { positions: number[]; triangles: number[] }): void {
		const first = firstPoint + positions.length / 3;
		triangles.push(...mesh.triangles.map((vertex) => first + vertex));
		positions.push(...mesh.positions);
	}
	function addPart(of: "coarse" | "fine"): TriangleRange {
		const offset = triangles.length;
		addMesh(createSkyGrid(SKY_GRID_SIZES[of]));
		addMesh(createHemisphere(MESH_RINGS[of]));
		return { offset, count: triangles.length - offset };
	}
	const [coarse, fine] = [addPart("coarse"), addPart("fine")];
	const vertices = new Float32Array(quads.vertices.length + (positions.length / 3) * VERTEX_LENGTH);
	vertices.set(quads.vertices);
	for (let point = 0; point * 3 < positions.length; point++) {
		const position = positions.slice(point * 3, point * 3 + 3);
		vertices.set(position, (firstPoint + point) * VERTEX_LENGTH);
	}
	return { vertices, triangles: new Uint16Array(triangles), coarse, fine };
}
