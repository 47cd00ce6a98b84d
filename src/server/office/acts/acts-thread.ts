import { parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "../../database/open-database.ts";
import { proofPlacesOf } from "../../secret.ts";
import type { Settings } from "../../settings.ts";
import type { FromThread } from "../../thread.ts";
import { withoutAddresses } from "../../waitlist/audit.ts";
import { type Operation, Refusal } from "../../waitlist/operation.ts";
import type { Act, Outcome, ToThread } from "./acts.ts";
import { actOnPerson } from "./person-acts.ts";
import { actOnWave } from "./wave-acts.ts";

/**
 * The thread of one act, over a connection of its own, as the command does it beside a server. Visitors
 * join meanwhile.
 */
const port = parentPort!;
const say = (message: FromThread<Outcome>) => port.postMessage(message);
const settings = workerData as Settings;
const progress = { show: () => {}, end: () => {} };

port.on("message", async (message: ToThread) => {
	if ("close" in message) process.exit();
	try {
		say({ answer: await perform(message) });
	} catch (error) {
		if (error instanceof Refusal) return say({ answer: { refused: error.message } });
		// A database may name the value that it could not take.
		say({ failed: withoutAddresses(error instanceof Error ? error.message : String(error)) });
	}
});
say({ ready: true });

async function perform(act: Act): Promise<Outcome> {
	const database = await openDatabase(settings.database, { create: false });
	const places = proofPlacesOf(settings, settings.database);
	const operation: Operation = { database, settings, places, now: new Date(act.now), progress };
	try {
		return await ("key" in act ? actOnPerson(operation, act) : actOnWave(operation, act));
	} finally {
		await database.close();
	}
}
