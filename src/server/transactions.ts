import { ensureAdminKey, revokeToken } from "./admin/sessions.ts";
import { runEach, type Transactions } from "./database/sql.ts";
import { joinBatch, requestConfirmationsPage, requestEmails } from "./mail/emails/requests.ts";
import { retryEmails } from "./mail/emails/unknown-emails.ts";
import { clearBounces, recordFeedback } from "./mail/feedback/record-feedback.ts";
import { confirmPerson, unsubscribe } from "./mail/links/unsubscribe.ts";
import { endExcessiveWaits, recordAndClaim } from "./mail/outbox.ts";
import { deleteAndSuppress } from "./mail/people/delete-people.ts";
import { countListedPeople, readPeople } from "./mail/people/list.ts";
import { pauseAfterServerTrouble, pauseEmails, resumeEmails } from "./mail/rate/pauses.ts";
import { readWaitlistNumbers } from "./numbers.ts";
import { flagPeople } from "./registrations/flags.ts";
import { addSuppressions } from "./registrations/suppression/suppression-list.ts";
import { importBatch } from "./transfer/import.ts";
import { addWavePage, saveRequestedWave } from "./waves/add-wave.ts";
import { readWaveCandidates } from "./waves/audience.ts";
import { changeWaveEmailBatch, changeWaveState } from "./waves/change-wave.ts";
import { readWavePlan } from "./waves/plan-wave.ts";
import { redeemInvitation } from "./waves/redeem.ts";
import { saveDigest } from "./webhooks/digest.ts";
import { claimEvents, disableWebhook, enableWebhook, retryFailedEvents } from "./webhooks/event.ts";

/** Transactions that SQLite threads run: all writes and long reads. */
export const transactions = {
	...{ runEach, readWaitlistNumbers, saveDigest, revokeToken, ensureAdminKey, importBatch },
	...{ joinBatch, requestEmails, requestConfirmationsPage, retryEmails, recordAndClaim },
	...{ confirmPerson, unsubscribe, recordFeedback, clearBounces, deleteAndSuppress, flagPeople },
	...{
		addSuppressions,
		readPeople,
		countListedPeople,
		pauseEmails,
		pauseAfterServerTrouble,
		resumeEmails,
	},
	...{ endExcessiveWaits, readWavePlan, readWaveCandidates, saveRequestedWave, addWavePage },
	...{ changeWaveState, changeWaveEmailBatch, redeemInvitation, enableWebhook, disableWebhook },
	...{ claimEvents, retryFailedEvents },
} satisfies Transactions;
