import type { SharedDatabase, Statement } from "../../database/database.ts";
import { isToldAddresses } from "../../events/event.ts";
import { erasePeople } from "../../letters/erasing.ts";
import { holdAsking, holdLetters, releaseLetters } from "../../letters/held.ts";
import { unsubscribePeople } from "../../letters/links/leaving.ts";
import { receiptAsText } from "../../letters/receipt.ts";
import { retryLetters } from "../../letters/retry.ts";
import { noteInAudit } from "../../waitlist/audit.ts";
import { flagPeople } from "../../waitlist/marks.ts";
import type { Operation } from "../../waitlist/operation.ts";
import { openOrMakeProofs } from "../../waitlist/proofs/open-proofs.ts";
import { inviteOne } from "../../waves/invite-one.ts";

/** What is done about a person, who is named by their canonical address. */
export type PersonAct = { key: string } & (
	| { does: "send" | "hold" | "flag" | "unflag" | "unsubscribe" }
	| { does: "invite"; wave: string; unconfirmed: boolean }
	| { does: "erase"; email: string; reason: string }
);

/** What was done: by `send` to somebody whom nobody could write to, only the mark of a crowd went. */
export type Did =
	| ("send" | "hold" | "flag" | "unflag" | "unsubscribe")
	| ("invite" | "unmark" | "nothing");

export type PersonOutcome = { did: Did } | { receipt: string };

/** The note of an act, for the transaction that does it. */
type Note = (action: string, details?: string) => Statement[];

/** Does what the verb of that name does, and notes it in the same transaction. */
export async function actOnPerson(
	operation: Operation<SharedDatabase>,
	act: { session: string } & PersonAct,
): Promise<PersonOutcome> {
	const { database, places, now } = operation;
	const { key, session } = act;
	const note: Note = (action, details = "") => [noteInAudit({ session, action, details }, now)];
	switch (act.does) {
		case "hold": {
			const also = note("letters held");
			const held = await database.transact(holdLetters, { keys: [key], also });
			return { did: held.length > 0 ? "hold" : "nothing" };
		}
		case "flag":
		case "unflag": {
			const remove = act.does === "unflag";
			const also = remove
				? note("flag removed")
				: [...note("person flagged"), holdAsking(database.dialect, [key])];
			const changed = await database.transact(flagPeople, { keys: [key], remove, also });
			return { did: changed.length > 0 ? act.does : "nothing" };
		}
		case "unsubscribe": {
			const changed = await unsubscribePeople(
				database,
				await openOrMakeProofs(database, places),
				[key],
				{ way: "request", now, also: note("person unsubscribed") },
			);
			return { did: changed.length > 0 ? "unsubscribe" : "nothing" };
		}
		case "send":
			return { did: await send(operation, key, note) };
		case "invite": {
			const also = note("person invited", act.wave);
			return { did: (await inviteOne(database, act, now, also)) ? "invite" : "nothing" };
		}
		case "erase":
			return erase(operation, act, note("person erased"));
	}
}

async function send(operation: Operation<SharedDatabase>, key: string, note: Note): Promise<Did> {
	const { database, now } = operation;
	const also = note("letter sent again");
	const retrying = { keys: [key], refused: true, now, also };
	const again = await database.transact(retryLetters, retrying);
	if (again.length > 0) return "send";
	const { letGo, asked, unmarked } = await releaseLetters(
		operation,
		{ keys: [key] },
		{
			dryRun: false,
			also: { released: note("letter released"), unmarked: note("mark of a crowd removed") },
		},
	);
	if (letGo + asked > 0) return "send";
	return unmarked > 0 ? "unmark" : "nothing";
}

async function erase(
	{ database, now, places }: Operation<SharedDatabase>,
	{ key, email, reason }: PersonAct & { does: "erase" },
	also: readonly Statement[],
): Promise<PersonOutcome> {
	const proofs = await openOrMakeProofs(database, places);
	const [proof] = await erasePeople(database, proofs, [key], { now, reason, also });
	if (!proof) return { did: "nothing" };
	const told = (await isToldAddresses(database.query)) && { told: true as const };
	const receipt = receiptAsText({ email, ...proof, ...told }, database.dialect);
	await database.forget([key]);
	return { receipt };
}
