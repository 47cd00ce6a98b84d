import { expect, it } from "vitest";
import { canonicalEmail } from "#shared/email.ts";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { asciiDomain } from "../../../src/server/ascii-domain.ts";
import { sqlite } from "../../../src/server/database/dialect.ts";
import { tables } from "../../../src/server/database/schema.ts";
import type { Registration } from "../../../src/server/waitlist/registrations.ts";
import { connect, readRows } from "../../read-rows.ts";
import { type DatabaseKind, openServer, placeOf, usePostgres } from "./databases.ts";
import { registrationOf } from "./waitlist-contract.ts";

const cluster = usePostgres();

/** Every letter that lower case leaves as it is, though another letter has the same upper case. */
const unfolded = Array.from({ length: 0x10000 - 0x80 }, (_, n) => String.fromCharCode(n + 0x80))
	.filter((letter) => /^\p{L}$/u.test(letter) && letter !== "ı")
	.filter((letter) => letter.normalize("NFC") === letter)
	.filter((letter) => {
		const back = letter.toUpperCase().toLowerCase();
		return back.length === 1 && back !== letter.toLowerCase();
	});

/** How many steps of the schema a database had taken whose keys are of the earlier rule. */
const EARLIER_RULE = 3;
const EARLIER_TABLES = ["registration", "erasure", "erasure_key"];

/** Rows as the rule of before wrote them: in lower case only. */
const old: Registration[] = [
	...unfolded.map((letter) => registrationOf(`a${letter}a@example.com`)),
	{ ...registrationOf("ΟΔΟΣ@example.gr"), createdAt: "2026-11-21T09:30:00.000Z" },
	{ ...registrationOf("οδοσ@example.gr"), createdAt: "2026-11-21T09:40:00.000Z" },
	{ ...registrationOf("ΗΛΙΟΣ@example.gr"), createdAt: "2026-11-21T09:40:00.000Z" },
	{ ...registrationOf("ηλιοσ@example.gr"), createdAt: "2026-11-21T09:30:00.000Z" },
	registrationOf("ada@example.com"),
];

it.each(["SQLite", "PostgreSQL"] as const)(
	"%s: rows with keys of the earlier rule get today's keys, and of two the first to join stays",
	async (kind: DatabaseKind) => {
		const { settings } = await placeOf(kind, cluster());
		const open = async () => (await openServer(settings)).waitlist;
		const before = await open();
		for (const registration of old) {
			expect(await before.join(registration)).toBe("registered");
		}
		await before.close();
		// As if it had taken no step of the schema since.
		const later = [...tables(sqlite).matchAll(/CREATE TABLE (\w+)/g)]
			.filter(([, table]) => !EARLIER_TABLES.includes(table!))
			.map(([, table]) => `DROP TABLE ${table}`)
			.concat("DROP INDEX registration_flagged_by_time")
			.join("; ");
		if (settings.kind === "sqlite") {
			const connection = connect(settings.file);
			connection.exec(`${later}; PRAGMA user_version = ${EARLIER_RULE}`);
			connection.close();
		} else {
			await query(settings.url, `${later}; UPDATE waitlist_schema SET version = ${EARLIER_RULE}`);
		}

		const after = await open();
		const keyOf = (email: string) => {
			const address = canonicalEmail(email, asciiDomain);
			return "key" in address ? address.key : address.error;
		};
		const rows =
			settings.kind === "sqlite"
				? readRows(settings.file)
				: await query<{ key: string; email: string }>(
						settings.url,
						"SELECT email_key AS key, email FROM registration",
					);
		const stay = old.filter(({ email }) => !/^(οδοσ|ΗΛΙΟΣ)@/.test(email));
		// т has two variants, which were two rows.
		const kept = stay.filter(({ email }) => !email.includes("\u1c85"));
		const asText = ({ key, email }: { key: string; email: string }) => `${key} ${email}`;
		expect(rows.map(asText).toSorted()).toEqual(
			kept.map(({ email }) => asText({ key: keyOf(email), email })).toSorted(),
		);
		expect(
			await after.join({ ...registrationOf("οδος@example.gr"), key: keyOf("οδος@example.gr") }),
		).toBe("duplicate");
		await after.close();
	},
);
