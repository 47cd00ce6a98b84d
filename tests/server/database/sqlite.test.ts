/** @module-tag nodes */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { unsubscribe } from "../../../src/server/mail/links/unsubscribe.ts";
import { openServerDatabase } from "../../../src/server/open-server-database.ts";
import { readPeople } from "../../given/given.ts";
import { openSqliteFile, readRegistrations } from "../../read-rows.ts";
import { temporaryFolder } from "../../temporary.ts";
import { openWaitlistDatabase } from "../registrations/databases.ts";
import { registrationOf, testWaitlistContract } from "../registrations/waitlist-contract.ts";

async function open(file: string) {
	const { waitlist } = await openWaitlistDatabase({ kind: "sqlite", file });
	onTestFinished(() => waitlist.close());
	return waitlist;
}

describe("a waitlist in SQLite", () => {
	testWaitlistContract(async () => {
		const file = join(await temporaryFolder(), "waitlist.db");
		return { waitlist: await open(file), rows: async () => readRegistrations(file) };
	});

	it("creates missing folders, and is readable only by its owner", async () => {
		const folder = await temporaryFolder();
		const file = join(folder, "deep/down/waitlist.db");
		const waitlist = await open(file);
		await waitlist.join(registrationOf("ada@example.com"));
		for (const name of [file, `${file}-wal`, `${file}-shm`]) {
			expect((await stat(name)).mode & 0o777).toBe(0o600);
		}
		expect((await stat(join(folder, "deep"))).mode & 0o777).toBe(0o700);
	});

	it("rolls back an unsubscribe if the suppression file cannot be written", async () => {
		const server = await openWaitlistDatabase({
			kind: "sqlite",
			file: `${await temporaryFolder()}/it.db`,
		});
		onTestFinished(() => server.close());
		await server.add([registrationOf("ada@example.com")]);
		const entry = { hash: "c", at: "2026-11-21T12:00:00.000Z", reason: "", key: "" };
		const leaving = { key: "ada@example.com", entry, file: "/missing/file", also: [] };
		await expect(server.transact(unsubscribe, leaving)).rejects.toThrow("/missing/file cannot be");
		expect((await readPeople(server)).filter((person) => person.unsubscribed)).toEqual([]);
	});
});

it("a folder, and a file that a newer version wrote, are refused with a sentence", async () => {
	const folder = await temporaryFolder();
	const newer = join(folder, "new.db");
	const connection = openSqliteFile(newer);
	connection.exec("PRAGMA user_version = 99");
	connection.close();
	for (const [file, why] of [
		[folder, "it is a folder."],
		[newer, "it was written by a newer version of this server."],
	] as const) {
		const opening = openServerDatabase({ kind: "sqlite", file });
		await expect(opening).rejects.toThrow(`The waitlist ${file} cannot be opened: ${why}`);
	}
});
