import { onTestFinished, vi } from "vitest";
import {
	type MailServer,
	type MailServerOptions,
	startMailServer,
} from "../../../bench/harness/mail-server.ts";
import { openOutbox } from "../../../src/server/mail/outbox.ts";
import { startSender } from "../../../src/server/mail/sender.ts";
import { createSmtpClient } from "../../../src/server/mail/smtp/smtp.ts";
import { readSettings } from "../../../src/server/settings.ts";
import { changeRows, given, readEmails } from "../../given/given.ts";
import { type DatabaseKind, openDatabaseWithClock } from "../registrations/databases.ts";
import { MAIL_SETTINGS } from "../waves/wave-setup.ts";

export const MINUTE_MS = 60_000;

export async function openSender(
	kind: DatabaseKind,
	options: MailServerOptions,
	joined: string[] = [],
) {
	const { clock, now, server, join } = await openDatabaseWithClock(kind);
	if (joined.length > 0) await join(joined);
	const mailServer = await startMailServer(options);
	const { mail } = readSettings({ ...MAIL_SETTINGS, SMTP_URL: mailServer.url }, "/", "");
	const smtp = await createSmtpClient(mail!, { connectMs: 30_000, tryMs: 30_000 });
	const log = vi.fn();
	const letter = {
		...{ unsubscribeUrl: "https://orbit.example/unsubscribe/x", automatic: true },
		...{ subject: "Hello", text: "Hello", html: "<p>Hello" },
	};
	const outbox = openOutbox(server, { now });
	const sender = startSender({
		outbox,
		async deliver({ id, email }) {
			return { ...(await smtp.send({ id, to: email, ...letter })), version: "v1" };
		},
		cut: smtp.close,
		connections: 5,
		log,
		lookMs: 20,
		now,
		random: () => 0.5,
	});
	onTestFinished(async () => {
		await sender.close(0);
		smtp.close();
		await server.close();
		await mailServer.stop();
	});
	const find = async (where = {}) =>
		(await readEmails(server, where)).map(({ state, code, attempts }) => {
			return { state, code, attempts };
		});
	const emails = () => find();
	const states = async () => (await emails()).map(({ state }) => state);
	return {
		clock,
		log,
		mailServer,
		outbox,
		emails,
		states,
		emailOf: async (email: string) => (await find({ to: email }))[0]!,
		join: (...emails: string[]) => join(emails),
		write(to: string) {
			const now = new Date(clock.ms);
			const email = { kind: "news", wave: "news-1", queued: now, nextAttempt: now };
			return given.email(server, { to, ...email });
		},
		countOne: () => changeRows(server, "emails", { attempts: 1 }, { state: "waiting" }),
		waitUntil: (ms: number) => given.outbox(server, { pausedUntil: new Date(ms).toISOString() }),
		logged: () => log.mock.calls.map(([, event, details]) => [event, details?.code]),
	};
}

export const recipientsOf = (server: MailServer) => server.kept.map(({ to }) => to);
export const frequentPolling = { interval: 20 };
