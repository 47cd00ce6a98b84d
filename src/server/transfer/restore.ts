import { chmodSync, existsSync, statSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { copyTables } from "../database/copy-tables.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { keysOf, keysSql, sql, type Tx } from "../database/sql.ts";
import { fileSizeOf, runAsOwnerOf, withPartialFile } from "../files/files.ts";
import { refuseEmailsToUnsubscribed } from "../mail/claim-emails.ts";
import { hasEmails } from "../mail/emails/email.ts";
import {
	addRestoreGap,
	countAssumedSent,
	findUnsettledRestoreGap,
	markAssumedSent,
	readLatestActivity,
} from "../mail/emails/unknown-emails.ts";
import { applyUnsubscribes } from "../mail/links/unsubscribe.ts";
import { deletePeopleRows } from "../mail/people/delete-people.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { readRegistrationsByKey } from "../registrations/registrations.ts";
import {
	addSuppressions,
	findDeletions,
	findListKey,
	isAnySuppressed,
	readMissingSuppressions,
	saveKeyFingerprint,
} from "../registrations/suppression/suppression-list.ts";
import { findKey, type SecretKey, type SecretLocations } from "../secret.ts";
import { matchesChecksum, refuseDamagedBackup } from "./backup.ts";
import { fillDatabase } from "./migrate.ts";

interface Restoring {
	/** No email was sent since the backup. */
	planned?: boolean;
	/** The backup's key is lost for good. */
	newKey?: boolean;
	/** The suppression file is lost for good. */
	withoutFile?: boolean;
}

export type RestoreSummary = Awaited<ReturnType<typeof restore>>;

/** Fills an empty database from a backup, or changes nothing. @throws Error with a message for the founder */
export async function restore(
	operation: Omit<Operation, "database">,
	file: string,
	{ planned, newKey, withoutFile }: Restoring,
) {
	const { settings, places, now } = operation;
	const beside = settings.database.kind === "sqlite" ? settings.database.file : file;
	return withBackup(beside, file, async (backup) => {
		const key = await (newKey ? findKey(places) : findListKey(backup, places));
		if (!withoutFile) refuseWithoutFile(places, await isAnySuppressed(backup));
		const isSending = settings.mail !== undefined || (await hasEmails(backup));
		return fillDatabase(settings.database, now, async (tx) => {
			const rows = await copyTables(backup, tx);
			// Read before suppressions are applied, because those add later times.
			const latest = await readLatestActivity(tx);
			if (newKey) await saveKeyFingerprint(tx, key?.fingerprint);
			const deleted = key ? await applySuppressions(tx, key, operation) : 0;
			if (isSending && !planned) {
				const until = now.toISOString();
				// A wrong clock may have written a future time, so the earlier one counts.
				const [from] = [latest, until].sort() as [string, string];
				await addRestoreGap(tx, { from, until });
				await markAssumedSent(tx, until);
			}
			return {
				rows,
				deleted,
				unknown: await countAssumedSent(tx),
				gap: await findUnsettledRestoreGap(tx),
			};
		});
	});
}

/** @throws Refusal if the list of people who unsubscribed or were deleted since the backup is lost */
function refuseWithoutFile({ file }: SecretLocations, isAnySuppressed: boolean): void {
	const size = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
	// A server that started before the restore may have created an empty file.
	if (size !== undefined && (size > 0 || !isAnySuppressed)) return;
	throw new Refusal(
		`Nothing was restored: ${file === undefined ? "WAITLIST_SUPPRESSION_FILE is not set" : `${file} is ${size === 0 ? "empty" : "missing"}`}. ` +
			"This file lists who unsubscribed or was deleted after the backup was made: put it back, or set " +
			"WAITLIST_SUPPRESSION_FILE to it. Only if it is lost, use --without-file: everyone it lists is back " +
			"on the waitlist, and gets email again.",
	);
}

async function applySuppressions(
	tx: Tx,
	key: SecretKey,
	{ places: { file }, now }: Pick<Operation, "places" | "now">,
): Promise<number> {
	if (file !== undefined && existsSync(file)) {
		await readMissingSuppressions(file, tx, (page) => addSuppressions(tx, page));
	}
	let deleted = 0;
	for await (const page of readRegistrationsByKey(tx)) {
		const deletedAt = await findDeletions(tx, key, page);
		const gone = keysOf(page.filter(deletedAt));
		const stay = keysOf(page.filter((person) => !deletedAt(person)));
		if (gone.length > 0) await deletePeopleRows(tx, gone);
		deleted += gone.length;
		await applyUnsubscribes(tx, key, stay);
		await tx.all(refuseEmailsToUnsubscribed(sql`email_key IN ${keysSql(stay)}`, now.toISOString()));
	}
	return deleted;
}

/** Opens a private copy of a backup: SQLite changes each file it opens. */
async function withBackup<Result>(
	beside: string,
	file: string,
	work: (backup: Database) => Promise<Result>,
): Promise<Result> {
	if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
	for (const journal of [`${file}-wal`, `${file}-journal`]) {
		if (fileSizeOf(journal) === 0) continue;
		throw new Error(
			`${file} is not a backup but a database that is in use or was not closed: its latest rows ` +
				`are in ${journal}. Back up both, and restore that: ` +
				`DATABASE_URL=file:${file} waitlist backup <new file>`,
		);
	}
	runAsOwnerOf(beside);
	await mkdir(dirname(beside), { recursive: true, mode: 0o700 });
	return withPartialFile(beside, async (partial) => {
		await copyFile(file, partial);
		chmodSync(partial, 0o600);
		const isAsMade = await matchesChecksum(partial);
		const copy = { kind: "sqlite" as const, file: partial };
		const backup = await openDatabase(copy, { create: false, alone: true }).catch((error) => {
			throw new Error(error.message.replace(partial, file));
		});
		try {
			if (!isAsMade) {
				throw new Error(
					`${file} is damaged: it does not match the checksum that \`waitlist backup\` wrote. If a server has ` +
						`used it since, restore a new backup of it: DATABASE_URL=file:${file} waitlist backup <new file>`,
				);
			}
			await refuseDamagedBackup(backup);
			return await work(backup);
		} finally {
			await backup.close();
		}
	});
}
