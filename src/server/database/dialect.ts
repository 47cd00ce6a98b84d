/** Where SQLite and PostgreSQL differ. Both understand every other word of our SQL. */
export interface Dialect {
	/** Type of a text column that compares and sorts by bytes. */
	text: string;
	/** A table of the elements of the JSON array in `$1`, each in a column named `value`. */
	jsonRows: string;
	/** Clause that orders the rows of one INSERT. */
	insertOrder: string;
	/** Clause by which a SELECT takes rows for itself and leaves out those that are taken. */
	takeRows: string;
	/** 32 random hexadecimal digits. */
	randomId: string;
	/** A random millisecond, in three digits. */
	randomMs: string;
	/** The time so many days after another one, both ISO 8601 in UTC with milliseconds. */
	daysAfter: (time: string, days: string) => string;
}

export const sqlite: Dialect = {
	text: "TEXT",
	jsonRows: "json_each($1)",
	insertOrder: "",
	// Its transactions run one after the other.
	takeRows: "",
	randomId: "lower(hex(randomblob(16)))",
	randomMs: "printf('%03d', abs(random() % 1000))",
	daysAfter: (time, days) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, '+' || ${days} || ' days')`,
};

export const postgres: Dialect = {
	// By default PostgreSQL sorts and searches by the rules of a language.
	text: 'TEXT COLLATE "C"',
	jsonRows: "json_array_elements($1::json) AS rows(value)",
	// By key: two transactions that lock the same rows in different orders wait for each other
	// (seven deadlocks in three seconds without the order, none with it).
	insertOrder: "ORDER BY 1",
	takeRows: "FOR UPDATE SKIP LOCKED",
	randomId: "replace(gen_random_uuid()::text, '-', '')",
	randomMs: "lpad(floor(random() * 1000)::text, 3, '0')",
	daysAfter: (time, days) =>
		`to_char(CAST(${time} AS timestamptz) AT TIME ZONE 'UTC' + ${days} * INTERVAL '1 day',
			'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/** By the kind of a database. */
export const dialects = { sqlite, postgres };

/** The keys of rows that were read or changed. */
export function keysOf(rows: readonly { key: string }[]): string[] {
	return rows.map(({ key }) => key);
}

/** Keys as rows of one column, for {@link Dialect.jsonRows}. */
export function keysAsJson(keys: Iterable<string>): string {
	return JSON.stringify(Array.from(keys, (key) => [key]));
}

/** SQL for the rows of the people whose keys {@link keysAsJson} gives, in `$1`. */
export const ofPeople = ({ jsonRows }: Dialect) =>
	`email_key IN (SELECT value->>0 FROM ${jsonRows})`;

/** SQL for how many rows meet a condition. */
export const countWhere = (condition: string) =>
	`CAST(count(CASE WHEN ${condition} THEN 1 END) AS INTEGER)`;
