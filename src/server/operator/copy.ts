import { hash } from "node:crypto";
import { valuesOf } from "../waitlist/schema.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import {
	areCopied,
	type CopiedLetters,
	copyOutbox,
	openLetterCopy,
	type Rows,
} from "./copy-letters.ts";
import type { Database, Query } from "./database/database.ts";
import { addRegistrations, countRegistrations, inOrderOfKey } from "./database/registrations.ts";
import { copyVisits } from "./database/visits.ts";
import {
	addErasures,
	type ErasedAt,
	eraseKeys,
	findErased,
	inOrderOfCode,
	type Proofs,
} from "./erasure/erasure.ts";
import { keepFingerprint, readFingerprint } from "./erasure/erasure-key.ts";
import type { Operation } from "./operation.ts";

/** The result of a copy. */
export interface Copied {
	/** Registrations that were not in the target before. */
	added: number;
	/** Registrations left out, or taken out of the target, because they were erased. */
	erased: number;
	comparison: Comparison;
}

/** Two waitlists, row by row. */
export interface Comparison {
	source: Side;
	/** The rows of the target whose key the source has. */
	target: Side;
	/** Keys that only the target has: people who joined there. */
	onlyInTarget: number;
	/** Keys in both whose other fields differ: people who were erased and joined again. */
	different: number;
	/** What the letters know of these people; absent where there is no letter. */
	letters?: CopiedLetters;
	/** Whether the target has every row of the source: registrations to the letter. */
	same: boolean;
}

export interface Side {
	rows: number;
	/** A sum over all rows, which does not depend on their order. */
	hash: string;
}

/**
 * Copies a waitlist into another one, and compares the two row by row. Rows of the target stay as
 * they are, so that a copy can be repeated. An address that was erased in either does not come
 * back.
 *
 * The source is read as it was at the start, whatever a server writes to it meanwhile.
 *
 * @param proofs of the target; without them proofs are copied as they are, and nobody is left out
 * @param sourceProofs whether the proofs of the source are copied
 * @param exactly whether letters are copied as they are, into an empty target that sends none.
 *   Elsewhere those that are still to be sent are held.
 */
export function copy(
	source: Database,
	target: Database,
	{
		proofs,
		sourceProofs = true,
		exactly = false,
		now,
		progress,
	}: Pick<Operation, "now" | "progress"> & {
		proofs: Proofs | undefined;
		sourceProofs?: boolean;
		exactly?: boolean;
	},
): Promise<Copied> {
	return source.snapshot(async (query) => {
		if (sourceProofs) {
			const fingerprint = proofs ? undefined : await readFingerprint(query);
			if (fingerprint !== undefined) await keepFingerprint(target.query, fingerprint);
			for await (const page of inOrderOfCode(query)) await addErasures(target, proofs, page);
		}
		await copyOutbox(query, target);
		await copyVisits(query, target);
		const letters = await openLetterCopy(query, source, target, { proofs, held: !exactly, now });
		const erasedAmong: ErasedAmong = (page) => findErased(target, proofs, page);
		const total = await countRegistrations(query);
		let added = 0;
		let erased = 0;
		let read = 0;
		for await (const page of inOrderOfKey(query)) {
			const erasedAt = await erasedAmong(page);
			const kept = page.filter((registration) => !erasedAt(registration));
			erased += page.length - kept.length;
			if (kept.length > 0) {
				const addLetters = await letters.read(kept.map(({ key }) => key));
				added += (await addRegistrations(target, kept, addLetters)).length;
			}
			read += page.length;
			progress.show("copied", read, total);
		}

		const { comparison, extra } = await compare(query, target.query, {
			erasedAmong,
			onKept: letters.compare,
			onRow: (n) => progress.show("compared", n, total),
		});
		if (proofs && extra.length > 0) {
			const erasing = { now, reason: "erased in the copied waitlist" };
			erased += (await eraseKeys(target, proofs, extra, erasing)).length;
			await target.forget();
		}
		progress.end();
		const { copied } = letters;
		if (!copied) return { added, erased, comparison };
		const same = comparison.same && areCopied(copied, { exactly });
		return { added, erased, comparison: { ...comparison, letters: copied, same } };
	});
}

/** Looks up a page of registrations. */
type ErasedAmong = (page: readonly Registration[]) => Promise<ErasedAt>;

