import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Database } from "../../../src/server/database/database.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { createTx } from "../../../src/server/database/sql.ts";
import type { ClaimedEmail, EmailAttempt } from "../../../src/server/mail/emails/email.ts";
import { joinBatch } from "../../../src/server/mail/emails/requests.ts";
import { unsubscribePeople } from "../../../src/server/mail/links/unsubscribe.ts";
import { openOutbox } from "../../../src/server/mail/outbox.ts";
import { openSuppressionList } from "../../../src/server/registrations/suppression/suppression-list.ts";
import { locateSecrets } from "../../../src/server/secret.ts";
import type { DatabaseSettings } from "../../../src/server/settings.ts";
import { changeRows, readEmails, readPeople } from "../../given/given.ts";
import { createPostgresDatabase, type DatabaseKind } from "../registrations/databases.ts";
import { registrationOf } from "../registrations/waitlist-contract.ts";
import { openCommandSetup } from "./command-setup.ts";

export async function openEmailSetup(kind: DatabaseKind) {
	const setup = await openCommandSetup(kind);
	const writing = writingIn(setup.settings, setup.env);
	return {
		...setup,
		...writing,
		async restore(file: string, options?: string) {
			await writing.close();
			return setup.restore(file, options);
		},
		async migrate(to: string) {
			await writing.close();
			return setup.migrate(to);
		},
	};
}

export async function openOtherDatabase({ folder }: { folder: string }, kind: DatabaseKind) {
	if (kind === "SQLite") {
		const to = await createPostgresDatabase();
		return { to, ...writingIn({ kind: "postgres", url: to }) };
	}
	const file = join(folder, "to.db");
	return { to: `file:${file}`, ...writingIn({ kind: "sqlite", file }) };
}

/** Fills the database as visitors, the sender and mail servers would. */
function writingIn(settings: DatabaseSettings, env: Record<string, string> = {}) {
	let opening: Promise<Database> | undefined;
	async function close() {
		const database = await opening;
		opening = undefined;
		await database?.close();
	}
	const inDatabase = async <Result>(work: (database: Database) => Promise<Result>) => {
		if (!opening) onTestFinished(close);
		opening ??= openDatabase(settings, { create: true, alone: true });
		return work(await opening);
	};
	const turn = (tried: readonly EmailAttempt[], most: number) =>
		inDatabase((database) => openOutbox(database, {}).turn(tried, most));
	const tx = createTx((statement) => inDatabase((database) => database.all(statement)));
	return {
		close,
		...tx,
		inDatabase,
		async join(...emails: string[]) {
			const joinedAt = new Date().toISOString();
			const joining = emails.map((email) => ({ ...registrationOf(email), joinedAt }));
			await inDatabase((database) =>
				database.transact(joinBatch, { registrations: joining, asks: true, now: Date.now() }),
			);
		},
		take: async () => (await turn([], 100)).emails,
		async send(
			tried: Omit<EmailAttempt, "id"> = { state: "accepted", code: "250", version: "v1" },
		) {
			const { emails } = await turn([], 100);
			await turn(
				emails.map(({ id }) => ({ id, ...tried })),
				0,
			);
			return addressesOf(emails);
		},
		tell: (...tried: Omit<EmailAttempt, "version">[]) =>
			turn(
				tried.map((email) => ({ ...email, version: "v1" })),
				0,
			),
		unsubscribe: (key: string, now = new Date()) =>
			inDatabase(async (database) => {
				const { WAITLIST_SECRET: secret, WAITLIST_SUPPRESSION_FILE: suppressionFile } = env;
				const places = locateSecrets({ secret, suppressionFile }, settings);
				const list = await openSuppressionList(database, places);
				return unsubscribePeople(database, list, [key], { way: "button", now });
			}),
		confirm: (key: string, confirmed = new Date()) =>
			inDatabase((database) =>
				changeRows(
					database,
					"people",
					{ confirmed, confirmedBy: "button", unsubscribed: false },
					{ key },
				),
			),
		async emails() {
			const emails = await inDatabase((database) => readEmails(database));
			return emails.map(({ to, state, held }) => `${to} ${state}${held ? " held" : ""}`);
		},
		async left() {
			const people = await inDatabase((database) => readPeople(database));
			return people.filter(({ unsubscribed }) => unsubscribed).map(({ key }) => key);
		},
	};
}

export function addressesOf(emails: readonly ClaimedEmail[]): string[] {
	return emails.map(({ email }) => email).sort();
}
