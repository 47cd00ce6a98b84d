import type { OutboxState } from "../../src/server/mail/rate/outbox-state.ts";
import { add, type Given, type Kind, rowsOf, type Source, type Where } from "./rows.ts";

export { change, everythingIn, remove } from "./rows.ts";

import { THEN } from "./tables.ts";

export { THEN };

/*
 * Test data in product terms, so that no other test file names a table or column.
 *
 * 	const desk = await openEmailDesk("SQLite");
 * 	await given.person(desk, { email: "ada@example.com", confirmed: true });
 * 	await given.email(desk, { to: "ada@example.com", wave: "beta-1", state: "accepted" });
 * 	expect(await emailsOf(desk, { wave: "beta-1" })).toMatchObject([{ state: "accepted" }]);
 *
 * Existing rows are updated. Times are ISO 8601 strings; '' means never.
 */

type Rows<K extends Kind> = Iterable<string | Given<K>>;

function* filled<K extends Kind>(address: string, rows: Rows<K>, all: Given<K>) {
	for (const row of rows) {
		yield { ...(typeof row === "string" ? { [address]: row } : row), ...all } as Given<K>;
	}
}

export const given = {
	person: (source: Source, person: Given<"people"> = {}) => add(source, "people", [person]),
	people: (source: Source, people: Rows<"people">, all: Given<"people"> = {}) =>
		add(source, "people", filled("email", people, all)),
	email: (source: Source, email: Given<"emails"> = {}) => add(source, "emails", [email]),
	emails: (source: Source, emails: Rows<"emails">, all: Given<"emails"> = {}) =>
		add(source, "emails", filled("to", emails, all)),
	wave: (source: Source, wave: Given<"waves"> = {}) => add(source, "waves", [wave]),
	async outbox(source: Source, outbox: Partial<OutboxState>) {
		const [note] = await rowsOf(source, "notes", { name: "outbox" });
		const value = JSON.stringify({ ...JSON.parse(note?.value ?? "null"), ...outbox });
		await add(source, "notes", [{ name: "outbox", value }]);
	},
	gap: (source: Source, { from = "", until = THEN, settled = "" } = {}) =>
		add(source, "notes", [{ name: "gap", value: JSON.stringify({ from, until, settled }) }]),
	note: (source: Source, { name, value }: { name: string; value: object }) =>
		add(source, "notes", [{ name, value: JSON.stringify(value) }]),
	suppression: (source: Source, suppression: Given<"suppressions">) =>
		add(source, "suppressions", [suppression]),
	visits: (source: Source, visits: Iterable<Given<"visits">>) => add(source, "visits", visits),
};

const reader =
	<K extends Kind>(kind: K) =>
	(source: Source, where?: Where<K>) =>
		rowsOf(source, kind, where);

export const peopleOf = reader("people");
export const emailsOf = reader("emails");
