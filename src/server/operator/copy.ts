import { createHash } from "node:crypto";
import type { Registration } from "../waitlist/waitlist.ts";
import type { Database, Query } from "./database.ts";
import { addErasures, type CodeOf, eraseKeys, readErased, readErasures } from "./erasure.ts";
import type { Progress } from "./progress.ts";
import { countRegistrations, inOrderOfKey } from "./registrations.ts";

/** What came of a copy. */
export interface Copied {
	/** Registrations that were not in the target before. */
	added: number;
	/** Registrations that were left out, or taken out of the target, because they were erased. */
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
	/** Keys that both have with something else beside: people who left and joined again. */
	different: number;
	/** Whether the target has every row of the source, to the letter. */
	same: boolean;
}

interface Side {
	rows: number;
	/** A sum over all rows, the same in every order. */
	hash: string;
}

interface CopySettings {
	codes: () => CodeOf;
	/** Now, ISO 8601. */
	now: string;
	progress: Progress;
}

/**
 * Copies a waitlist into another one, and compares the two row by row. Nothing is lost that is
 * already there, so that it can be done again; what was erased in either does not come back.
 *
 * The source is read as it was at the start, whatever a server writes to it meanwhile.
 */
export function copy(source: Database, target: Database, settings: CopySettings): Promise<Copied> {
	const { codes, now, progress } = settings;
	return source.snapshot(async (query) => {
		await addErasures(target.query, target.jsonRows, await readErasures(query));
		const known = await readErased([target.query], codes);
		const total = await countRegistrations(query);
		let added = 0;
		let erased = 0;
		let read = 0;
		for await (const page of inOrderOfKey(query)) {
			const kept = page.filter((registration) => !known.find(registration));
			erased += page.length - kept.length;
			if (kept.length > 0) added += (await target.add(kept)).length;
			read += page.length;
			progress.show("copied", read, total);
		}

		const { comparison, extra } = await compare(query, target.query, {
			skip: (registration) => known.find(registration) !== undefined,
			onRow: (n) => progress.show("compared", n, total),
		});
		if (extra.length > 0) {
			const erasure = { codeOf: codes(), erasedAt: now, reason: "erased in the copied waitlist" };
			erased += (await eraseKeys(target, extra, erasure)).length;
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
	/** In the target alone, though erased: it came there before the erasure did. */
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

/** Both databases sort by UTF-8 bytes, which is not how JavaScript compares characters beyond U+FFFF. */
function before(a: string, b: string): boolean {
	return a !== b && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}

function asText({ key, email, source, createdAt, terms, flags }: Registration): string {
	return JSON.stringify([key, email, source, createdAt, terms, flags]);
}

/** Adds up 128 bits of the hashes of rows, modulo 2^128: no row can stand for another. */
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
