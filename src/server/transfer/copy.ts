import type { Database } from "../database/database.ts";
import { readAhead } from "../database/rows.ts";
import type { Query } from "../database/statement.ts";
import { erasePeople } from "../mail/emails/erasing.ts";
import { addGap, readGap } from "../mail/emails/gaps.ts";
import { rejudgeStreams } from "../mail/rate/throttle.ts";
import { copyAudit } from "../registrations/audit.ts";
import { isReleasedIn, releaseAsElsewhere } from "../registrations/marks.ts";
import type { Operation } from "../registrations/operation.ts";
import { countRegistrations } from "../registrations/people.ts";
import {
	type ErasedAt,
	findErased,
	inOrderOfCode,
	keepFingerprint,
	keepProofs,
	type Proofs,
	readFingerprint,
} from "../registrations/proofs/erasures.ts";
import {
	addRegistrations,
	inOrderOfKey,
	type Registration,
} from "../registrations/registrations.ts";
import { copyVisits } from "../registrations/visits.ts";
import { copyWordings } from "../registrations/wordings.ts";
import { latestCredible } from "../time.ts";
import {
	areCopied,
	type CopiedLetters,
	copyOutbox,
	openLetterCopy,
	type Unsent,
} from "./copy-letters.ts";
import { asText, createSum, type Side } from "./sums.ts";

/** The result of a copy. */
export interface Copied {
	/** Registrations that were not in the target before. */
	added: number;
	/** Letters that the target did not have, or knew less of. */
	addedLetters: number;
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
	/** Whether the target has every row of the source, registrations without any difference. */
	same: boolean;
}

/**
 * Copies a waitlist into another one, and compares the two row by row. Rows of the target stay as
 * they are, so that a copy can be repeated: all that they lose is the mark of a burst that the source
 * has released. An address that was erased in either does not come
 * back.
 *
 * The source is read as it was at the start, whatever a server writes to it meanwhile.
 */
export function copy(source: Database, target: Database, options: Copying): Promise<Copied> {
	const { proofs, now, progress, accepts = () => true } = options;
	return source.snapshot(async (query) => {
		async function* sourcePages() {
			for await (const page of inOrderOfKey(query)) yield page.filter(accepts);
		}
		const rows = await copyRows({ query, pages: sourcePages() }, source, target, options);
		const { added, letters, erasedAmong, total } = rows;
		// People of the target joined before any erasure that is still to come.
		const erasedInTarget: ErasedAmong = (page) =>
			findErased(target, proofs, page, latestCredible(now));
		let { erased } = rows;
		const { comparison, extra } = await compare(sourcePages(), target.query, {
			erasedAmong,
			erasedInTarget,
			onKept: letters.compare,
			onRow: (n) => progress.show("compared", n, total),
		});
		if (proofs && extra.length > 0) {
			const erasing = { now, reason: "erased in the copied waitlist" };
			erased += (await erasePeople(target, proofs, extra, erasing)).length;
			await target.forget();
		}
		progress.end();
		const { copied } = letters;
		// How slow a stream is follows from its letters.
		if (copied) await target.transact(rejudgeStreams, now.getTime());
		const counts = { added, addedLetters: letters.added(), erased };
		if (!copied) return { ...counts, comparison };
		const same = comparison.same && areCopied(copied);
		return { ...counts, comparison: { ...comparison, letters: copied, same } };
	});
}

/** Whether people of the source who were erased later than now, by a wrong clock, stay out or come back. */
export type FutureErasures = "out" | "back";

/** What {@link copyRows} takes, as {@link copy} does. */
interface Copying extends Pick<Operation, "now" | "progress"> {
	/**
	 * Proofs of the target. Without them the source's proofs are copied as they are, and nobody is
	 * left out.
	 */
	proofs: Proofs | undefined;
	/** Whether the proofs of the source are copied. */
	sourceProofs?: boolean;
	/** See {@link FutureErasures}. By default they come back. */
	futureErasures?: FutureErasures | undefined;
	/** What becomes of letters that are still to be sent. */
	unsent: Unsent;
	/** Whether to copy a row; by default all are. */
	accepts?: (registration: Registration) => boolean;
}

