import {
	FIELD,
	KIND,
	type Simulation,
	STRIDE,
	slotOf,
	smoothstep,
} from "../../simulation/index.ts";
import type { Camera } from "../camera.ts";
import * as SPHERE from "../gl/sphere-fields.ts";
import type { Picture } from "../renderer.ts";
import { DUSK_RIM } from "../theme.ts";
import { firstVisibleTick } from "./late.ts";
import { rocketSideOf } from "./sides.ts";

/** The latest burst's light on the planet's rim; `half` is its half-life in ticks. */
const FLASH = { brightness: 0.8, half: 14 } as const;

/**
 * Writes the light on the sphere's rim: at dusk its steady glow, at night the latest burst's flash.
 * By day, `flash` is a salute's progress instead, which darkens the sky.
 */
export function writeRimLight(
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
		const birth = firstVisibleTick(simulation, slot);
		if (records.ints[r + FIELD.death] <= time || birth > time || birth <= opened) continue;
		latest = r;
		opened = birth;
	}
	const dusk = night * (1 - sunken);
	const within = height < DUSK_RIM.leastHeight ? 0 : smoothstep((1 - radius[0]) / DUSK_RIM.aside);
	block[SPHERE.flash] = dusk * within + (1 - night) * smoothstep(saluted);
	if (latest < 0) return;
	const age = time - opened;
	block[SPHERE.flash] += FLASH.brightness * sunken * 2 ** (-age / FLASH.half);
	const x = records.floats[latest + FIELD.x] * rocketSideOf(simulation, latest / STRIDE);
	block[SPHERE.flashX] = x / radius[0];
}
