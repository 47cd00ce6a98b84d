import type { Transactions } from "./database/transaction.ts";
import { noteReports } from "./letters/bounces/note-reports.ts";
import { pauseForTrouble, releaseEmails } from "./mail/pauses.ts";
import { takeTurn } from "./mail/take-turn.ts";

/** What the thread of an SQLite file can be asked to run, by its name. */
export const transactions = {
	noteReports,
	pauseForTrouble,
	releaseEmails,
	takeTurn,
} satisfies Transactions;
