import { FIELD, KIND, type Simulation, STRIDE, slotOf } from "../../simulation/index.ts";
import { type Camera, VIEW } from "../camera.ts";
import type { Picture } from "../renderer.ts";
import { lateBy } from "./late.ts";

/** How bright the latest burst is at the planet's limb, and the ticks in which that falls to half. */
const FLASH = { brightness: 0.55, half: 9 } as const;

/** Writes which burst lights the planet at night: the latest one, with its place in radii from the middle. */
export function writeFlash(
	{ sphere }: Camera,
	simulation: Simulation,
	{ time }: Readonly<Picture>,
): void {
	const { records, rings } = simulation;
	const ring = rings[KIND.spark];
	let latest = -1;
	let opened = -1;
	for (let burst = Math.max(0, ring.born - ring.length); burst < ring.born; burst++) {
		const r = slotOf(ring, burst) * STRIDE;
		const birth = records.ints[r + FIELD.birth] + lateBy(burst);
		if (records.ints[r + FIELD.death] <= time || birth > time || birth <= opened) continue;
		latest = r;
		opened = birth;
	}
	sphere[VIEW.flash] = 0;
	if (latest < 0) return;
	const age = time - opened;
	sphere[VIEW.flash] = FLASH.brightness * sphere[VIEW.sunken] * 2 ** (-age / FLASH.half);
	sphere[VIEW.flashX] = records.floats[latest + FIELD.x] / sphere[VIEW.radiusX];
}
