import type { SharedDatabase } from "../../database/database.ts";
import {
	inPages,
	joinSql,
	keysIn,
	keysOf,
	runEach,
	type Statement,
	sql,
	type Tx,
} from "../../database/sql.ts";
import { setFlag } from "../../registrations/flags.ts";
import type { Operation } from "../../registrations/operation.ts";
import { keysAfter } from "../../registrations/people.ts";
import { STANDING, type Standing, whyNot } from "./email.ts";
import { insertEmails } from "./requests.ts";

/** Named people, or all of a burst or of those without a flag. */
type Whom = { keys: readonly string[] } | { burst?: boolean; source?: string };

/** People of a transaction: few, so that visitors join meanwhile. */
const PAGE_ROWS = 500;

/**
 * Sends the confirmation email to people who never got one. They lose their flag, also if they got one.
 *
 * @param also statements of each transaction that changes somebody
 * @returns how many emails were added, and the keys of named people who changed
 */
export async function askToConfirm(
	{ database, now }: Pick<Operation<SharedDatabase>, "database" | "now">,
	whom: Whom,
	{ dryRun, also = [] }: { dryRun: boolean; also?: readonly Statement[] },
): Promise<{ count: number; changed: Set<string> }> {
	let count = 0;
	const changed = new Set<string>();
	for await (const keys of pagesOf(database, whom)) {
		const { asked, unflagged } = dryRun
			? await database.read(findUnasked, { keys })
			: await database.transact(askPage, { keys, also, now });
		count += asked.length;
		if ("keys" in whom) for (const key of [...asked, ...unflagged]) changed.add(key);
	}
	return { count, changed };
}

async function* pagesOf(tx: Tx, whom: Whom): AsyncGenerator<string[]> {
	if ("keys" in whom) {
		for (let n = 0; n < whom.keys.length; n += PAGE_ROWS) yield whom.keys.slice(n, n + PAGE_ROWS);
		return;
	}
	const { burst, source } = whom;
	const conditions = [
		burst ? sql`flag = 'burst'` : sql`flag = ''`,
		...(source === undefined ? [] : [sql`source = ${source}`]),
	];
	const which = joinSql(conditions, " AND ");
	yield* inPages<string>(PAGE_ROWS, (after = "") => keysAfter(tx, after, which, PAGE_ROWS));
}

/** The keys of people to ask, and of those who lose a flag. */
export async function findUnasked(
	tx: Tx,
	{ keys }: { keys: readonly string[] },
	lock = sql``,
): Promise<{ asked: string[]; unflagged: string[] }> {
	const people = await tx.all(sql<Standing & { key: string }>`
		SELECT email_key AS "key", ${STANDING} FROM registration
		WHERE email_key IN ${keysIn(keys)} ${lock}`);
	const emails = await tx.all(sql<{ key: string }>`SELECT email_key AS "key" FROM email
		WHERE kind = 'confirm' AND wave = '' AND reason <> 'flagged' AND email_key IN ${keysIn(keys)}`);
	const wereAsked = new Set(keysOf(emails));
	const asked = people.filter(
		(person) => !wereAsked.has(person.key) && whyNot({ ...person, flag: "" }, CONFIRM) === "",
	);
	return { asked: keysOf(asked), unflagged: keysOf(people.filter(({ flag }) => flag !== "")) };
}

const CONFIRM = { kind: "confirm" };

export async function askPage(
	tx: Tx,
	{ keys, also, now }: { keys: readonly string[]; also: readonly Statement[]; now: Date },
): Promise<{ asked: string[]; unflagged: string[] }> {
	const found = await findUnasked(tx, { keys }, sql`ORDER BY email_key FOR UPDATE`);
	const { asked, unflagged } = found;
	if (unflagged.length > 0) await setFlag(tx, "", unflagged);
	if (asked.length > 0) {
		await tx.all(sql`DELETE FROM email
			WHERE kind = 'confirm' AND reason = 'flagged' AND email_key IN ${keysIn(asked)}`);
		const rows = asked.map((key) => [key, now.toISOString()] as const);
		await insertEmails(tx, "confirm", rows);
	}
	if (asked.length + unflagged.length > 0) await runEach(tx, also);
	return found;
}
