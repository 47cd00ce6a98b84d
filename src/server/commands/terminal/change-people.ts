import type { Database } from "../../database/database.ts";
import { findPeople } from "../../registrations/registrations.ts";
import { EXIT, notFoundAsText, print } from "./command.ts";
import { reasonsOf, type Unchanged, unchangedAsText } from "./reasons.ts";

/** What a command did to people. */
interface Changed {
	/** The keys of those to whom it did something. */
	changed: Iterable<string>;
	/** For --json, and for people. */
	result: object;
	lines: readonly string[];
}

/** How many people an entry of the audit trail is about, unless it is one. */
export const named = (keys: readonly string[]) => (keys.length === 1 ? "" : `${keys.length} named`);

/**
 * Changes something about people by their addresses, and says where it changed nothing, and why.
 *
 * @param because what the reason says of a command, if it says more
 */
export async function changePeople(
	database: Database,
	{ emails, json }: { emails: readonly string[]; json: boolean | undefined },
	change: (keys: readonly string[]) => Promise<Changed>,
	because = (reason: string) => reason,
): Promise<void> {
	const { keys, notFound } = await findPeople(database, emails);
	const { changed, result, lines } = await change(keys);
	const done = new Set(changed);
	const others = keys.filter((key) => !done.has(key));
	const unchanged = (await reasonsOf(database, others)).map(
		({ email, reason }): Unchanged => ({ email, reason: because(reason) }),
	);
	print(json, { ...result, unchanged, notFound }, () =>
		[...lines, ...unchangedAsText(unchanged), ...notFoundAsText(notFound)].join("\n"),
	);
	if (notFound.length > 0) process.exitCode = EXIT.notFound;
}