type Pages = AsyncGenerator<Registration[]>;

/**
 * Copies a waitlist without comparing the registrations and letters.
 *
 * @param query reads a snapshot of the source
 */
async function copyRows(
	{ query, pages }: { query: Query; pages: Pages },
	source: Database,
	target: Database,
	{ proofs, sourceProofs = true, futureErasures, unsent, now, progress }: Copying,
) {
	if (sourceProofs) {
		const fingerprint = proofs ? undefined : await readFingerprint(query);
		if (fingerprint !== undefined) await keepFingerprint(target.query, fingerprint);
		for await (const page of inOrderOfCode(query)) {
			await target.transact((tx) => keepProofs(tx, proofs, page), undefined);
		}
	}
	await copyOutbox(query, target);
	await copyVisits(query, target);
	const gap = await readGap(query);
	if (gap) await target.transact(addGap, gap);
	await copyWordings(query, target);
	await copyAudit(query, target);
	const letters = await openLetterCopy(query, source, target, { proofs, unsent, now });
	const until = futureErasures === "out" ? undefined : latestCredible(now);
	const erasedAmong: ErasedAmong = (page) => findErased(target, proofs, page, until);
	const total = await countRegistrations(query);
	let added = 0;
	let erased = 0;
	let read = 0;
	for await (const page of readAhead(pages)) {
		const erasedAt = await erasedAmong(page);
		const kept = page.filter((registration) => !erasedAt(registration));
		erased += page.length - kept.length;
		if (kept.length > 0) {
			const addLetters = await letters.read(kept.map(({ key }) => key));
			const also = async (adding: Query) => {
				await releaseAsElsewhere(adding, target.dialect, kept);
				await addLetters(adding);
			};
			added += (await addRegistrations(target, kept, also)).length;
		}
		read += page.length;
		progress.show("copied", read, total);
	}
	return { added, erased, letters, erasedAmong, total };
}

/** Looks up a page of registrations. */
type ErasedAmong = (page: readonly Registration[]) => Promise<ErasedAt>;

/** Walks through two waitlists side by side, in the order of their keys. */
async function compare(
	source: Pages,
	target: Query,
	{
		erasedAmong,
		erasedInTarget,
		onKept,
		onRow,
	}: {
		erasedAmong: ErasedAmong;
		erasedInTarget: ErasedAmong;
		/** Called with the keys of a page of the source that were not erased. */
		onKept: (keys: readonly string[]) => Promise<void>;
		onRow: (n: number) => void;
	},
): Promise<{ comparison: Comparison; extra: string[] }> {
	const [sourceSum, targetSum] = [createSum(), createSum()];
	const sourceRows = rowsOf(source, erasedAmong, onKept);
	const targetRows = rowsOf(inOrderOfKey(target), erasedInTarget);
	/** Keys of erased people that only the target has. They came there before the erasure. */
	const extra: string[] = [];
	let onlyInTarget = 0;
	let different = 0;
	let theirs = await targetRows.next();
	for await (const { row, erased } of sourceRows) {
		onRow(sourceSum.rows);
		if (erased) continue;
		while (!theirs.done && before(theirs.value.row.key, row.key)) {
			if (theirs.value.erased) extra.push(theirs.value.row.key);
			else onlyInTarget += 1;
			theirs = await targetRows.next();
		}
		const there = !theirs.done && theirs.value.row.key === row.key ? theirs.value.row : undefined;
		// Released in the target, where it stays so.
		const text = asText(there && isReleasedIn(there, row) ? { ...row, flags: there.flags } : row);
		sourceSum.add(text);
		if (there) {
			const found = asText(there);
			targetSum.add(found);
			if (found !== text) different += 1;
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
	pages: Pages,
	erasedAmong: ErasedAmong,
	onKept?: (keys: readonly string[]) => Promise<void>,
): AsyncGenerator<{ row: Registration; erased: boolean }> {
	for await (const page of pages) {
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
