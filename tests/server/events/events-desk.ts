import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, vi } from "vitest";
import type { PostgresDatabases } from "../../../bench/harness/postgres-cluster.ts";
import type { SharedDatabase } from "../../../src/server/database/database.ts";
import { dialects } from "../../../src/server/database/dialect.ts";
import { countEvents } from "../../../src/server/events/event.ts";
import { openEvents } from "../../../src/server/events/open-events.ts";
import { newSecret } from "../../../src/server/events/sign.ts";
import type { WebhookBody } from "../../../src/server/settings/telling.ts";
import { joinAndTell } from "../../../src/server/waitlist/telling.ts";
import { rowsOf, type Where } from "../../given/rows.ts";
import { type DatabaseKind, openServer, placeOf } from "../waitlist/databases.ts";
import { registrationOf } from "../waitlist/waitlist-contract.ts";
import { type Answer, type Received, startReceiver } from "./receiver.ts";

/** What stands in a message, once the official library has verified it. */
export interface Message {
	type: string;
	timestamp: string;
	data: { id: string; email?: string };
}

/** Reads a message as the documentation says: the text of its body, and its headers as a plain object. */
export function verify(secret: string, { body, headers }: Received): Message {
	return new Webhook(secret).verify(body, headers as Record<string, string>) as Message;
}

export const ERASURE_SECRET = "0123456789abcdef0123456789abcdef";

/** A waitlist whose joins another system is told of, as time passes by a clock of the test. */
export async function openEventsDesk(
	kind: DatabaseKind,
	cluster: PostgresDatabases,
	{
		answer,
		body = "thin",
	}: {
		answer?: (message: Received, n: number) => Answer | Promise<Answer>;
		body?: WebhookBody;
	} = {},
) {
	const { settings } = await placeOf(kind, cluster);
	const dialect = dialects[settings.kind];
	const server = await openServer(settings, () => {}, joinAndTell(dialect));
	onTestFinished(() => server.waitlist.close());
	let mostRows = 0;
	/** Notes how many rows a statement gave: of several, `given` has an array each. */
	const noteRows = (given: unknown) => {
		if (!Array.isArray(given)) return;
		if (given.every(Array.isArray)) given.forEach(noteRows);
		else mostRows = Math.max(mostRows, given.length);
	};
	let looks = 0;
	/** The database as the sender has it. */
	const database: SharedDatabase = {
		...server,
		async query(sql, parameters) {
			looks += 1;
			const rows = await server.query(sql, parameters);
			noteRows(rows);
			return rows as never[];
		},
		async run(statements) {
			const results = await server.run(statements);
			Object.values(results).forEach(noteRows);
			return results;
		},
	};
	const receiver = await startReceiver(answer);
	const secret = newSecret();
	const log = vi.fn();
	vi.useFakeTimers({ toFake: ["Date"] });
	onTestFinished(() => void vi.useRealTimers());
	return {
		server,
		settings,
		log,
		secret,
		received: receiver.received,
		/** The most rows that the sender had of one statement. */
		mostRows: () => mostRows,
		/** What the receiver was told, verified. */
		messages: () => receiver.received.map((message) => verify(secret, message)),
		async start(url = receiver.url) {
			const webhook = { url, secrets: [secret.slice("whsec_".length)], body };
			const sender = await openEvents({
				database,
				webhook,
				secret: ERASURE_SECRET,
				log,
				lookMs: 5,
			});
			onTestFinished(() => sender.close());
			return sender;
		},
		join: (...emails: string[]) =>
			server.add(
				emails.map((email) => ({
					...registrationOf(email),
					createdAt: new Date().toISOString(),
				})),
			),
		/** Lets time pass, which no timer of a connection notices. */
		pass: (ms: number) => vi.setSystemTime(Date.now() + ms),
		/** Waits until the sender has looked for events that are due, and found none. */
		async idle() {
			const from = looks;
			await expect.poll(() => looks, { interval: 5 }).toBeGreaterThan(from + 4);
		},
		/** Counts events that are kept, or those that the sender has made and that meet a condition. */
		async count(where?: Where<"events">) {
			if (where) return (await rowsOf(server, "events", where)).length;
			const { waiting, failed } = await countEvents(server.query);
			return waiting + failed;
		},
	};
}
