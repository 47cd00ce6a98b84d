import { randomUUID } from "node:crypto";
import { canonicalizeEmail, EMAIL_MAX_LENGTH, FORBIDDEN_IN_ADDRESS } from "#shared/email.ts";
import { SOURCE_MAX_LENGTH } from "#shared/join.ts";
import type { createGroupCommit } from "../database/group-commit.ts";
import { keysOf, keysSql, raw, readInPages, rowsSql, sql, type Tx } from "../database/sql.ts";
import { Refusal } from "../refusal.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { HAS_WEBHOOK_SQL } from "../webhooks/event.ts";
import { type FlagFilter, flagFilterSql } from "./flags.ts";
import { mailboxColumnOf } from "./mailbox.ts";

export interface Registration {
	/** Canonical address: equal keys are the same person. */
	key: string;
	/** Address as typed, trimmed. */
	email: string;
	source: string;
	/** Time of receipt, ISO 8601 in UTC with milliseconds. */
	joinedAt: string;
	/** Date of the legal texts and version of the form (wordings.ts) that the person saw. */
	terms: string;
	/** Why waves skip this person: `honeypot`, `burst`, `founder`, or empty. */
	flag: string;
}

export type Waitlist = ReturnType<typeof createGroupCommit<Registration>>;

/** Times are ISO 8601 in UTC with milliseconds, or '' for never. */
export interface Person extends Registration {
	/** Identifies the person in links: 32 hexadecimal digits. */
	id: string;
	confirmedAt: string;
	/** `button`, `founder` or `import`. */
	confirmedBy: string;
	/** Version of the page on which the person confirmed; '' if unknown. */
	page: string;
	/** Stops all email. The person can resubscribe with a link from an earlier email. */
	unsubscribedAt: string;
	bouncedAt: string;
	/** Reply codes of the bounce, such as `550 5.1.1`. */
	bounce: string;
}

const FIELDS = sql`email_key AS "key", email, source, joined_at AS "joinedAt", terms, flag`;

type Exported = Registration & Pick<Person, "confirmedAt" | "unsubscribedAt" | "bouncedAt">;

const EXPORTED_FIELDS = sql`${FIELDS}, confirmed_at AS "confirmedAt", unsubscribed_at AS "unsubscribedAt",
	bounced_at AS "bouncedAt"`;

const PERSON_FIELDS = sql`${EXPORTED_FIELDS}, id, confirmed_by AS "confirmedBy", page, bounce`;

/** Never a real address: it has no at sign. */
const PROBE_KEY = "probe".padEnd(EMAIL_MAX_LENGTH, "-");

/** Adds and deletes a row of maximum size: a full disk shows only at a commit. */
export const PROBE_STATEMENTS = [
	sql`INSERT INTO registration (email_key, email, source, joined_at, terms, id)
		VALUES (${raw(`${Array(6).fill(`'${PROBE_KEY}'`)}`)})`,
	sql`DELETE FROM registration WHERE email_key = ${PROBE_KEY}`,
];

export interface RegistrationFilter {
	since?: string;
	until?: string;
	source?: string;
	flag?: FlagFilter;
}

/** Few rows per page, so that exporting millions needs little memory. */
const EXPORT_ROWS = 200;

export const SOURCE_INVALID = `The source must be 1 to ${SOURCE_MAX_LENGTH} printable characters.`;

/** Spaces and combining marks alone would be invisible. */
const VISIBLE = new RegExp(`(?!${FORBIDDEN_IN_ADDRESS.source})[\\p{L}\\p{N}\\p{P}\\p{S}]`, "u");

export function isSourceLabel(source: unknown): source is string {
	return (
		typeof source === "string" &&
		source.length <= SOURCE_MAX_LENGTH &&
		// U+FFFD replaces undecodable bytes.
		/^(?:(?!\uFFFD)[\p{L}\p{M}\p{N}\p{P}\p{S} ])+$/u.test(source) &&
		VISIBLE.test(source)
	);
}

/** Returns an address's key. @throws Refusal with the form's error message */
export function emailKeyOf(email: string): string {
	const address = canonicalizeEmail(email, asciiDomain);
	if ("key" in address) return address.key;
	throw new Refusal(`${address.error}: ${JSON.stringify(email)}`);
}

/** Unguessable, but starts with the time: fully random ids made a join write twice as many pages. */
const newId = () =>
	Date.now().toString(16).padStart(12, "0") + randomUUID().replaceAll("-", "").slice(12);

export const findPeopleByKeys = (tx: Tx, keys: readonly string[]) =>
	tx.all(
		sql<Person>`SELECT ${PERSON_FIELDS} FROM registration WHERE email_key IN ${keysSql(keys)}`,
	);

/** Finds people by address. @throws Refusal if an address is invalid */
export async function findPeople(tx: Tx, emails: readonly string[]) {
	const named = new Map<string, string>();
	for (const email of emails) named.set(emailKeyOf(email), email);
	const keys = keysOf(await findPeopleByKeys(tx, [...named.keys()]));
	for (const key of keys) named.delete(key);
	return { keys, notFound: [...named.values()] };
}

/** `isTold` is 1 if a webhook reports the join. */
type Added = Pick<Registration, "key" | "joinedAt" | "flag"> & { isTold: number };

/** Adds the registrations whose keys are new, and returns them. */
export async function insertRegistrations(
	tx: Tx,
	registrations: readonly Registration[],
): Promise<Added[]> {
	const rows = registrations.map((row) => [
		...[row.key, row.email, row.source, row.joinedAt, row.terms, row.flag],
		...[mailboxColumnOf(row.key), newId()],
	]);
	// SQLite needs `WHERE TRUE` to parse ON as part of the INSERT (sqlite.org/lang_upsert.html).
	return tx.all(sql`INSERT INTO registration
			(email_key, email, source, joined_at, terms, flag, mailbox, id)
		SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6,
			value->>7
		FROM ${rowsSql(rows)} WHERE TRUE ORDER BY 1
		ON CONFLICT (email_key) DO NOTHING
		RETURNING email_key AS "key", joined_at AS "joinedAt", flag,
			CASE WHEN ${HAS_WEBHOOK_SQL} THEN 1 ELSE 0 END AS "isTold"`);
}

type Deleted = Pick<Registration, "key" | "email" | "joinedAt">;

export const deleteRegistrations = (tx: Tx, keys: readonly string[]) =>
	tx.all(sql<Deleted>`DELETE FROM registration WHERE email_key IN ${keysSql(keys)}
		RETURNING email_key AS "key", email, joined_at AS "joinedAt"`);

export const readRegistrationsByJoinTime = (tx: Tx, filter: RegistrationFilter) =>
	readInPages<Exported>(EXPORT_ROWS, (after) => {
		const { since = "", until, source, flag } = filter;
		return tx.all(sql<Exported>`SELECT ${EXPORTED_FIELDS} FROM registration
			WHERE (joined_at, email_key) > (${after?.joinedAt ?? since}, ${after?.key ?? ""})
				${until === undefined ? sql`` : sql`AND joined_at < ${until}`}
				${source === undefined ? sql`` : sql`AND source = ${source}`}
				${flag === undefined ? sql`` : sql`AND ${flagFilterSql(flag)}`}
			ORDER BY joined_at, email_key LIMIT ${EXPORT_ROWS}`);
	});

export const readRegistrationsByKey = (tx: Tx) =>
	readInPages<Registration>(1000, (after) =>
		tx.all(sql`SELECT ${FIELDS} FROM registration WHERE email_key > ${after?.key ?? ""}
			ORDER BY email_key LIMIT 1000`),
	);
