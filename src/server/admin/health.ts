import type { Finding } from "../database/database.ts";
import { lastBackup } from "../database/notes.ts";
import type { Tx } from "../database/sql.ts";
import { freeBytes, LEAST_FREE_BYTES } from "../files/files.ts";
import type { Settings } from "../settings.ts";
import { DAY_MS, HOUR_MS } from "../time.ts";
import { countEvents, hasWebhook, readFailed } from "../webhooks/event.ts";

/** A nightly backup is never as old. */
const OLD_BACKUP_MS = 2 * DAY_MS;

/** Checks what fails silently: backups, the disk and the webhook. */
export async function readHealth(
	tx: Tx,
	{ database }: Pick<Settings, "database">,
	now: Date,
): Promise<Finding[]> {
	return [
		await backupHealth(tx, now),
		...(database.kind === "sqlite" ? [await diskHealth(database.file)] : []),
		...(await webhookHealth(tx)),
	];
}

async function backupHealth(tx: Tx, now: Date): Promise<Finding> {
	const name = "Last backup";
	const last = await lastBackup(tx);
	if (!last) return { name, ok: false, found: "none was made: see `waitlist backup`" };
	const hours = Math.max(0, Math.floor((now.getTime() - Date.parse(last.madeAt)) / HOUR_MS));
	const ok = hours * HOUR_MS < OLD_BACKUP_MS;
	const days = Math.floor(hours / 24);
	const age = hours < 1 ? "less than an hour" : hours < 48 ? `${hours} h` : `${days} days`;
	return { name, ok, found: `${age} ago` };
}

async function diskHealth(file: string): Promise<Finding> {
	const name = "Disk";
	const free = await freeBytes(file).catch(() => undefined);
	if (free === undefined) return { name, ok: false, found: "its free space cannot be read" };
	const size = free >= 1e9 ? `${(free / 1e9).toFixed(1)} GB` : `${Math.floor(free / 1e6)} MB`;
	return { name, ok: free > LEAST_FREE_BYTES, found: `${size} free` };
}

/** Checks that events are delivered, if there is a webhook. */
export async function webhookHealth(tx: Tx): Promise<Finding[]> {
	if (!(await hasWebhook(tx))) return [];
	const { waiting, failed } = await countEvents(tx);
	const [first] = failed > 0 ? await readFailed(tx, 1) : [];
	const givenUp = first ? ` (${first.code}): \`waitlist check --replay\` sends them again` : "";
	const found = `${waiting} wait, ${failed} were given up${givenUp}`;
	return [{ name: "Events", ok: failed === 0, found }];
}
