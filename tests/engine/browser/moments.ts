import type { Shot } from "./probes/shot.ts";

export const referenceShots = {
	"drift-wide": { seed: 42, scene: "drift", tick: 1500, width: 720, height: 500 },
	"drift-phone": { seed: 7, scene: "drift", tick: 60, width: 270, height: 585 },
	"fireworks-wide": { seed: 42, scene: "fireworks", tick: 400, width: 720, height: 450 },
	"fireworks-phone": { seed: 7, scene: "fireworks", tick: 1234, width: 270, height: 585 },
} satisfies Record<string, Shot>;
