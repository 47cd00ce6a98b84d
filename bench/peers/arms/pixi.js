import { Application, Particle, ParticleContainer, Rectangle, Texture } from "pixi.js";

/** Width of an emoji in the texture of all emoji. */
const CELL = 128;

/**
 * As its performance guide says: one texture, a ParticleContainer, and only the changing properties
 * are dynamic.
 */
export async function start(canvas, sprites, life) {
	const app = new Application();
	const { width, height } = canvas;
	await app.init({ canvas, width, height, preference: "webgl", backgroundAlpha: 0 });
	const textures = paint([...new Set(sprites.map(({ text }) => text))]);
	const container = new ParticleContainer({
		boundsArea: new Rectangle(0, 0, width, height),
		dynamicProperties: { position: true, rotation: true, color: true },
	});
	const particles = sprites.map(({ text, size, x, y }) => {
		const [texture, scale] = [textures.get(text), size / CELL];
		return new Particle({
			texture,
			x,
			y,
			scaleX: scale,
			scaleY: scale,
			anchorX: 0.5,
			anchorY: 0.5,
		});
	});
	container.particleChildren.push(...particles);
	container.update();
	app.stage.addChild(container);
	let frame = 0;
	app.ticker.add(() => {
		frame++;
		for (const [i, particle] of particles.entries()) {
			particle.x += sprites[i].velocityX;
			particle.y += sprites[i].velocityY;
			particle.rotation += sprites[i].spin;
			particle.alpha = 1 - frame / life;
		}
	});
}

function paint(emoji) {
	const atlas = Object.assign(document.createElement("canvas"), {
		width: CELL * emoji.length,
		height: CELL,
	});
	const context = atlas.getContext("2d");
	Object.assign(context, { font: `${0.8 * CELL}px sans-serif`, textBaseline: "middle" });
	for (const [i, text] of emoji.entries()) context.fillText(text, i * CELL, CELL / 2);
	const { source } = Texture.from(atlas);
	return new Map(
		emoji.map((text, i) => [
			text,
			new Texture({ source, frame: new Rectangle(i * CELL, 0, CELL, CELL) }),
		]),
	);
}
