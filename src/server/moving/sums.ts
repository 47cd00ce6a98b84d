import { hash } from "node:crypto";
import type { LetterRow } from "../letters/letter.ts";
import type { Wave } from "../letters/wave/wave.ts";
import type { Recipient } from "../waitlist/recipients.ts";
import { type Registration, valuesOf } from "../waitlist/registrations.ts";

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

type Sum = ReturnType<typeof createSum>;

/** What stands in a waitlist, as sums that do not depend on the order of rows. */
export interface Sums {
	registrations: Sum;
	/** Letters, recipients and waves. */
	letters: Sum;
}

/** Sums of nothing yet. */
export function createSums(): Sums {
	return { registrations: createSum(), letters: createSum() };
}

/** Adds up 128 bits of each row's hash, modulo 2^128: no row can stand for another. */
export function createSum() {
	let sum = 0n;
	let rows = 0;
	return {
		get rows() {
			return rows;
		},
		/** @param text all that there is of a row */
		add(text: string) {
			const bits = hash("sha256", text, "buffer");
			sum += (bits.readBigUInt64BE(0) << 64n) | bits.readBigUInt64BE(8);
			rows += 1;
		},
		side(): Side {
			return { rows, hash: BigInt.asUintN(128, sum).toString(16).padStart(32, "0") };
		},
	};
}

/** Adds up waves, as {@link sumLetters} does their letters. */
export function sumWaves({ letters }: Sums, waves: readonly Wave[]): void {
	for (const wave of waves) letters.add(JSON.stringify(wave));
}

/** Adds up what belongs to people. */
export function sumLetters(
	{ letters }: Sums,
	rows: { recipients: readonly Recipient[]; letters: readonly LetterRow[] },
): void {
	for (const row of rows.recipients) letters.add(JSON.stringify(row));
	for (const row of rows.letters) letters.add(JSON.stringify(row));
}
