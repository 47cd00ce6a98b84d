import { readRows, type Transactions } from "./database/transaction.ts";
import { changeDigest } from "./digest/digest-state.ts";
import { claimEvents } from "./events/claim-events.ts";
import { noteReports } from "./letters/bounces/note-reports.ts";
import { erase } from "./letters/erasing.ts";
import { holdLetters, releasePage } from "./letters/held.ts";
import { unsubscribe } from "./letters/links/leaving.ts";
import { confirmPerson } from "./letters/links/linked-people.ts";
import { redeemInvitation } from "./letters/redeeming.ts";
import { retryLetters } from "./letters/retry.ts";
import { pauseForTrouble, releaseEmails } from "./mail/rate/pauses.ts";
import { takeTurn } from "./mail/take-turn.ts";
import { endToken, keepAdminKey } from "./office/sessions.ts";
import { flagPeople } from "./waitlist/marks.ts";
import { insertErasures } from "./waitlist/proofs/erasures.ts";
import { addWavePage, keepWave } from "./waves/add-wave.ts";
import { changeState, changeWavePage } from "./waves/change-wave.ts";
import { readPlan } from "./waves/plan-wave.ts";
import { readUnmet } from "./waves/selection.ts";

/** What the threads of an SQLite file can be asked to run: all that changes data, and what reads for long. */
export const transactions = {
	addWavePage,
	changeDigest,
	changeState,
	changeWavePage,
	claimEvents,
	confirmPerson,
	endToken,
	erase,
	flagPeople,
	holdLetters,
	insertErasures,
	keepAdminKey,
	keepWave,
	noteReports,
	pauseForTrouble,
	readPlan,
	readRows,
	readUnmet,
	redeemInvitation,
	releaseEmails,
	releasePage,
	retryLetters,
	takeTurn,
	unsubscribe,
} satisfies Transactions;
