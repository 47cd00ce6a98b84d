import type { OutboxState } from "../../src/server/mail/rate/outbox-state.ts";
import {
	type AnyDatabase,
	addRows,
	type RowFilter,
	type RowInput,
	readRows,
	type TableName,
} from "./rows.ts";

export { changeRows, readAllTables, removeRows } from "./rows.ts";

import { PAST_TIME } from "./tables.ts";

export { PAST_TIME };

/*
 * Test data in product terms, so that no other test file names a table or column.
 *
 * 	const setup = await openEmailSetup("SQLite");
 * 	await given.person(setup, { email: "ada@example.com", confirmed: true });
 * 	await given.email(setup, { to: "ada@example.com", wave: "beta-1", state: "accepted" });
 * 	expect(await readEmails(setup, { wave: "beta-1" })).toMatchObject([{ state: "accepted" }]);
 *
 * Existing rows are updated. Times are ISO 8601 strings; '' means never.
 */

type Rows<K extends TableName> = Iterable<string | RowInput<K>>;

function* filled<K extends TableName>(address: string, rows: Rows<K>, all: RowInput<K>) {
	for (const row of rows) {
		yield { ...(typeof row === "string" ? { [address]: row } : row), ...all } as RowInput<K>;
	}
}

export const given = {
	person: (source: AnyDatabase, person: RowInput<"people"> = {}) =>
		addRows(source, "people", [person]),
	people: (source: AnyDatabase, people: Rows<"people">, all: RowInput<"people"> = {}) =>
		addRows(source, "people", filled("email", people, all)),
	email: (source: AnyDatabase, email: RowInput<"emails"> = {}) =>
		addRows(source, "emails", [email]),
	emails: (source: AnyDatabase, emails: Rows<"emails">, all: RowInput<"emails"> = {}) =>
		addRows(source, "emails", filled("to", emails, all)),
	wave: (source: AnyDatabase, wave: RowInput<"waves"> = {}) => addRows(source, "waves", [wave]),
	async outbox(source: AnyDatabase, outbox: Partial<OutboxState>) {
		const [note] = await readRows(source, "notes", { name: "outbox" });
		const value = JSON.stringify({ ...JSON.parse(note?.value ?? "null"), ...outbox });
		await addRows(source, "notes", [{ name: "outbox", value }]);
	},
	gap: (source: AnyDatabase, { from = "", until = PAST_TIME, settled = "" } = {}) =>
		addRows(source, "notes", [{ name: "gap", value: JSON.stringify({ from, until, settled }) }]),
	note: (source: AnyDatabase, { name, value }: { name: string; value: object }) =>
		addRows(source, "notes", [{ name, value: JSON.stringify(value) }]),
};

const reader =
	<K extends TableName>(kind: K) =>
	(source: AnyDatabase, where?: RowFilter<K>) =>
		readRows(source, kind, where);

export const readPeople = reader("people");
export const readEmails = reader("emails");