/** Walks through two waitlists side by side, in the order of their keys. */
async function compare(
	source: Query,
	target: Query,
	{
		erasedAmong,
		onKept,
		onRow,
	}: {
		erasedAmong: ErasedAmong;
		/** Called with the keys of a page of the source that were not erased. */
		onKept: (keys: readonly string[]) => Promise<void>;
		onRow: (n: number) => void;
	},
): Promise<{ comparison: Comparison; extra: string[] }> {
	const [sourceSum, targetSum] = [createSum(), createSum()];
	const sourceRows = rowsOf(source, erasedAmong, onKept);
	const targetRows = rowsOf(target, erasedAmong);
	/** Keys that only the target has, though they were erased: they came there before the erasure. */
	const extra: string[] = [];
	let onlyInTarget = 0;
	let different = 0;
	let theirs = await targetRows.next();
	for await (const { row, erased } of sourceRows) {
		onRow(sourceSum.rows);
		if (erased) continue;
		sourceSum.add(row);
		while (!theirs.done && before(theirs.value.row.key, row.key)) {
			if (theirs.value.erased) extra.push(theirs.value.row.key);
			else onlyInTarget += 1;
			theirs = await targetRows.next();
		}
		if (!theirs.done && theirs.value.row.key === row.key) {
			targetSum.add(theirs.value.row);
			if (asText(theirs.value.row) !== asText(row)) different += 1;
			theirs = await targetRows.next();
		}
	}
	for (; !theirs.done; theirs = await targetRows.next()) {
		if (theirs.value.erased) extra.push(theirs.value.row.key);
		else onlyInTarget += 1;
	}
	const [ours, copied] = [sourceSum.side(), targetSum.side()];
	const same = ours.rows === copied.rows && ours.hash === copied.hash;
	return { comparison: { source: ours, target: copied, onlyInTarget, different, same }, extra };
}

async function* rowsOf(
	query: Query,
	erasedAmong: ErasedAmong,
	onKept?: (keys: readonly string[]) => Promise<void>,
): AsyncGenerator<{ row: Registration; erased: boolean }> {
	for await (const page of inOrderOfKey(query)) {
		const erasedAt = await erasedAmong(page);
		const rows = page.map((row) => ({ row, erased: erasedAt(row) !== undefined }));
		await onKept?.(rows.filter(({ erased }) => !erased).map(({ row }) => row.key));
		yield* rows;
	}
}

/** By UTF-8 bytes, as both databases sort. JavaScript compares differently beyond U+FFFF. */
function before(a: string, b: string): boolean {
	return a !== b && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}

function asText(row: Registration): string {
	return JSON.stringify(valuesOf(row));
}

/** Adds up 128 bits of each row's hash, modulo 2^128: no row can stand for another. */
export function createSum() {
	let sum = 0n;
	let rows = 0;
	return {
		get rows() {
			return rows;
		},
		add(row: Registration) {
			const bits = hash("sha256", asText(row), "buffer");
			sum += (bits.readBigUInt64BE(0) << 64n) | bits.readBigUInt64BE(8);
			rows += 1;
		},
		side(): Side {
			return { rows, hash: BigInt.asUintN(128, sum).toString(16).padStart(32, "0") };
		},
	};
}

/** Says to the operator how a copy went. */
export function copiedAsText({ added, erased, comparison }: Copied, place: string): string {
	const { source, target, onlyInTarget, different, letters, same } = comparison;
	return [
		`rows added to ${place}: ${added}`,
		`rows of the source: ${source.rows}, hash ${source.hash}`,
		`of these in the target: ${target.rows}, hash ${target.hash}`,
		...(onlyInTarget > 0 ? [`only in the target: ${onlyInTarget}`] : []),
		...(different > 0 ? [`different, and left as they are in the target: ${different}`] : []),
		...(erased > 0 ? [`left out because they were erased: ${erased}`] : []),
		...(letters
			? [
					rowsAsText("letters", letters.letters),
					rowsAsText("people written to", letters.recipients),
					...(letters.waves.source > 0 ? [rowsAsText("waves", letters.waves)] : []),
					"Letters that are still to be sent are held: see `waitlist release --held`.",
				]
			: []),
		same ? "Both are the same, row for row." : "They are not the same.",
	].join("\n");
}

function rowsAsText(name: string, { source, target, later }: Rows): string {
	const more = later > 0 ? `, which knows more of ${later}` : "";
	return `${name} in the source: ${source}, of these in the target: ${target}${more}`;
}
