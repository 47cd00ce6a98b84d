import { FIELD, KIND, type Simulation, STRIDE, slotOf, smooth } from "../../simulation/index.ts";
import type { Camera } from "../camera.ts";
import * as SPHERE from "../gl/sphere-fields.ts";
import type { Picture } from "../renderer.ts";
import { LIMB } from "../theme.ts";
import { seenFrom } from "./late.ts";
import { sideOf } from "./sides.ts";

/** The latest burst's light on the planet's rim; `half` is its half-life in ticks. */
const FLASH = { brightness: 0.8, half: 14 } as const;

/**
 * Writes the light on the sphere's rim: at dusk the ambient light, at night the latest burst's. By
 * day, writes a salute's progress, which darkens the sky.
 */
export function writeFlash(
	block: Float32Array,
	{ radius, height }: Camera,
	simulation: Simulation,
	{ time, night, sunken }: Readonly<Picture>,
	saluted: number,
): void {
	const { records, rings } = simulation;
	const ring = rings[KIND.spark];
	let latest = -1;
	let opened = -1;
	for (let burst = Math.max(0, ring.born - ring.length); burst < ring.born; burst++) {
		const slot = slotOf(ring, burst);
		const r = slot * STRIDE;
		const birth = seenFrom(simulation, slot);
		if (records.ints[r + FIELD.death] <= time || birth > time || birth <= opened) continue;
		latest = r;
		opened = birth;
	}
	const dusk = night * (1 - sunken);
	const within = height < LIMB.leastHeight ? 0 : smooth((1 - radius[0]) / LIMB.aside);
	block[SPHERE.flash] = dusk * within + (1 - night) * smooth(saluted);
	if (latest < 0) return;
	const age = time - opened;
	block[SPHERE.flash] += FLASH.brightness * sunken * 2 ** (-age / FLASH.half);
	const x = records.floats[latest + FIELD.x] * sideOf(simulation, latest / STRIDE);
	block[SPHERE.flashX] = x / radius[0];
}
