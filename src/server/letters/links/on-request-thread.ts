import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { ask } from "../../database/database.ts";
import { openDatabase } from "../../database/open-database.ts";
import { WATCH_MS } from "../../database/sqlite/places.ts";
import { proofPlacesOf } from "../../secret.ts";
import type { Settings } from "../../settings.ts";
import type { FromThread } from "../../thread.ts";
import type { WayToLeave } from "../../waitlist/proofs/erasure-file.ts";
import { openOrMakeProofs } from "../../waitlist/proofs/open-proofs.ts";
import { findById } from "../../waitlist/recipients.ts";
import { erasePeople } from "../erasing.ts";
import { leave } from "./leaving.ts";

/** What a person asks for, named by the id in the link; or the end of the thread. */
export type ToThread = { stop: string; by: WayToLeave } | { erase: string } | { close: true };

/** What a thread is started with. */
export type ThreadData = Pick<Settings, "database" | "erasureKey" | "erasures">;

/**
 * The thread that does what people ask for by the links in their letters: it lets one person leave,
 * or erases them. Proofs are written into a file in the middle of a transaction, and after an
 * erasure the whole SQLite file is searched: the server's own thread goes on meanwhile.
 */
const port = parentPort!;
const say = (message: FromThread<"done", string>) => port.postMessage(message);

const settings = workerData as ThreadData;
const database = await openDatabase(settings.database, { create: false });
const places = proofPlacesOf(settings, settings.database);
const proofs = await openOrMakeProofs(database, places);

/** The time between two tries to empty our files, while somebody reads them. */
const FORGET_AGAIN_MS = 60_000;

/** Keys of people who are erased, and whose bytes are still to be overwritten. */
const toForget: string[] = [];
let forgetting = false;

// While this connection knows a journal that was replaced, the waitlist cannot be opened anew.
setInterval(endIfLost, WATCH_MS).unref();

let last: Promise<void> = Promise.resolve();
port.on("message", (message: ToThread) => {
	last = last.then(() => respond(message));
});
say({ ready: proofs.erasureKey.secret });

async function respond(message: ToThread): Promise<void> {
	if ("close" in message) {
		await database.close();
		// What is left to forget is a journal that goes when the server closes its file.
		process.exit();
	}
	try {
		const id = "stop" in message ? message.stop : message.erase;
		const [person] = await ask(database.query, findById(id));
		// Whoever is not there any more has what they want.
		if (person) await ("stop" in message ? stop(person.key, message.by) : erase(person.key));
		say({ answer: "done" });
	} catch (error) {
		say({ failed: error instanceof Error ? error.message : String(error) });
		endIfLost();
	}
}

/** The next request starts another thread, which opens the database anew. */
function endIfLost(): void {
	if (database.isInPlace?.() === false) process.exit();
}

async function stop(key: string, by: WayToLeave): Promise<void> {
	await leave(database, proofs, key, by, new Date());
}

async function erase(key: string): Promise<void> {
	await erasePeople(database, proofs, [key], { now: new Date(), reason: "on request" });
	toForget.push(key);
	if (!forgetting) void forget();
}

/**
 * Empties our files of whom was erased. That waits for whoever reads them, such as a backup, and so
 * nobody who leaves waits for it: it has a connection of its own, and tries until it is done.
 */
async function forget(): Promise<void> {
	forgetting = true;
	while (toForget.length > 0) {
		const keys = toForget.splice(0);
		try {
			const own = await openDatabase(settings.database, { create: false });
			// A journal that was replaced in between is not the one that this connection has found.
			endIfLost();
			await own.forget(keys).finally(() => own.close());
		} catch {
			toForget.push(...keys);
			await wait(FORGET_AGAIN_MS, undefined, { ref: false });
		}
	}
	forgetting = false;
}
