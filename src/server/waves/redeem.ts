import type { SharedDatabase } from "../database/database.ts";
import { sql, type Tx } from "../database/sql.ts";
import { SENT_AT_SQL } from "../mail/emails/email.ts";
import { readLatestRestoreGap } from "../mail/emails/unknown-emails.ts";
import type { Wave } from "../mail/waves.ts";
import { daysAfter, isoOf } from "../time.ts";
import { addEvents } from "../webhooks/event.ts";
import type { InvitationCoder } from "./code.ts";

/** Let the person in: the code is now redeemed. Times are ISO 8601 in UTC. */
interface Redeemed {
	status: "redeemed";
	/** Address as typed when joining. Use it instead of the address in your call. */
	email: string;
	joinedAt: string;
	source: string;
	/** Null if they never confirmed their address. */
	confirmedAt: string | null;
	invitedAt: string;
	redeemedAt: string;
	wave: string;
}

type RedeemResult =
	| Redeemed
	/** The code does not exist, or belongs to another person. */
	| { status: "unknown" }
	/** Already redeemed, perhaps by your earlier call whose response was lost. */
	| { status: "used"; redeemedAt: string }
	| { status: "gone"; reason: "expired" | "canceled" };

interface Invited {
	wave: string;
	/** '' until the email is claimed. */
	expiresAt: string;
	days: number;
	/** End of the restore gap in which the wave may have invited the person, or ''. */
	gapUntil: string;
}

const NO_WAVE: Invited = { wave: "", expiresAt: "", days: 0, gapUntil: "" };

/** @param key canonical address, or '' */
export async function redeemCode(
	database: SharedDatabase,
	coder: InvitationCoder,
	code: string,
	key: string,
): Promise<RedeemResult> {
	const invited = await wavesThatInvited(database, key);
	// Compares the code even without an invitation, so that all responses take the same time.
	const waves = invited.length > 0 ? invited : [NO_WAVE];
	const right = waves.find(({ wave }) => coder.isCodeOf(code, { wave, key }));
	if (!right) return { status: "unknown" };
	return database.transact(redeemInvitation, { key, invited: right });
}

/** Finds waves that may have invited a person. A restored database lacks emails sent after its backup. */
async function wavesThatInvited(tx: Tx, key: string): Promise<Invited[]> {
	const gapUntil = (await readLatestRestoreGap(tx))?.until ?? "";
	return tx.all(sql<Invited>`SELECT wave.name AS wave, COALESCE(expires_at, '') AS "expiresAt",
			valid_days AS days, CASE WHEN wave.asked_at < ${gapUntil} THEN ${gapUntil} ELSE '' END AS "gapUntil"
		FROM wave LEFT JOIN email ON email.email_key = ${key} AND email.kind = 'invitation'
			AND email.wave = wave.name
		WHERE wave.kind = 'invitation' AND (email.email_key IS NOT NULL OR wave.asked_at < ${gapUntil})`);
}

export async function redeemInvitation(
	tx: Tx,
	{ key, invited }: { key: string; invited: Invited },
): Promise<RedeemResult> {
	const { wave, days, gapUntil } = invited;
	const isInGap = invited.expiresAt === "" && gapUntil !== "";
	const expiresAt = isInGap ? daysAfter(Date.parse(gapUntil), days) : invited.expiresAt;
	const now = isoOf(Date.now());
	// A correct code proves that the email was sent before the restore.
	if (isInGap) {
		await tx.all(sql`INSERT INTO email
				(email_key, kind, wave, state, reason, asked_at, next_at, ended_at, expires_at, queue)
			SELECT email_key, 'invitation', ${wave}, 'unknown', 'assumed', ${gapUntil}, ${gapUntil},
				${gapUntil}, ${expiresAt}, 'unconfirmed'
			FROM registration WHERE email_key = ${key}
			ON CONFLICT (email_key, kind, wave) DO UPDATE SET expires_at = excluded.expires_at
			WHERE email.expires_at = ''`);
	}
	// An email that is being sent or was requeued has no `ended_at`: its expiry shows when it was sent.
	const sentAt = expiresAt && daysAfter(Date.parse(expiresAt), -days);
	// Only one of several concurrent calls updates the row.
	const redeemed = await tx.all(sql`UPDATE email
		SET redeemed_at = ${now}, ended_at = CASE ended_at WHEN '' THEN ${sentAt} ELSE ended_at END
		WHERE email_key = ${key} AND kind = 'invitation' AND wave = ${wave} AND redeemed_at = ''
			AND expires_at > ${now}
			AND EXISTS (SELECT 1 FROM wave WHERE name = ${wave} AND state <> 'canceled')
		RETURNING wave`);
	if (redeemed.length > 0) await addEvents(tx, "redeemed", [key], now);
	type Row = Omit<Redeemed, "status" | "wave" | "confirmedAt"> & {
		confirmedAt: string;
		waveState: Wave["state"];
	};
	const row = await tx.first(sql<Row>`SELECT registration.email, source, joined_at AS "joinedAt",
			confirmed_at AS "confirmedAt", ${SENT_AT_SQL} AS "invitedAt", redeemed_at AS "redeemedAt",
			wave.state AS "waveState"
		FROM email
		JOIN registration ON registration.email_key = email.email_key
		JOIN wave ON wave.name = email.wave
		WHERE email.email_key = ${key} AND email.kind = 'invitation' AND email.wave = ${wave}`);
	// The person was deleted a moment ago.
	if (!row) return { status: "unknown" };
	const { waveState, confirmedAt, ...facts } = row;
	if (redeemed.length > 0) {
		return { status: "redeemed", ...facts, confirmedAt: confirmedAt || null, wave };
	}
	if (row.redeemedAt !== "") return { status: "used", redeemedAt: row.redeemedAt };
	return { status: "gone", reason: waveState === "canceled" ? "canceled" : "expired" };
}
