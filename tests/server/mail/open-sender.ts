import { onTestFinished, vi } from "vitest";
import {
	type MailServer,
	type MailServerOptions,
	startMailServer,
} from "../../../bench/harness/mail-server.ts";
import type { Transact } from "../../../src/server/database/transaction.ts";
import { openOutbox } from "../../../src/server/mail/outbox.ts";
import { startSender } from "../../../src/server/mail/sender.ts";
import { createSmtp } from "../../../src/server/mail/smtp/smtp.ts";
import { readSettings } from "../../../src/server/settings.ts";
import { emailsOf, given } from "../../given/given.ts";
import { openServer, type Place } from "../registrations/databases.ts";
import { registrationOf } from "../registrations/waitlist-contract.ts";

export const MINUTE = 60_000;

/** Hears what the database answers to the sender, and may lose it. */
export type FeedbackCall = (results: object) => void;

interface SenderOptions {
	/** Who joined before it starts. */
	joined?: string[];
	tryMs?: number;
}

/** A waitlist whose emails go to a mail server, at a time that the test sets. */
export async function openSender(
	{ settings }: Place,
	options: MailServerOptions,
	heard: FeedbackCall = () => {},
	{ joined = [], tryMs = 30_000 }: SenderOptions = {},
) {
	const clock = { ms: Date.parse("2026-11-22T10:00:00.000Z") };
	const now = () => clock.ms;
	const server = await openServer(settings, () => {}, { asks: true, now });
	const join = (...emails: string[]) => {
		const joinedAt = new Date(clock.ms).toISOString();
		return server.add(emails.map((email) => ({ ...registrationOf(email), joinedAt })));
	};
	if (joined.length > 0) await join(...joined);
	const mailServer = await startMailServer(options);
	const { mail } = readSettings(
		{
			SMTP_URL: mailServer.url,
			WAITLIST_MAIL_FROM: "hello@orbit.example",
			SITE_ORIGIN: "https://orbit.example",
		},
		"/",
		"",
	);
	const smtp = await createSmtp(mail!, { connectMs: 30_000, tryMs });
	const log = vi.fn();
	const letter = {
		unsubscribeUrl: "https://orbit.example/leave/x",
		automatic: true,
		html: "<p>Hello",
	};
	const transact: Transact = async (transaction, input) => {
		const result = await server.transact(transaction, input);
		if (result) heard(result as object);
		return result;
	};
	const outbox = openOutbox({ ...server, transact }, { now });
	const sender = startSender({
		outbox,
		async deliver({ id, email }) {
			const words = { subject: "Hello", text: "Hello", bounces: "hello@orbit.example" };
			return { ...(await smtp.send({ id, to: email, ...letter, ...words })), version: "v1" };
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
	/** Emails as the outbox keeps them. */
	const find = async (where = {}) =>
		(await emailsOf(server, where)).map(({ state, code, attempts }) => ({ state, code, attempts }));
	const letters = () => find();
	const states = async () => (await letters()).map(({ state }) => state);
	return {
		clock,
		log,
		mailServer,
		outbox,
		letters,
		states,
		/** The email of a person. */
		letterOf: async (email: string) => (await find({ to: email }))[0]!,
		join,
		/** Writes to a person on the list by a wave, as to one who has confirmed. */
		write(to: string) {
			const now = new Date(clock.ms);
			const email = { kind: "news", wave: "news-1", queued: now, nextAttempt: now };
			return given.email(server, { to, ...email });
		},
		/** Sends nothing before then. */
		waitUntil: (ms: number) =>
			given.outbox(server, { pausedUntil: new Date(ms), reason: "by the founder" }),
		logged: () => log.mock.calls.map(([, event, details]) => [event, details?.code]),
	};
}

export const received = (server: MailServer) => server.kept.map(({ to }) => to);
export const untilSeen = { interval: 20 };
