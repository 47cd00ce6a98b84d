import { createHash } from "node:crypto";
import { valuesOf } from "../waitlist/schema.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import type { Database, Query } from "./database/database.ts";
import { addRegistrations, countRegistrations, inOrderOfKey } from "./database/registrations.ts";
import { addErasures, eraseKeys, readErased, readErasures } from "./erasure.ts";
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
	/** Whether the target has every row of the source, to the letter. */
	same: boolean;
}

interface Side {
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
 */
export function copy(
	source: Database,
	target: Database,
	{ codes, now, progress }: Pick<Operation, "codes" | "now" | "progress">,
): Promise<Copied> {
	return source.snapshot(async (query) => {
		await addErasures(target.query, target.dialect, await readErasures(query));
		const known = await readErased(target.query, codes);
		const total = await countRegistrations(query);
		let added = 0;
		let erased = 0;
		let read = 0;
		for await (const page of inOrderOfKey(query)) {
			const kept = page.filter((registration) => !known.find(registration));
			erased += page.length - kept.length;
			if (kept.length > 0) added += (await addRegistrations(target, kept)).length;
			read += page.length;
			progress.show("copied", read, total);
		}

		const { comparison, extra } = await compare(query, target.query, {
			skip: (registration) => known.find(registration) !== undefined,
			onRow: (n) => progress.show("compared", n, total),
		});
		if (extra.length > 0) {
			const reason = "erased in the copied waitlist";
			const erasing = { codeOf: codes(), erasedAt: now.toISOString(), reason };
			erased += (await eraseKeys(target, extra, erasing)).length;
		}
		progress.end();
		return { added, erased, comparison };
	});
}

/** Walks through two waitlists side by side, in the order of their keys. */
async function compare(
	source: Query,
	target: Query,
	{ skip, onRow }: { skip: (row: Registration) => boolean; onRow: (n: number) => void },
): Promise<{ comparison: Comparison; extra: string[] }> {
	const [sourceSum, targetSum] = [createSum(), createSum()];
	const [sourceRows, targetRows] = [rowsOf(source), rowsOf(target)];
	/** Keys that only the target has, though they were erased: they came there before the erasure. */
	const extra: string[] = [];
	let onlyInTarget = 0;
	let different = 0;
	let theirs = await targetRows.next();
	for await (const row of sourceRows) {
		onRow(sourceSum.rows);
		if (skip(row)) continue;
		sourceSum.add(row);
		while (!theirs.done && before(theirs.value.key, row.key)) {
			if (skip(theirs.value)) extra.push(theirs.value.key);
			else onlyInTarget += 1;
			theirs = await targetRows.next();
		}
		if (!theirs.done && theirs.value.key === row.key) {
			targetSum.add(theirs.value);
			if (asText(theirs.value) !== asText(row)) different += 1;
			theirs = await targetRows.next();
		}
	}
	for (; !theirs.done; theirs = await targetRows.next()) {
		if (skip(theirs.value)) extra.push(theirs.value.key);
		else onlyInTarget += 1;
	}
	const [ours, copied] = [sourceSum.side(), targetSum.side()];
	const same = ours.rows === copied.rows && ours.hash === copied.hash;
	return { comparison: { source: ours, target: copied, onlyInTarget, different, same }, extra };
}

async function* rowsOf(query: Query): AsyncGenerator<Registration> {
	for await (const page of inOrderOfKey(query)) yield* page;
}

/** By UTF-8 bytes, as both databases sort. JavaScript compares differently beyond U+FFFF. */
function before(a: string, b: string): boolean {
	return a !== b && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}

function asText(row: Registration): string {
	return JSON.stringify(valuesOf(row));
}

/** Adds up 128 bits of each row's hash, modulo 2^128: no row can stand for another. */
function createSum() {
	let sum = 0n;
	let rows = 0;
	return {
		get rows() {
			return rows;
		},
		add(row: Registration) {
			const hash = createHash("sha256").update(asText(row)).digest();
			sum += (hash.readBigUInt64BE(0) << 64n) | hash.readBigUInt64BE(8);
			rows += 1;
		},
		side(): Side {
			return { rows, hash: BigInt.asUintN(128, sum).toString(16).padStart(32, "0") };
		},
	};
}

/** Says to the operator how a copy went. */
export function copiedAsText({ added, erased, comparison }: Copied, place: string): string {
	const { source, target, onlyInTarget, different, same } = comparison;
	return [
		`rows added to ${place}: ${added}`,
		`rows of the source: ${source.rows}, hash ${source.hash}`,
		`of these in the target: ${target.rows}, hash ${target.hash}`,
		...(onlyInTarget > 0 ? [`only in the target: ${onlyInTarget}`] : []),
		...(different > 0 ? [`different, and left as they are in the target: ${different}`] : []),
		...(erased > 0 ? [`left out because they were erased: ${erased}`] : []),
		same ? "Both are the same, row for row." : "They are not the same.",
	].join("\n");
}
