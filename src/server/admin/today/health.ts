import type { Finding } from "../../database/database.ts";
import { freeBytes, LEAST_FREE_BYTES } from "../../database/sqlite/free-space.ts";
import type { Query } from "../../database/statement.ts";
import { describeMailServer } from "../../settings/mail.ts";
import type { Settings } from "../../settings.ts";
import { DAY_MS } from "../../time.ts";
import { lastBackup } from "../../transfer/last-backup.ts";
import { countEvents, readWebhook } from "../../webhooks/webhook.ts";
import type { TodayNumbers } from "./numbers.ts";
import { figure } from "./words.ts";

/** A database that takes longer for the smallest question is slow for visitors as well. */
const SLOW_MS = 500;

/** A nightly backup is never as old. */
const OLD_BACKUP_MS = 2 * DAY_MS;

/** What health is read from. */
export interface HealthParts {
	settings: Pick<Settings, "database" | "mail">;
	query: Query;
	now: Date;
	/** What the numbers say of letters. */
	letters: Pick<TodayNumbers, "pause" | "slowed">;
}

/** Whether the parts that a waitlist needs are well: database, disk, mail, backup and, where there is one, the receiver of events. */
export async function readHealth(parts: HealthParts): Promise<Finding[]> {
	const { settings, query, now } = parts;
	return [
		await databaseHealth(query),
		await diskHealth(settings.database),
		mailHealth(parts),
		await backupHealth(query, now),
		...(await eventsHealth(query)),
	];
}

async function databaseHealth(query: Query): Promise<Finding> {
	const began = performance.now();
	await query("SELECT 1 AS one");
	const ms = Math.ceil(performance.now() - began);
	return { name: "Database", ok: ms < SLOW_MS, found: `answers in ${ms} ms` };
}

async function diskHealth(database: Settings["database"]): Promise<Finding> {
	const name = "Disk";
	if (database.kind === "postgres") {
		return { name, ok: true, found: "is PostgreSQL's, and not seen from here" };
	}
	const free = await freeBytes(database.file).catch(() => undefined);
	if (free === undefined) return { name, ok: false, found: "cannot be asked for its space" };
	return { name, ok: free > LEAST_FREE_BYTES, found: `${bytesAsText(free)} free` };
}

const bytesAsText = (bytes: number) =>
	bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.floor(bytes / 1e6)} MB`;

function mailHealth({ settings: { mail }, letters: { pause, slowed } }: HealthParts): Finding {
	const name = "Mail";
	if (!mail) return { name, ok: true, found: "is not set up: nobody is written to" };
	const server = `goes out by ${describeMailServer(mail.server)}`;
	if (pause) return { name, ok: false, found: `is paused; it ${server}` };
	if (slowed.length > 0) return { name, ok: false, found: `is slowed; it ${server}` };
	return { name, ok: true, found: server };
}

async function backupHealth(query: Query, now: Date): Promise<Finding> {
	const name = "Last backup";
	const last = await lastBackup(query);
	if (!last) return { name, ok: false, found: "was never made of this database" };
	const ms = now.getTime() - Date.parse(last.madeAt);
	return { name, ok: ms < OLD_BACKUP_MS, found: `is ${ageAsText(ms)} old` };
}

async function eventsHealth(query: Query): Promise<Finding[]> {
	const receiver = await readWebhook(query);
	if (!receiver) return [];
	const name = "Events";
	const { waiting, failed } = await countEvents(query);
	if (receiver.endedAt !== "") {
		return [{ name, ok: false, found: "are wanted no more, says their receiver (410)" }];
	}
	if (receiver.failures > 0) {
		return [{ name, ok: false, found: `are not taken by their receiver: ${figure(waiting)} wait` }];
	}
	if (failed > 0) {
		return [{ name, ok: false, found: `were given up: ${figure(failed)}, see waitlist webhook` }];
	}
	return [{ name, ok: true, found: `are taken: ${figure(waiting)} wait` }];
}

function ageAsText(ms: number): string {
	const hours = Math.max(0, Math.floor(ms / 3_600_000));
	if (hours < 1) return "less than an hour";
	if (hours < 48) return hours === 1 ? "an hour" : `${hours} hours`;
	return `${Math.floor(hours / 24)} days`;
}
