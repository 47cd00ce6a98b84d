import { keysSql, readInPages, rowsSql, sql, type Tx } from "../../database/sql.ts";
import { daysAfter } from "../../time.ts";
import { CODE_VALID_DAYS } from "../waves.ts";
import { type EmailRow, IS_INVITATION_SQL, SENT_AT_SQL } from "./email.ts";
import { addRestoreGap } from "./unknown-emails.ts";

export interface ExportedInvitation {
	key: string;
	wave: string;
	invitedAt: string;
	unknownAt: string;
	expiresAt: string;
	redeemedAt: string;
}

/** Adds invitations from an export. Unsent ones become unknown: the exporting server may have sent them since. */
export async function addInvitations(
	tx: Tx,
	invitations: readonly ExportedInvitation[],
	now: Date,
): Promise<number> {
	if (invitations.length === 0) return 0;
	const expiresNow = daysAfter(now.getTime(), CODE_VALID_DAYS);
	const assumed: EmailRow["reason"] = "assumed";
	const all = invitations.map(({ key, wave, invitedAt, unknownAt, expiresAt, redeemedAt }) => {
		const sentAt = invitedAt || unknownAt;
		if (sentAt === "") {
			return [key, wave, now.toISOString(), expiresNow, redeemedAt, "unknown", assumed];
		}
		const state = invitedAt === "" && redeemedAt === "" ? "unknown" : "accepted";
		return [key, wave, sentAt, expiresAt, redeemedAt, state, ""];
	});
	// Reversed, so that the first row of a key wins: `Map` keeps the last one it gets.
	const firsts = [...new Map(all.toReversed().map((row) => [row[0], row])).values()];
	await tx.all(sql`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at, valid_days,
			subject, message)
		SELECT value->>1, 'invitation', 'open', min(value->>2), ${now.toISOString()}, 0, min(value->>2),
			CAST(${CODE_VALID_DAYS} AS INT), '', ''
		FROM ${rowsSql(all)} WHERE TRUE GROUP BY 1 ON CONFLICT (name) DO NOTHING`);
	const added = await tx.all(sql<
		Pick<EmailRow, "state">
	>`INSERT INTO email (email_key, kind, wave, state, reason, asked_at, next_at,
				ended_at, expires_at, redeemed_at, queue)
			SELECT value->>0, 'invitation', value->>1, value->>5, value->>6, value->>2, value->>2, value->>2,
				value->>3, value->>4, 'confirmed'
			FROM ${rowsSql(firsts)} WHERE NOT EXISTS (
				SELECT 1 FROM email WHERE email_key = value->>0 AND ${IS_INVITATION_SQL}
			) ORDER BY 1
			ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING state`);
	const sent = all.filter(([, , , , , state]) => state === "accepted");
	await tx.all(sql`UPDATE email SET state = 'accepted', reason = 'told', ended_at = value->>2,
			expires_at = value->>3
		FROM ${rowsSql(sent)}
		WHERE email_key = value->>0 AND kind = 'invitation' AND wave = value->>1
			AND state = 'unknown' AND reason = 'assumed'`);
	const redeemed = all.filter(([, , , , redeemedAt]) => redeemedAt !== "");
	await tx.all(sql`UPDATE email SET redeemed_at = value->>4 FROM ${rowsSql(redeemed)}
			WHERE email_key = value->>0 AND kind = 'invitation' AND wave = value->>1 AND redeemed_at = ''`);
	if (added.length > 0) {
		const times = invitations.map(({ invitedAt, unknownAt }) => invitedAt || unknownAt);
		await addRestoreGap(tx, { from: times.sort().at(-1)!, until: now.toISOString() });
	}
	return added.filter(({ state }) => state === "unknown").length;
}

const INVITED_ROWS = 200;

export const readInvitedKeyPages = (tx: Tx, before: string) =>
	readInPages<{ key: string }>(INVITED_ROWS, (after) =>
		tx.all(sql`SELECT DISTINCT email_key AS "key" FROM email
			WHERE email_key > ${after?.key ?? ""} AND ended_at <> '' AND ended_at < ${before}
				AND ${IS_INVITATION_SQL} AND ${SENT_AT_SQL} <> ''
			ORDER BY email_key LIMIT ${INVITED_ROWS}`),
	);

/** Exports have no column for a wave's state, so canceled waves' codes expire instead. */
const ENDS_AT = sql`CASE WHEN wave.state = 'canceled' AND wave.changed_at < expires_at
	THEN wave.changed_at ELSE expires_at END`;

const MAY_HAVE_ARRIVED = sql`email.state = 'unknown' AND email.redeemed_at = ''`;

export function readInvitations(tx: Tx, keys: readonly string[]): Promise<ExportedInvitation[]> {
	return tx.all(sql`SELECT email_key AS "key", email.wave, ${ENDS_AT} AS "expiresAt",
			redeemed_at AS "redeemedAt",
			CASE WHEN ${MAY_HAVE_ARRIVED} THEN '' ELSE ${SENT_AT_SQL} END AS "invitedAt",
			CASE WHEN ${MAY_HAVE_ARRIVED} THEN ended_at ELSE '' END AS "unknownAt"
		FROM email JOIN wave ON wave.name = email.wave
		WHERE email_key IN ${keysSql(keys)} AND email.kind = 'invitation' AND reason <> 'canceled'
		ORDER BY email.asked_at`);
}
