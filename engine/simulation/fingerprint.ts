/** Simulation fingerprints of 16 hex digits, to detect accidental changes. */
import type { Simulation } from "./simulation.ts";

/** Two MurmurHash3 lanes with different constants, eight digits each. */
export function hashWords(words: Iterable<number>): string {
	let a = 0;
	let b = 0x9747b28c;
	let length = 0;
	for (const word of words) {
		a = Math.imul(a ^ Math.imul(word, 0xcc9e2d51), 0x1b873593);
		a = (a ^ (a >>> 15)) + 0x52dce729;
		b = Math.imul(b ^ Math.imul(word, 0x239b961b), 0x38b34ae5);
		b = (b ^ (b >>> 13)) + 0x0bcaa747;
		length++;
	}
	return [a ^ length, b ^ length]
		.map((lane) => {
			let h = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
			h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
			return ((h ^ (h >>> 16)) >>> 0).toString(16).padStart(8, "0");
		})
		.join("");
}

/** Includes the records of dead particles. */
export function fingerprint({ tick, rings, records }: Simulation): string {
	return hashWords([tick, ...rings.map((ring) => ring.born), ...records.ints]);
}
