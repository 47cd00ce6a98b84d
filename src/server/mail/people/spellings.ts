import type { Database } from "../../database/database.ts";
import { keysAsJson } from "../../database/dialect.ts";
import { firstKeysFrom, keysAfter, keysAmong } from "../../registrations/people.ts";

/** Gmail delivers both domains to one mailbox, and ignores dots. */
const GMAIL = ["gmail.com", "googlemail.com"];

/**
 * The mailbox of a canonical address, as far as an address tells: without a plus tag, and without dots
 * at Gmail. Somewhere these are mailboxes of their own, so this decides which letters are sent and what
 * is found, never who is on the list.
 */
export function mailboxOf(key: string): string {
	const [local, domain] = partsOf(key);
	const untagged = local.replace(/(?<=.)\+.*$/, "");
	return GMAIL.includes(domain)
		? `${untagged.replaceAll(".", "")}@${GMAIL[0]}`
		: `${untagged}@${domain}`;
}

function partsOf(key: string): [local: string, domain: string] {
	const at = key.lastIndexOf("@");
	return [key.slice(0, at), key.slice(at + 1)];
}

/** Spellings that are looked at and shown: a stranger may join by thousands. */
const MOST = 100;

type Asked = Pick<Database, "query" | "dialect">;

/**
 * The keys of all others on the list whose letters arrive in the same mailbox, at most 100. The primary
 * key finds them, so that joins keep no second index.
 *
 * @param key canonical, on the list or not
 */
export async function otherSpellings({ query, dialect }: Asked, key: string): Promise<string[]> {
	const mailbox = mailboxOf(key);
	const [local, domain] = partsOf(mailbox);
	const isGmail = domain === GMAIL[0];
	const locals = isGmail ? await dottedOnList({ query, dialect }, local) : [local];
	const found: string[] = [];
	for (const domain of isGmail ? GMAIL : [partsOf(key)[1]]) {
		const plain = keysAsJson(locals.map((local) => `${local}@${domain}`));
		found.push(...(await keysAmong(query, dialect, plain)));
		for (const local of locals) {
			// All tags of one name stand together: the comma comes after the plus sign.
			const range = [`${local}+`, `${local},`, `%@${domain}`];
			found.push(...(await keysAfter(query, "email_key < $2 AND email_key LIKE $3", range, MOST)));
		}
	}
	const others = found.filter((other) => other !== key && mailboxOf(other) === mailbox);
	return others.sort().slice(0, MOST);
}

/**
 * The ways in which a name is written on the list with dots between its letters. There are 2^n of them, so
 * each beginning is followed only while somebody on the list has it:
 *
 *     a ── ad ── ada          found: ada@…
 *      │     └── ad.          nobody
 *      └── a. ── a.d ── a.da  found: a.da+news@…
 */
async function dottedOnList(database: Asked, name: string): Promise<string[]> {
	const letters = [...name];
	const found: string[] = [];
	let beginnings = [{ text: "", read: 0 }];
	while (beginnings.length > 0) {
		const longer = beginnings.flatMap(({ text, read }) => [
			{ text: `${text}.`, read },
			...(read < letters.length ? [{ text: text + letters[read], read: read + 1 }] : []),
		]);
		const first = await firstKeysFrom(
			database,
			longer.map(({ text }) => text),
		);
		beginnings = longer.filter(({ text }) => first.get(text)?.startsWith(text)).slice(0, MOST);
		const whole = beginnings.filter(({ read }) => read === letters.length);
		found.push(...whole.map(({ text }) => text));
	}
	return found;
}
