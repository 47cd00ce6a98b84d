import { expect, it, onTestFinished, vi } from "vitest";
import {
	type BatchWriter,
	createGroupCommit,
	type GroupCommitSettings,
} from "../../../src/server/database/group-commit.ts";
import type { Registration } from "../../../src/server/registrations/registrations.ts";
import { startServer, stopServer } from "../../server-process.ts";
import { createTestDatabase } from "../registrations/databases.ts";
import { registrationOf } from "../registrations/waitlist-contract.ts";

type Faked = NonNullable<Parameters<typeof vi.useFakeTimers>[0]>["toFake"];

function useFakeTimers(toFake: Faked): void {
	vi.useFakeTimers({ toFake });
	onTestFinished(() => void vi.useRealTimers());
}

const log = vi.fn();

/** Opens a database whose transactions wait until the test ends them. */
function open(changes: Partial<GroupCommitSettings> = {}) {
	const transactions: {
		keys: string[];
		commit: () => Promise<void>;
		fail: (reason: Error) => Promise<void>;
	}[] = [];
	const commits: BatchWriter<Registration> = {
		add: (registrations) =>
			new Promise((resolve, reject) => {
				const keys = registrations.map(({ key }) => key);
				const commit = () => untilAnswered(() => resolve(new Set(keys)));
				const fail = (reason: Error) => untilAnswered(() => reject(reason));
				transactions.push({ keys, commit, fail });
			}),
		probe: vi.fn(() => Promise.resolve()),
		close: vi.fn(() => Promise.resolve()),
	};
	const few = { batchRows: 3, parallelCommits: 1, queueRows: 5, timeoutMs: 10_000 };
	const { join, isReady } = createGroupCommit(commits, { ...few, log, ...changes });
	return { commits, transactions, isReady, join: (name: string) => join(registrationOf(name)) };
}

/** Waits two turns of the event loop: one for the responses, one for the next transaction. */
async function untilAnswered(end = () => {}): Promise<void> {
	end();
	for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

it("group commit batches joins that arrive during a transaction into the next, in order and up to a limit", async () => {
	const { transactions, join } = open();
	const answered = vi.fn();
	const first = join("a").then(answered);
	expect(transactions).toEqual([]);
	await untilAnswered();
	for (const name of ["b", "c", "d", "e"]) void join(name);
	await untilAnswered();
	expect(transactions.map(({ keys }) => keys)).toEqual([["a"]]);
	expect(answered).not.toHaveBeenCalled();
	await transactions[0]!.commit();
	await first;
	expect(answered).toHaveBeenCalledWith("registered");
	await transactions[1]!.commit();
	expect(transactions.map(({ keys }) => keys)).toEqual([["a"], ["b", "c", "d"], ["e"]]);
});

it("group commit starts once sixteen joins wait, while others are still being read", () => {
	const { transactions, join } = open({ batchRows: 1000, queueRows: 1000 });
	for (let n = 0; n < 20; n++) void join(`visitor-${n}`);
	expect(transactions.map(({ keys }) => keys.length)).toEqual([16]);
});

it("group commit runs as many concurrent transactions as the settings allow", async () => {
	const { transactions, join } = open({ parallelCommits: 2 });
	for (const name of ["a", "b", "c"]) {
		void join(name);
		await untilAnswered();
	}
	expect(transactions.map(({ keys }) => keys)).toEqual([["a"], ["b"]]);
});

it("group commit turns away only visitors who find the queue full", async () => {
	const { transactions, join } = open();
	const first = join("first");
	await untilAnswered();
	const outcomes = Array.from({ length: 6 }, (_, n) => join(`visitor-${n}`));
	expect(await outcomes[5]).toBe("unavailable");
	for (let n = 0; n < 3; n++) await transactions[n]!.commit();
	const kept = await Promise.all([first, ...outcomes.slice(0, 5)]);
	expect(kept).toEqual(Array(6).fill("registered"));
});

it("group commit turns all visitors away until the database responds again", async () => {
	useFakeTimers(["setTimeout", "clearTimeout"]);
	const { commits, transactions, join, isReady } = open();
	const outcomes = [join("a")];
	await untilAnswered();
	outcomes.push(join("b"));
	log.mockClear();
	vi.advanceTimersByTime(10_000);
	expect(await Promise.all(outcomes)).toEqual(["unavailable", "unavailable"]);
	expect(await join("c")).toBe("unavailable");
	expect(await isReady()).toBe(false);
	expect(commits.probe).not.toHaveBeenCalled();
	expect(log.mock.calls.map(([, event]) => event)).toEqual(["waitlist unavailable"]);
	await transactions[0]!.commit();
	expect(await isReady()).toBe(true);
	const after = join("c");
	await untilAnswered();
	await transactions[1]!.commit();
	expect(await after).toBe("registered");
});

it("group commit includes the time in the queue in the timeout", async () => {
	useFakeTimers(["setTimeout", "clearTimeout", "performance"]);
	const { transactions, join } = open();
	const answers: string[] = [];
	void join("a").then((outcome) => answers.push(`a ${outcome}`));
	await untilAnswered();
	void join("b").then((outcome) => answers.push(`b ${outcome}`));
	vi.advanceTimersByTime(9000);
	await transactions[0]!.fail(new Error("a connection cannot be opened"));
	expect(answers).toEqual(["a unavailable"]);
	vi.advanceTimersByTime(999);
	await untilAnswered();
	expect(answers).toHaveLength(1);
	vi.advanceTimersByTime(1);
	await untilAnswered();
	expect(answers).toEqual(["a unavailable", "b unavailable"]);
	await transactions[1]!.commit();
	expect(answers).toHaveLength(2);
});

it("group commit turns away only the visitors of a failed transaction, and logs an outage once", async () => {
	log.mockClear();
	const { transactions, join } = open();
	const outcomes: string[] = [];
	for (const end of ["fail", "fail", "commit", "commit"] as const) {
		const outcome = join("a");
		await untilAnswered();
		await transactions.at(-1)![end](new Error("database is locked"));
		outcomes.push(await outcome);
	}
	expect(outcomes).toEqual(["unavailable", "unavailable", "registered", "registered"]);
	expect(log.mock.calls.map(([level, event]) => [level, event])).toEqual([
		["error", "waitlist unavailable"],
		["info", "waitlist available again"],
	]);
});

it("group commit probes the database once per second, one probe at a time", async () => {
	useFakeTimers(["performance"]);
	const { commits, isReady } = open();
	const ends: { yes: () => void; no: (reason: Error) => void }[] = [];
	commits.probe = () =>
		new Promise((yes, no) => {
			ends.push({ yes, no });
		});
	const asked = Array.from({ length: 10 }, () => {
		vi.advanceTimersByTime(1000);
		return isReady();
	});
	expect(ends).toHaveLength(1);
	ends[0]!.yes();
	expect(await Promise.all(asked)).toEqual(Array(10).fill(true));
	const later = isReady();
	ends[1]!.no(new Error("locked"));
	expect(await later).toBe(false);
	vi.advanceTimersByTime(999);
	expect(await isReady()).toBe(false);
	expect(ends).toHaveLength(2);
});

it.each(["SQLite", "PostgreSQL"] as const)(
	"the readiness probe leaves no row: %s",
	async (kind) => {
		const { folder, env, emails } = await createTestDatabase(kind);
		const server = await startServer({ folder, env });
		expect((await fetch(new URL("/readyz", server.url))).status).toBe(200);
		await stopServer(server);
		expect(await emails()).toEqual(new Set());
	},
);
