import type { Log } from "../log.ts";
import type { Ledger, Outcome, Registration, Waitlist } from "./waitlist.ts";

/** How much a waitlist takes on at once. */
export interface BatchSettings {
	/** Rows in one transaction, at most. */
	batchRows: number;
	/** Transactions that the database works on at the same time, at most. */
	parallelBatches: number;
	/** Transactions more that wait with it for their turn, at most, while it is quick. */
	batchesAhead: number;
	/** Registrations waiting for their turn, at most; the next one is turned away. */
	queueRows: number;
	/** How long a transaction may take before its visitors, and new ones, are turned away. */
	patienceMs: number;
	/** Told when the database stops answering and when it is back. */
	report: Log;
}

/**
 * Rows that are worth a sync: so many start at once, and ahead of their turn. Without this, server and
 * database take turns where the same visitors come again and again, each idle while the other works:
 * with it SQLite took a tenth to a quarter more joins a second of 64 of them (the load of `npm run
 * bench:server`, interleaved, in two hours; 12 and 24 rows do as well, none ahead gains nothing).
 */
const WORTH_A_SYNC = 16;

/**
 * A database that takes no more ms for a transaction is quick. On a slow disk a batch ahead would keep
 * those who come after it out of the next commit, and have them wait for two.
 */
const QUICK_MS = 10;

interface Waiting {
	registration: Registration;
	settle: (outcome: Outcome) => void;
}

/**
 * Makes a waitlist of a ledger by group commit: everything that arrives while a transaction is on
 * its way to the disk shares the next one. Nobody waits for a batch to fill, and one sync pays
 * for all who came during the last one. A batch starts when the turn of the event loop is over, or
 * when enough are there to be worth a sync: of a crowd that is already at the door, the first would
 * else take one for herself, and the disk would wait until all of the crowd have been let in. A quick
 * database has the first of the next crowd waiting with it, and the others share the one after.
 *
 * ```
 * requests   a   b c d   e f g h i
 * commits    [a] [b c d] [e f g h i]
 * ```
 */
export function batch(ledger: Ledger, settings: BatchSettings): Waitlist {
	const { batchRows, parallelBatches, batchesAhead, queueRows, patienceMs, report } = settings;
	const queue: Waiting[] = [];
	const underWay = new Set<Promise<unknown>>();
	let stalled = 0;
	let failing = false;
	let commitMs = Number.POSITIVE_INFINITY;
	let starting = false;
	let closed: Promise<void> | undefined;

	function next(): void {
		if (starting) return;
		starting = true;
		setImmediate(() => {
			starting = false;
			start();
		});
	}

	function start(): void {
		while (queue.length > 0 && underWay.size < mostUnderWay()) {
			void write(queue.splice(0, batchRows));
		}
	}

	function mostUnderWay(): number {
		const ahead = queue.length >= WORTH_A_SYNC && commitMs <= QUICK_MS;
		return parallelBatches + (ahead ? batchesAhead : 0);
	}

	async function write(waiting: readonly Waiting[]): Promise<void> {
		let late = false;
		const patience = setTimeout(() => {
			late = true;
			stalled += 1;
			fail(new Error(`no answer from the database for ${patienceMs / 1000} s`));
			turnAway(waiting);
			turnAway(queue.splice(0));
		}, patienceMs);
		const began = performance.now();
		const commit = ledger.add(waiting.map(({ registration }) => registration));
		underWay.add(commit);
		const end = await commit.then(
			(keys) => ({ added: new Set(keys) }),
			(error: unknown) => ({ error }),
		);
		clearTimeout(patience);
		commitMs = performance.now() - began;
		if (late) stalled -= 1;
		underWay.delete(commit);
		// Before anybody is answered: the disk works on the next batch meanwhile.
		start();
		if ("error" in end) {
			fail(end.error);
			turnAway(waiting);
			return;
		}
		// While another one is stalled, new visitors are still turned away.
		if (failing && stalled === 0) {
			report("info", "waitlist available again");
			failing = false;
		}
		for (const { registration, settle } of waiting) {
			// Deleting tells the first of a key from the others in the same batch.
			settle(end.added.delete(registration.key) ? "registered" : "duplicate");
		}
	}

	/** Once per outage: a full disk under load would otherwise fill the log as well. */
	function fail(error: unknown): void {
		if (!failing) report("error", "waitlist unavailable", { error });
		failing = true;
	}

	return {
		register(registration) {
			if (closed || stalled > 0 || queue.length >= queueRows) return Promise.resolve("unavailable");
			return new Promise((settle) => {
				queue.push({ registration, settle });
				if (queue.length >= WORTH_A_SYNC) start();
				else next();
			});
		},
		async isReady() {
			if (closed) return false;
			return ledger.probe().then(
				() => true,
				() => false,
			);
		},
		get waiting() {
			return queue.length;
		},
		close() {
			closed ??= (async () => {
				while (queue.length > 0 || underWay.size > 0) {
					start();
					await Promise.allSettled(underWay);
				}
				await ledger.close();
			})();
			return closed;
		},
	};
}

function turnAway(waiting: readonly Waiting[]): void {
	for (const { settle } of waiting) settle("unavailable");
}
