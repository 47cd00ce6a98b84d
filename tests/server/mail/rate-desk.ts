import { onTestFinished } from "vitest";
import type { EmailAttempt } from "../../../src/server/mail/emails/email.ts";
import { recordFeedback } from "../../../src/server/mail/feedback/record-feedback.ts";
import { openOutbox } from "../../../src/server/mail/outbox.ts";
import type { Rate } from "../../../src/server/settings/rates.ts";
import { change, given } from "../../given/given.ts";
import { type DatabaseKind, openServer, placeOf } from "../registrations/databases.ts";
import { registrationOf } from "../registrations/waitlist-contract.ts";

export const DAY = 86_400_000;

/** Addresses at a domain each, so that each counts for itself. */
export const people = (count: number, name: string) =>
	Array.from({ length: count }, (_, n) => `${name}-${n}@${name}-${n}.example`);

/** What the outbox sent, and when. */
export interface Sent {
	id: string;
	kind: string;
	key: string;
	ms: number;
}

interface RateOptions {
	rate: Rate | undefined;
	ramp?: readonly number[];
	/** Copies of the server, which take turns. */
	copies?: number;
	/** Addresses that the mail server says do not exist. */
	isDead?: (key: string) => boolean;
}

/** An outbox, at a time that the test sets. */
export async function openRate(
	kind: DatabaseKind,
	cluster: Parameters<typeof placeOf>[1],
	{ copies = 1, isDead = () => false, ...mail }: RateOptions,
) {
	const { settings } = await placeOf(kind, cluster);
	const clock = { ms: Date.parse("2026-11-22T10:00:00.000Z") };
	const now = () => clock.ms;
	const server = await openServer(settings, () => {}, { asks: true, now });
	onTestFinished(() => server.close());
	const open = () => Array.from({ length: copies }, () => openOutbox(server, { ...mail, now }));
	let outboxes = open();
	const sent: Sent[] = [];
	const endOf = ({ id, key }: Sent): EmailAttempt =>
		isDead(key)
			? { id, state: "refused", code: "550 5.1.1", version: "v1", bounced: true }
			: { id, state: "accepted", code: "250", version: "v1" };
	return {
		clock,
		server,
		sent,
		join(emails: string[]) {
			const joinedAt = new Date(clock.ms).toISOString();
			return server.add(emails.map((email) => ({ ...registrationOf(email), joinedAt })));
		},
		/** Adds wave emails to people who have confirmed, or who are called unconfirmed. */
		async wave(emails: string[], { queue = "confirmed" } = {}) {
			await given.people(
				server,
				emails.map((email) => ({ email, confirmed: true })),
			);
			const now = new Date(clock.ms);
			const email = { kind: "news", wave: "w", queued: now, nextAttempt: now, queue };
			await given.emails(
				server,
				emails.map((to) => ({ ...email, to })),
			);
		},
		/** Sends what may be sent now, and reads the time before each turn. */
		async send(most = 5) {
			for (const outbox of outboxes) {
				for (;;) {
					const { letters } = await outbox.turn([], most);
					const taken = letters.map(({ id, kind, key }) => ({ id, kind, key, ms: clock.ms }));
					sent.push(...taken);
					if (taken.length === 0) break;
					await outbox.turn(taken.map(endOf), 0);
				}
			}
		},
		/** Starts the copies again with another rate. */
		setRate(rate: Rate) {
			mail.rate = rate;
			outboxes = open();
		},
		/** A provider reports of emails that it took. */
		report: (reported: readonly Sent[], what: "bounce" | "complaint") =>
			server.transact(recordFeedback, {
				feedback: reported.map(({ id }) => ({
					...{ kind: what, emailId: id, address: "", status: "5.1.1" },
					at: clock.ms,
				})),
				now: new Date(clock.ms),
			}),
		/** As a complaint makes its person leave. */
		leave: (key: string) => change(server, "people", { unsubscribed: new Date(clock.ms) }, { key }),
	};
}
