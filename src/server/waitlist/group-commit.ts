import type { Log } from "../log.ts";
import type { Ledger, Outcome, Registration, Waitlist } from "./waitlist.ts";

/** How much a waitlist takes on at once. */
export interface GroupCommitSettings {
	/** Most rows of one commit. */
	batchRows: number;
	/** Most commits that the database works on at the same time. */
	parallelCommits: number;
	/** Most commits beyond these that are sent ahead, to wait in a quick database. */
	commitsAhead: number;
	/** Most registrations in the queue; the next one is turned away. */
	queueRows: number;
	/** The longest that a visitor waits. Then everybody is turned away until the database answers. */
	timeoutMs: number;
	/** Told when the database stops answering and when it is back. */
	log: Log;
}

/**
 * So many rows start a commit at once, and one ahead of its turn. Without this, server and database
 * take turns when the same crowd comes again and again, and each is idle while the other works.
 * With it SQLite took 10 to 25 % more joins a second from 64 connections (`npm run bench:server`,
 * interleaved, in two hours). 12 and 24 rows do as well; with none ahead there is no gain.
 */
const WORTH_A_SYNC = 16;

/**
 * A database is quick if its latest commit took no longer. On a slow disk a commit ahead would keep
 * later visitors out of the next commit, and they would wait for two.
 */
const QUICK_MS = 10;

interface Waiting {
	registration: Registration;
	/** When the visitor came, in ms of `performance.now()`. */
	since: number;
	settle: (outcome: Outcome) => void;
}

/**
 * Makes a waitlist of a ledger by group commit: everybody who arrives while one commit is on its
 * way to the disk shares the next one. Nobody waits for a batch to fill, and one sync pays for the
 * whole batch.
 *
 * ```
 * joins      a   b c d   e f g h i
 * commits    [a] [b c d] [e f g h i]
 * ```
 *
 * A commit starts at the end of a turn of the event loop, or as soon as the queue is worth a sync.
 * An earlier start would give the first visitor of a crowd a commit of their own, and the rest
 * would wait for it. A quick database gets one commit ahead: the first of the next crowd wait in
 * the database, and the others share the commit after that.
 */
export function groupCommit(ledger: Ledger, settings: GroupCommitSettings): Waitlist {
	const { batchRows, parallelCommits, commitsAhead, queueRows, timeoutMs, log } = settings;
	const queue: Waiting[] = [];
	const underWay = new Set<Promise<unknown>>();
	let stalled = 0;
	let failing = false;
	let commitMs = Number.POSITIVE_INFINITY;
	let starting = false;
	let closed: Promise<void> | undefined;

	function startAfterTurn(): void {
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
		return parallelCommits + (ahead ? commitsAhead : 0);
	}

	async function write(batch: readonly Waiting[]): Promise<void> {
		let late = false;
		const began = performance.now();
		// The first has waited longest, also in the queue while another commit failed.
		const waited = began - batch[0]!.since;
		const timeout = setTimeout(() => {
			late = true;
			stalled += 1;
			fail(new Error(`no answer from the database within ${timeoutMs / 1000} s`));
			turnAway(batch);
			turnAway(queue.splice(0));
		}, timeoutMs - waited);
		const commit = ledger.add(batch.map(({ registration }) => registration));
		underWay.add(commit);
		const end = await commit.then(
			(keys) => ({ added: new Set(keys) }),
			(error: unknown) => ({ error }),
		);
		clearTimeout(timeout);
		commitMs = performance.now() - began;
		if (late) stalled -= 1;
		underWay.delete(commit);
		// Before anybody is answered: the disk works on the next batch meanwhile.
		start();
		if ("error" in end) {
			fail(end.error);
			turnAway(batch);
			return;
		}
		// While another commit is stalled, new visitors are still turned away.
		if (failing && stalled === 0) {
			log("info", "waitlist available again");
			failing = false;
		}
		for (const { registration, settle } of batch) {
			// Deleting tells the first of a key from the others in the same batch.
			settle(end.added.delete(registration.key) ? "registered" : "duplicate");
		}
	}

	/** Logs once per outage: a full disk under load would otherwise fill the log as well. */
	function fail(error: unknown): void {
		if (!failing) log("error", "waitlist unavailable", { error });
		failing = true;
	}

	return {
		join(registration) {
			if (closed || stalled > 0 || queue.length >= queueRows) return Promise.resolve("unavailable");
			return new Promise((settle) => {
				queue.push({ registration, since: performance.now(), settle });
				if (queue.length >= WORTH_A_SYNC) start();
				else startAfterTurn();
			});
		},
		async isReady() {
			if (closed || stalled > 0) return false;
			return ledger.probe().then(
				() => true,
				() => false,
			);
		},
		get waiting() {
			return queue.length;
		},
		run: ledger.run,
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

function turnAway(batch: readonly Waiting[]): void {
	for (const { settle } of batch) settle("unavailable");
}
