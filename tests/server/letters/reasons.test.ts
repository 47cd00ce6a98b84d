import { expect, it } from "vitest";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { sqlite } from "../../../src/server/database/dialect.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { steps } from "../../../src/server/database/schema-steps.ts";
import { connect } from "../../read-rows.ts";
import { type DatabaseKind, placeOf, usePostgres } from "../waitlist/databases.ts";

const cluster = usePostgres();

/** Steps of a database in which the reason of a letter stands as its code. */
const EARLIER = steps.findIndex((step) => step(sqlite).includes("letter ADD COLUMN reason"));

it.each(["SQLite", "PostgreSQL"] as const)(
	"%s: letters of an earlier version keep the mail server's answer, or get the reason that stood there",
	async (kind: DatabaseKind) => {
		const { settings } = await placeOf(kind, cluster());
		const codes = {
			answered: "550 5.1.1",
			back: "later 5.1.1",
			lost: "ECONNECTION",
			waiting: "",
			gone: "left",
			off: "cancelled",
			known: "told",
			guessed: "assumed",
			spam: "complaint",
		};
		const letters = Object.entries(codes).map(
			([name, code]) => `('confirm', '', '${name}', 'refused', '', '', '${code}')`,
		);
		const earlier = `DROP TABLE counted_day; DROP INDEX letter_of_wave; ALTER TABLE letter DROP COLUMN reason;
			CREATE INDEX letter_of_wave ON letter (wave, state, held, redeemed_at, expires_at, code)
				WHERE wave <> '';
			INSERT INTO letter (kind, wave, email_key, state, asked_at, next_at, code) VALUES ${letters.join(", ")};`;
		await (await openDatabase(settings, { create: true })).close();
		if (settings.kind === "sqlite") {
			const connection = connect(settings.file);
			connection.exec(`${earlier}; PRAGMA user_version = ${EARLIER}`);
			connection.close();
		} else {
			await query(settings.url, `${earlier}; UPDATE waitlist_schema SET version = ${EARLIER}`);
		}

		const database = await openDatabase(settings, { create: false });
		const rows = await database.query<Record<"name" | "code" | "reason", string>>(
			"SELECT email_key AS name, code, reason FROM letter",
		);
		await database.close();
		expect(
			Object.fromEntries(rows.map(({ name, code, reason }) => [name, [code, reason]])),
		).toEqual({
			answered: ["550 5.1.1", ""],
			back: ["later 5.1.1", ""],
			lost: ["ECONNECTION", ""],
			waiting: ["", ""],
			gone: ["", "left"],
			off: ["", "cancelled"],
			known: ["", "told"],
			guessed: ["", "assumed"],
			spam: ["", "complaint"],
		});
	},
);
