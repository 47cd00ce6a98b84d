import { Application, Particle, ParticleContainer, Rectangle, Texture } from "pixi.js";

/** Width of an emoji in the texture of all emoji. */
const CELL = 128;

/** As its performance guide says: one texture, and only the changing properties are dynamic. */
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
		const middle = { anchorX: 0.5, anchorY: 0.5 };
		const scale = size / CELL;
		return new Particle({ texture: textures[text], x, y, scaleX: scale, scaleY: scale, ...middle });
	});
	container.addParticle(...particles);
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
	const atlas = document.createElement("canvas");
	[atlas.width, atlas.height] = [CELL * emoji.length, CELL];
	const context = atlas.getContext("2d");
	[context.font, context.textBaseline] = [`${0.8 * CELL}px sans-serif`, "middle"];
	const { source } = Texture.from(atlas);
	const textures = emoji.map((text, i) => {
		context.fillText(text, i * CELL, CELL / 2);
		return [text, new Texture({ source, frame: new Rectangle(i * CELL, 0, CELL, CELL) })];
	});
	return Object.fromEntries(textures);
}
