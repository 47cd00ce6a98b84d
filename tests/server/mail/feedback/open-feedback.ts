import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { DEFAULT_SOURCE, JOIN_PATH } from "#shared/join.ts";
import { type FeedbackProvider, feedbackPath } from "#shared/links.ts";
import {
	type MailServerOptions,
	parseEmail,
	startMailServer,
} from "../../../../bench/harness/mail-server.ts";
import { composeServer } from "../../../../src/server/compose.ts";
import { openDatabase } from "../../../../src/server/database/open-database.ts";
import { readSettings } from "../../../../src/server/settings.ts";
import { readEmails, readPeople } from "../../../given/given.ts";
import { TEST_SECRET } from "../../commands/command-setup.ts";
import { createTestDatabase, type DatabaseKind } from "../../registrations/databases.ts";
import { mailSettingsFor } from "../../waves/mail-setup.ts";
import { type FeedbackCall, feedbackSettings, providerSecrets } from "./providers.ts";

const soon = { interval: 20 };

/** Opens the app with email and feedback, without listening on a port. */
export async function openFeedbackApp(
	kind: DatabaseKind,
	{
		env = feedbackSettings(providerSecrets),
		mail = {},
	}: { env?: Record<string, string>; mail?: MailServerOptions } = {},
) {
	const place = await createTestDatabase(kind);
	const mailServer = await startMailServer(mail);
	const settings = readSettings(
		{
			...place.env,
			...mailSettingsFor(mailServer),
			WAITLIST_SECRET: TEST_SECRET,
			WAITLIST_SUPPRESSION_FILE: join(place.folder, "erasures"),
			...env,
		},
		place.folder,
		"",
	);
	const log = vi.fn();
	const { fetch, close } = await composeServer(settings, {
		outcomePages: { registered: "", duplicate: "", refused: "", headers: {} },
		linkPages: (status, name) => ({ status, headers: {}, body: name }),
		log,
	});
	const database = await openDatabase(place.settings, { create: false });
	onTestFinished(async () => {
		await database.close();
		await close(0);
		await mailServer.stop();
	});
	const ask = async (path: string, request?: RequestInit, peer = "198.51.100.1") =>
		fetch(new Request(`http://localhost${path}`, request), { peer });
	return {
		ask,
		log,
		database,
		mailServer,
		async post(provider: FeedbackProvider, { headers, body }: FeedbackCall, peer?: string) {
			const response = await ask(feedbackPath(provider), { method: "POST", headers, body }, peer);
			return `${response.status} ${await response.text()}`;
		},
		async written(...emails: string[]) {
			for (const [n, email] of emails.entries()) {
				const body = JSON.stringify({ email, source: DEFAULT_SOURCE });
				const headers = { "content-type": "application/json" };
				// Many joins from one network would be flagged.
				const { status } = await ask(JOIN_PATH, { method: "POST", headers, body }, `198.${n}.2.1`);
				expect(status).toBe(201);
			}
			const accepted = () => readEmails(database, { state: "accepted" });
			await expect.poll(async () => (await accepted()).length, soon).toBe(emails.length);
			const ids = new Map((await accepted()).map(({ to, id }) => [to, id]));
			return emails.map((email) => ids.get(email)!);
		},
		/** Describes a person and their email in a few words, such as `bounced left accepted`. */
		async known(key: string) {
			const [person] = await readPeople(database, { key });
			const [{ state, reason, code } = {} as never] = await readEmails(database, { to: key });
			const is = [person!.bounced && "bounced", person!.unsubscribed && "left"];
			return [...is, state, (reason === "bounced" && code) || reason || code]
				.filter(Boolean)
				.join(" ");
		},
		async headers(email: string) {
			const letter = mailServer.kept.find(({ to }) => to === email)!;
			const { headers } = await parseEmail(letter);
			return new Map(headers.map(({ key, value }) => [key, value]));
		},
		refused: () =>
			log.mock.calls
				.filter(([, event]) => event === "feedback refused")
				.map(([, , { reason }]) => reason as string),
	};
}

/** Replaces `fetch`, so that SNS's certificate comes from `answer`. */
export function replaceFetch(answer: (url: string) => Response | Promise<Response>) {
	const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => answer(`${url}`));
	onTestFinished(() => fetched.mockRestore());
	return fetched;
}

export const ACCEPTED_RESPONSE = '200 {"status":"accepted"}';
