/** The same sphere (shaders, 1,351 vertices) drawn through one library or another. */
export interface Sphere {
	/** @param phase where in its loop the sphere is, 0 to 2π */
	draw(phase: number): void;
}

export type CreateSphere = (gl: WebGL2RenderingContext) => Sphere;

/** What every subject draws: a sphere of 0.7 of the canvas's height, in its middle. */
export function viewMatrix(width: number, height: number): Float32Array {
	return Float32Array.of((0.7 * height) / width, 0, 0, 0, 0, 0.7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
}
