import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** What the operator decides: the environment, checked. */
export interface Settings {
	/** Name or address to listen on. */
	host: string;
	/** Port to listen on; 0 lets the system choose. */
	port: number;
	database: DatabaseSettings;
}

/** Where the waitlist is kept. */
export interface DatabaseSettings {
	kind: "sqlite";
	/** Absolute path of the file. */
	file: string;
}

/** What holds when a variable is absent or empty. Who wants to be reached from elsewhere says so. */
const defaults = { HOST: "127.0.0.1", PORT: "3000", DATABASE_URL: "file:data/waitlist.db" };

/** A variable that cannot be used; the message goes on from its name. */
class Unusable extends Error {}

/**
 * Reads HOST, PORT and DATABASE_URL.
 *
 * @param environment names and values; other names are left alone, save those that start with
 *   `WAITLIST_`, which can only be meant for this server
 * @param folder where a relative database path starts
 * @returns the settings, or every problem at once, one sentence each
 */
export function readSettings(
	environment: Readonly<Record<string, string | undefined>>,
	folder: string,
): { settings: Settings } | { problems: string[] } {
	const problems: string[] = [];
	function read<Value>(name: keyof typeof defaults, parse: (text: string) => Value) {
		try {
			return parse(environment[name]?.trim() || defaults[name]);
		} catch (error) {
			if (!(error instanceof Unusable)) throw error;
			problems.push(`${name} ${error.message}.`);
			return undefined;
		}
	}

	const host = read("HOST", parseHost);
	const port = read("PORT", parsePort);
	const database = read("DATABASE_URL", (text) => parseDatabaseUrl(text, folder));
	for (const name of Object.keys(environment)) {
		if (name.startsWith("WAITLIST_")) problems.push(`${name} is not a setting of this server.`);
	}
	if (host === undefined || port === undefined || database === undefined || problems.length > 0) {
		return { problems };
	}
	return { settings: { host, port, database } };
}

function parseHost(text: string): string {
	if (/^[\w.:%-]+$/.test(text)) return text;
	throw new Unusable(`must be a host name or an IP address, but it is ${JSON.stringify(text)}`);
}

function parsePort(text: string): number {
	if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
	throw new Unusable(`must be a whole number from 0 to 65535, but it is ${JSON.stringify(text)}`);
}

function parseDatabaseUrl(text: string, folder: string): DatabaseSettings {
	// The value is not repeated: a URL of another kind may hold a password.
	if (!text.startsWith("file:")) {
		throw new Unusable("must be file: and the path of an SQLite file, as in file:data/waitlist.db");
	}
	const path = text.slice("file:".length);
	if (path.startsWith("//")) {
		try {
			return { kind: "sqlite", file: fileURLToPath(text) };
		} catch {
			throw new Unusable(`must name a file of this machine, but it is ${JSON.stringify(text)}`);
		}
	}
	if (path === "" || path.endsWith("/") || /[?#\0]/.test(path) || path === ":memory:") {
		throw new Unusable(
			`must name a file after file:, without ? or #, but it is ${JSON.stringify(text)}`,
		);
	}
	return { kind: "sqlite", file: resolve(folder, path) };
}
