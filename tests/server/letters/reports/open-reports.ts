import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { JOIN_PATH, SOURCE } from "#shared/join.ts";
import { type ReportProvider, reportPath } from "#shared/letters.ts";
import {
	type MailServerOptions,
	readLetter,
	startMailServer,
} from "../../../../bench/harness/mail-server.ts";
import type { PostgresDatabases } from "../../../../bench/harness/postgres-cluster.ts";
import { compose } from "../../../../src/server/compose.ts";
import { openDatabase } from "../../../../src/server/database/open-database.ts";
import { SHOWN_CODE } from "../../../../src/server/letters/letter.ts";
import { readSettings } from "../../../../src/server/settings.ts";
import { ERASURE_KEY } from "../../operator/desk.ts";
import { type DatabaseKind, placeOf } from "../../waitlist/databases.ts";
import { type Posted, secrets } from "./providers.ts";

const soon = { interval: 20 };

/** The server without a port, which writes to people and takes reports of what became of that. */
export async function openReports(
	kind: DatabaseKind,
	cluster: PostgresDatabases,
	{ env = secrets, mail = {} }: { env?: Record<string, string>; mail?: MailServerOptions } = {},
) {
	const place = await placeOf(kind, cluster);
	const mailServer = await startMailServer(mail);
	const settings = readSettings(
		{
			DATABASE_URL:
				place.settings.kind === "sqlite" ? `file:${place.settings.file}` : place.settings.url,
			SMTP_URL: mailServer.url,
			WAITLIST_MAIL_RATE: "0",
			WAITLIST_MAIL_FROM: "hello@orbit.example",
			SITE_ORIGIN: "https://orbit.example",
			WAITLIST_ERASURE_KEY: ERASURE_KEY,
			WAITLIST_ERASURES: join(place.folder, "erasures"),
			...env,
		},
		"/",
		"",
	);
	const log = vi.fn();
	const { fetch, waitlist, letters } = await compose(settings, {
		outcomePages: { registered: "", duplicate: "", refused: "", headers: {} },
		letterPages: (status, name) => ({ status, headers: {}, body: name }),
		log,
	});
	const database = await openDatabase(place.settings, { create: false });
	onTestFinished(async () => {
		await database.close();
		await letters!.close(0);
		await waitlist.close();
		await mailServer.stop();
	});
	const ask = async (path: string, request?: RequestInit, peer = "198.51.100.1") =>
		fetch(new Request(`http://localhost${path}`, request), { peer });
	const read = <Row extends object>(sql: string, ...parameters: string[]) =>
		database.query<Row>(sql, parameters);
	return {
		ask,
		read,
		log,
		database,
		mailServer,
		/** A provider's call. Gives the answer's status and body as one text. */
		async post(provider: ReportProvider, { headers, body }: Posted, peer?: string) {
			const response = await ask(reportPath(provider), { method: "POST", headers, body }, peer);
			return `${response.status} ${await response.text()}`;
		},
		/** People join, and get their letters. Gives the ids of these, by address. */
		async written(...emails: string[]) {
			for (const email of emails) {
				const body = JSON.stringify({ email, source: SOURCE });
				const headers = { "content-type": "application/json" };
				const { status } = await ask(JOIN_PATH, { method: "POST", headers, body });
				expect(status).toBe(201);
			}
			const accepted = "SELECT email_key AS key, id FROM letter WHERE state = 'accepted'";
			const letters = () => read<{ key: string; id: string }>(accepted);
			await expect.poll(async () => (await letters()).length, soon).toBe(emails.length);
			const ids = new Map((await letters()).map(({ key, id }) => [key, id]));
			return emails.map((email) => ids.get(email)!);
		},
		/** What is known of a person: `bounced`, `left`, and how the latest letter stands. */
		async known(email: string) {
			const [row] = await read<Record<string, string>>(
				`SELECT CASE WHEN bounced_at = '' THEN '' ELSE 'bounced ' END ||
					CASE WHEN left_at = '' THEN '' ELSE 'left ' END || state || ' ' || ${SHOWN_CODE} AS known
				FROM letter JOIN recipient ON recipient.email_key = letter.email_key
				WHERE letter.email_key = $1`,
				email,
			);
			return row!.known;
		},
		/** Headers of a person's letter, as the mail server got them. */
		async headers(email: string) {
			const letter = mailServer.kept.find(({ to }) => to === email)!;
			const { headers } = await readLetter(letter);
			return new Map(headers.map(({ key, value }) => [key, value]));
		},
		/** Why reports were refused, as the log says. */
		refused: () =>
			log.mock.calls
				.filter(([, event]) => event === "report refused")
				.map(([, , { reason }]) => reason as string),
	};
}

/** Answers in the place of SNS, and counts what it was asked for. */
export function serveCertificates(answer: (url: string) => Response | Promise<Response>) {
	const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => answer(`${url}`));
	onTestFinished(() => fetched.mockRestore());
	return fetched;
}

export const HEARD = '200 {"status":"heard"}';
