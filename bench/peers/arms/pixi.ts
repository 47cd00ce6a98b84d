import { Application, Particle, ParticleContainer, Rectangle, Texture } from "pixi.js";
import { ATLAS, CELL, cellAt, createAtlas } from "../../../engine/render/atlas.ts";
import { EMOJI } from "../../../engine/simulation/index.ts";
import { THEME } from "../../harness/theme.ts";
import { LIFE, type Start, spritesOf } from "../scene.ts";

/**
 * Per its performance guide: one atlas (the engine's), a ParticleContainer, and only the changing
 * properties are dynamic.
 */
export const start: Start = async (canvas, scene) => {
	const app = new Application();
	await app.init({
		canvas,
		width: canvas.width,
		height: canvas.height,
		preference: "webgl",
		backgroundAlpha: 0,
		antialias: false,
	});
	const { source } = Texture.from(createAtlas(THEME) as HTMLCanvasElement);
	const textures = EMOJI.map((_, place) => {
		const { left, top } = cellAt(place);
		return new Texture({ source, frame: new Rectangle(left, top, CELL, CELL) });
	});
	const container = new ParticleContainer({
		boundsArea: new Rectangle(0, 0, canvas.width, canvas.height),
		dynamicProperties: { position: true, rotation: true, color: true },
	});
	const sprites = spritesOf(scene);
	const particles = sprites.map(({ size, emoji, x, y }) => {
		const scale = size / ATLAS.glyphShare / CELL;
		const texture = textures[emoji]!;
		const middle = { anchorX: 0.5, anchorY: 0.5 };
		return new Particle({ texture, x, y, scaleX: scale, scaleY: scale, ...middle });
	});
	container.particleChildren.push(...particles);
	container.update();
	app.stage.addChild(container);
	let frame = 0;
	app.ticker.add(() => {
		frame++;
		const alpha = 1 - frame / LIFE;
		for (let place = 0; place < particles.length; place++) {
			const particle = particles[place]!;
			const { velocityX, velocityY, spin } = sprites[place]!;
			particle.x += velocityX;
			particle.y += velocityY;
			particle.rotation += spin;
			particle.alpha = alpha;
		}
	});
	return {};
};
