import { endToken, keepAdminKey } from "./admin/sessions.ts";
import { runEach, type Transactions } from "./database/sql.ts";
import { askPage, joinBatch, requestEmails } from "./mail/emails/requests.ts";
import { retryEmails } from "./mail/emails/unknown-emails.ts";
import { recordFeedback, unbounce } from "./mail/feedback/record-feedback.ts";
import { confirmPerson, unsubscribe } from "./mail/links/unsubscribe.ts";
import { endLateWaits, recordAndClaim } from "./mail/outbox.ts";
import { deleteAndSuppress } from "./mail/people/delete-people.ts";
import { countList, readList } from "./mail/people/list.ts";
import { pauseEmails, pauseForTrouble, releaseEmails } from "./mail/rate/pauses.ts";
import { readNumbers } from "./numbers.ts";
import { flagPeople } from "./registrations/flags.ts";
import { addSuppressions } from "./registrations/suppression/suppression-list.ts";
import { addImported } from "./transfer/import.ts";
import { addWavePage, saveAskedWave } from "./waves/add-wave.ts";
import { readCandidates } from "./waves/audience.ts";
import { changeState, changeWavePage } from "./waves/change-wave.ts";
import { readPlan } from "./waves/plan-wave.ts";
import { redeemInvitation } from "./waves/redeem.ts";
import { saveDigest } from "./webhooks/digest.ts";
import { claimEvents, dropWebhook, openWebhook, replayFailed } from "./webhooks/event.ts";

/** Transactions that SQLite threads run: all writes and long reads. */
export const transactions = {
	...{ runEach, readNumbers, saveDigest, endToken, keepAdminKey, addImported },
	...{ joinBatch, requestEmails, askPage, retryEmails, recordAndClaim, endLateWaits },
	...{ confirmPerson, unsubscribe, recordFeedback, unbounce, deleteAndSuppress, addSuppressions },
	...{ flagPeople, readList, countList, pauseEmails, pauseForTrouble, releaseEmails },
	...{ readPlan, readCandidates, saveAskedWave, addWavePage, changeState, changeWavePage },
	...{ redeemInvitation, openWebhook, dropWebhook, claimEvents, replayFailed },
} satisfies Transactions;
