import type { Transactions } from "./database/transaction.ts";
import { noteReports } from "./letters/bounces/note-reports.ts";
import { erase } from "./letters/erasing.ts";
import { unsubscribe } from "./letters/links/leaving.ts";
import { pauseForTrouble, releaseEmails } from "./mail/pauses.ts";
import { takeTurn } from "./mail/take-turn.ts";
import { addProofs } from "./waitlist/proofs/erasures.ts";

/** What the thread of an SQLite file can be asked to run, by its name. */
export const transactions = {
	addProofs,
	erase,
	noteReports,
	pauseForTrouble,
	releaseEmails,
	takeTurn,
	unsubscribe,
} satisfies Transactions;
