import { keysOf, keysSql, sql, type Tx } from "../database/sql.ts";

/** Both domains lead to the same mailboxes. */
const GMAIL = ["gmail.com", "googlemail.com"];

/** Removes plus tags and, at Gmail, dots. Keys keep both: at some providers, such addresses are different people's. */
export function mailboxOf(key: string): string {
	const at = key.lastIndexOf("@");
	const [local, domain] = [key.slice(0, at), key.slice(at + 1)];
	const untagged = local.replace(/(?<=.)\+.*$/, "");
	return GMAIL.includes(domain)
		? `${untagged.replaceAll(".", "")}@${GMAIL[0]}`
		: `${untagged}@${domain}`;
}

/** If the mailbox equals the key, the column stays empty, which keeps its index small. */
export function mailboxColumnOf(key: string): string {
	const mailbox = mailboxOf(key);
	return mailbox === key ? "" : mailbox;
}

/** Finds up to 100 addresses: a stranger may join with thousands. */
export async function findOtherSpellings(tx: Tx, key: string): Promise<string[]> {
	const found = await tx.all(sql<{ key: string }>`SELECT email_key AS "key" FROM registration
		WHERE (email_key = ${mailboxOf(key)} OR (mailbox = ${mailboxOf(key)} AND mailbox <> '')) AND email_key <> ${key}
		ORDER BY email_key LIMIT 100`);
	return keysOf(found);
}

export function findMailboxSharers(
	tx: Tx,
	keys: readonly string[],
): Promise<{ key: string; unsubscribedAt: string }[]> {
	const mailboxes = keysSql(new Set(keys.map(mailboxOf)));
	return tx.all(sql`SELECT email_key AS "key", unsubscribed_at AS "unsubscribedAt"
		FROM registration WHERE email_key IN ${mailboxes}
		UNION ALL
		SELECT email_key, unsubscribed_at
		FROM registration WHERE mailbox <> '' AND mailbox IN ${mailboxes}`);
}
