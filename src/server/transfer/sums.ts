import { hash } from "node:crypto";
import { type Registration, valuesOf } from "../registrations/registrations.ts";

/** What is told of one of two waitlists that are compared. */
export interface Side {
	rows: number;
	/** A sum over all rows, which does not depend on their order. */
	hash: string;
}

/** A registration as a sum takes it. */
export function asText(row: Registration): string {
	return JSON.stringify(valuesOf(row));
}

/** Adds up 128 bits of each row's hash, modulo 2^128: no row can stand for another. */
export function createSum() {
	// In four words, the last one the lowest: a million big integers would be a million objects.
	const words = [0, 0, 0, 0];
	let rows = 0;
	return {
		get rows() {
			return rows;
		},
		/** @param text all that there is of a row */
		add(text: string) {
			const bytes = hash("sha256", text, "binary");
			let carried = 0;
			for (let word = 3; word >= 0; word--) {
				let sum = words[word]! + carried;
				for (let n = 0, unit = 2 ** 24; n < 4; n++, unit /= 256) {
					sum += bytes.charCodeAt(4 * word + n) * unit;
				}
				carried = Math.floor(sum / 2 ** 32);
				words[word] = sum % 2 ** 32;
			}
			rows += 1;
		},
		side(): Side {
			const digits = words.map((word) => word.toString(16).padStart(8, "0"));
			return { rows, hash: digits.join("") };
		},
	};
}
