import { DatabaseSync } from "../src/server/database/sqlite/connection.ts";
import type { Registration } from "../src/server/registrations/registrations.ts";

export function readRegistrations(file: string): Registration[] {
	const connection = new DatabaseSync(file);
	try {
		const check = connection.prepare("PRAGMA integrity_check").get();
		if (check.integrity_check !== "ok") throw new Error(check.integrity_check);
		return connection
			.prepare(
				"SELECT email_key AS key, email, source, joined_at AS joinedAt, terms, flag FROM registration",
			)
			.all()
			.map((row) => ({ ...row }));
	} finally {
		connection.close();
	}
}

export function openSqliteFile(file: string): InstanceType<typeof DatabaseSync> {
	return new DatabaseSync(file);
}
