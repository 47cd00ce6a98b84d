import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Unusable } from "./unusable.ts";

export type DatabaseSettings = { kind: "sqlite"; file: string } | { kind: "postgres"; url: string };

/** Names a database without its password. */
export function describeDatabase(database: DatabaseSettings): string {
	if (database.kind === "sqlite") return database.file;
	const { host, pathname, searchParams } = new URL(database.url);
	const server = host || searchParams.get("host") || "the default server";
	return `PostgreSQL at ${server}, database ${decodeURIComponent(pathname.slice(1)) || "by default"}`;
}

export function parseDatabaseUrl(text: string, folder: string): DatabaseSettings {
	if (/^postgres(ql)?:\/\//.test(text)) {
		if (URL.canParse(text)) return { kind: "postgres", url: text };
		// The message does not repeat the value: it may hold a password.
		throw new Unusable(
			"must be a whole PostgreSQL address, as in postgres://user:password@host:5432/database " +
				"(with %-escapes for signs that URLs use)",
		);
	}
	if (!text.startsWith("file:")) {
		throw new Unusable(
			"must be file: and the path of an SQLite file, as in file:data/waitlist.db, " +
				"or the postgres:// address of a PostgreSQL",
		);
	}
	const path = text.slice("file:".length);
	if (path.startsWith("//")) {
		try {
			return { kind: "sqlite", file: fileURLToPath(text) };
		} catch {
			throw new Unusable("must name a file of this machine", text);
		}
	}
	if (path === "" || path.endsWith("/") || /[?#\0]/.test(path) || path === ":memory:") {
		throw new Unusable("must name a file after file:, without ? or #", text);
	}
	return { kind: "sqlite", file: resolve(folder, path) };
}
