import {
	BufferAttribute,
	BufferGeometry,
	Camera,
	Matrix4,
	Mesh,
	NoBlending,
	RawShaderMaterial,
	Scene,
	WebGLRenderer,
} from "three";
import { hemisphere } from "../../engine/render/hemisphere.ts";
import { sphereFragment, sphereVertex } from "../../engine/render/sphere.glsl.ts";
import { type CreateSphere, viewMatrix } from "./subject.ts";

/** three.js as its documents say, with our shaders and our mesh. */
export const createSphere: CreateSphere = (gl) => {
	const canvas = gl.canvas as HTMLCanvasElement;
	const renderer = new WebGLRenderer({ canvas, context: gl, antialias: false, depth: false });
	renderer.setClearColor(0, 0);
	const { positions, fine } = hemisphere();
	const geometry = new BufferGeometry();
	geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
	geometry.setIndex(new BufferAttribute(new Uint16Array(fine), 1));
	const view = new Matrix4().fromArray(viewMatrix(canvas.width, canvas.height));
	const material = new RawShaderMaterial({
		vertexShader: sphereVertex,
		fragmentShader: sphereFragment,
		uniforms: { view: { value: view } },
		depthTest: false,
		depthWrite: false,
		blending: NoBlending,
	});
	const mesh = new Mesh(geometry, material);
	mesh.frustumCulled = false;
	const scene = new Scene().add(mesh);
	const camera = new Camera();
	return {
		draw(phase) {
			view.elements[2] = phase;
			renderer.render(scene, camera);
		},
	};
};
