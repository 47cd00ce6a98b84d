import { domainToASCII } from "node:url";
import { canonicalEmail } from "#shared/email.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import type { Database } from "./database.ts";
import { type CodeOf, type Erasure, eraseKeys, readErasures } from "./erasure.ts";
import type { Progress } from "./progress.ts";
import { FIELDS, inOrderOfTime } from "./registrations.ts";

/** What is kept of a person. */
export interface Found {
	registration: Registration | undefined;
	/** That and when she was erased before. */
	erasures: Omit<Erasure, "code">[];
}

/**
 * Looks a person up, by any spelling of the address.
 *
 * @throws Error with the sentence that the site shows, when it is no address
 */
export async function findAddress(
	{ query }: Database,
	email: string,
	codes: () => CodeOf,
): Promise<Found> {
	const key = keyOf(email);
	const [registration] = await query<Registration>(
		`SELECT ${FIELDS} FROM registration WHERE email_key = $1`,
		[key],
	);
	const all = await readErasures(query);
	const code = all.length > 0 ? codes()(key) : undefined;
	const erasures = all
		.filter((erasure) => erasure.code === code)
		.map(({ erasedAt, reason }) => ({ erasedAt, reason }));
	return { registration, erasures };
}

/** The operator's answer to a request. The address is in it, and nowhere else. */
export interface Receipt extends Erasure {
	email: string;
}

/** Erases people by any spelling of their addresses. */
export async function eraseAddresses(
	database: Database,
	emails: readonly string[],
	erasure: { codeOf: CodeOf; erasedAt: string; reason: string },
): Promise<{ receipts: Receipt[]; notFound: string[] }> {
	const byCode = new Map(emails.map((email) => [erasure.codeOf(keyOf(email)), email]));
	const erasures = await eraseKeys(database, emails.map(keyOf), erasure);
	const receipts = erasures.map((proof) => ({ email: byCode.get(proof.code)!, ...proof }));
	const erased = new Set(erasures.map(({ code }) => code));
	const notFound = [...byCode].filter(([code]) => !erased.has(code)).map(([, email]) => email);
	return { receipts, notFound };
}

/** Erases everybody who joined before a moment (ISO 8601), a page at a time. */
export async function eraseOlderThan(
	database: Database,
	joinedBefore: string,
	erasure: { codeOf: CodeOf; erasedAt: string; reason: string },
	progress: Progress,
): Promise<number> {
	let erased = 0;
	for await (const page of inOrderOfTime(database.query, { until: joinedBefore })) {
		const keys = page.map(({ key }) => key);
		erased += (await eraseKeys(database, keys, erasure)).length;
		progress.show("erased", erased, 0);
	}
	progress.end();
	return erased;
}

function keyOf(email: string): string {
	const address = canonicalEmail(email, domainToASCII);
	if ("error" in address) throw new Error(`${address.error}: ${JSON.stringify(email)}`);
	return address.key;
}
