import type { Registration } from "../waitlist/waitlist.ts";
import type { Query } from "./database.ts";

/** Which registrations are asked for; times are ISO 8601 in UTC with milliseconds. */
export interface Filter {
	since?: string;
	until?: string;
	source?: string;
	flagged?: boolean;
}

/** The columns of a registration under the names of its fields. */
export const FIELDS = 'email_key AS "key", email, source, created_at AS "createdAt", terms, flags';

/** Rows read at once on their way out: few, so that an export of millions stays small. */
const EXPORT_ROWS = 200;

/** Rows read at once on their way into another database, where each page is a commit. */
const COPY_ROWS = 1000;

/** All registrations of a filter, the oldest first, a page at a time. */
export async function* inOrderOfTime(query: Query, filter: Filter): AsyncGenerator<Registration[]> {
	let after = { createdAt: filter.since ?? "", key: "" };
	for (;;) {
		const parameters: string[] = [after.createdAt, after.key];
		const and = (condition: string, value: string | undefined) => {
			if (value === undefined) return "";
			parameters.push(value);
			return ` AND ${condition} $${parameters.length}`;
		};
		const page = await query<Registration>(
			`SELECT ${FIELDS} FROM registration
			WHERE (created_at, email_key) > ($1, $2)
			${and("created_at <", filter.until)}${and("source =", filter.source)}
			${filter.flagged === undefined ? "" : `AND flags ${filter.flagged ? "<>" : "="} ''`}
			ORDER BY created_at, email_key LIMIT ${EXPORT_ROWS}`,
			parameters,
		);
		if (page.length > 0) yield page;
		if (page.length < EXPORT_ROWS) return;
		after = page.at(-1)!;
	}
}

/** All registrations in the order of their keys, by bytes, a page at a time. */
export async function* inOrderOfKey(query: Query): AsyncGenerator<Registration[]> {
	for (let after = ""; ; ) {
		const page = await query<Registration>(
			`SELECT ${FIELDS} FROM registration WHERE email_key > $1
			ORDER BY email_key LIMIT ${COPY_ROWS}`,
			[after],
		);
		if (page.length > 0) yield page;
		if (page.length < COPY_ROWS) return;
		after = page.at(-1)!.key;
	}
}

/** How many registrations there are. */
export async function countRegistrations(query: Query): Promise<number> {
	const [row] = await query<{ total: number }>(
		"SELECT CAST(count(*) AS INTEGER) AS total FROM registration",
	);
	return row!.total;
}
