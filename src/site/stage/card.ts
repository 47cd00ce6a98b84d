import { brand, emoji, inks, sphere } from "#brand";
import { words } from "#words";
import { theme } from "./theme.ts";

/** Open Graph size. */
const SIZE = { width: 1200, height: 630 };

/** Seed and tick of a good-looking `drift` scene. */
const MOMENT = { seed: 7, tick: 1500 };

const LINE = 92;
const WORDS = { x: 250, y: 140, width: 700, height: 320 };

/** To the upper right of the sphere, as in the logo. */
const MOON = { x: 838, y: 112, radius: 62 };

/**
 * Draws a picture of the page with a moon, to show to a friend. Nothing is sent.
 * @throws Error without WebGL, or if PNG encoding fails
 */
export async function drawSharingCard(moon: number): Promise<Blob> {
	const { photograph } = await import("#engine");
	const quietZone = [WORDS.x, WORDS.y, WORDS.width, WORDS.height];
	quietZone.push(MOON.x - MOON.radius, MOON.y - MOON.radius, 2 * MOON.radius, 2 * MOON.radius);
	const card = await photograph({ theme, ...MOMENT, ...SIZE, quietZone });
	const context = card.getContext("2d");
	if (!context) throw new Error("There is no 2D canvas.");
	context.textAlign = "center";
	context.textBaseline = "middle";
	const lines = [...words.headline.lines, words.headline.turning[0] ?? ""];
	context.font = `800 ${LINE}px ${getComputedStyle(document.querySelector("h1")!).fontFamily}`;
	for (const [i, line] of lines.entries()) {
		context.fillStyle = i < lines.length - 1 ? inks.morning.ink : (inks.morning.word[0] ?? "");
		const y = SIZE.height / 2 - ((lines.length - 1) / 2 - i) * LINE;
		context.fillText(line, SIZE.width / 2, y, 900);
	}
	context.fillStyle = inks.morning.ink;
	context.font = `600 28px ${getComputedStyle(document.body).fontFamily}`;
	context.fillText(`${brand.product} · ${location.host}`, SIZE.width / 2, SIZE.height - 40);
	drawMoon(context, emoji[moon] ?? "");
	return new Promise((resolve, reject) =>
		card.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("There is no PNG.")))),
	);
}

/** Draws the emoji on a pearl, as in moon.css. */
function drawMoon(context: CanvasRenderingContext2D, sign: string): void {
	const { x, y, radius } = MOON;
	const pearl = context.createRadialGradient(x - 20, y - 26, radius / 5, x, y, radius);
	pearl.addColorStop(0, sphere.sheen);
	pearl.addColorStop(1, sphere.silk[5] ?? "");
	context.fillStyle = pearl;
	context.beginPath();
	context.arc(x, y, radius, 0, 2 * Math.PI);
	context.shadowColor = sphere.silk[5] ?? "";
	context.shadowBlur = 40;
	context.fill();
	context.shadowBlur = 0;
	context.font = `${radius}px sans-serif`;
	context.fillStyle = inks.morning.ink;
	context.fillText(sign, x, y + 4);
}
