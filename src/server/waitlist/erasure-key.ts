import type { Query } from "../database/database.ts";

/** The fingerprint of the key that the proofs in a database are made with, if it is known. */
export async function readFingerprint(query: Query): Promise<string | undefined> {
	const [row] = await query<{ fingerprint: string }>("SELECT fingerprint FROM erasure_key");
	return row?.fingerprint;
}

/**
 * Notes in a database which key its proofs are made with. Mailboxes that were hashed with another one
 * are emptied: the sender hashes them again.
 */
export async function keepFingerprint(query: Query, fingerprint: string): Promise<void> {
	await query(
		`INSERT INTO erasure_key (one, fingerprint) VALUES (1, $1)
		ON CONFLICT (one) DO UPDATE SET fingerprint = excluded.fingerprint`,
		[fingerprint],
	);
	await query("UPDATE recipient SET mailbox = '' WHERE mailbox <> ''");
}
