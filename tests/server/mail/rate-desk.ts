import { onTestFinished } from "vitest";
import type { EmailAttempt } from "../../../src/server/mail/emails/email.ts";
import { recordFeedback } from "../../../src/server/mail/feedback/record-feedback.ts";
import { openOutbox } from "../../../src/server/mail/outbox.ts";
import type { Rate } from "../../../src/server/settings/values.ts";
import { given } from "../../given/given.ts";
import { type DatabaseKind, openClockedServer, placeOf } from "../registrations/databases.ts";

export const DAY = 86_400_000;

/** Addresses at a domain each, so that each counts for itself. */
export const people = (count: number, name: string) =>
	Array.from({ length: count }, (_, n) => `${name}-${n}@${name}-${n}.example`);

export interface Sent {
	id: string;
	kind: string;
	key: string;
	ms: number;
}

interface RateOptions {
	rate: Rate | undefined;
	ramp?: readonly number[];
	copies?: number;
	isDead?: (key: string) => boolean;
}

export async function openRate(
	kind: DatabaseKind,
	{ copies = 1, isDead = () => false, ...mail }: RateOptions,
) {
	const { settings } = await placeOf(kind);
	const { clock, now, server, join } = await openClockedServer(settings);
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
		join,
		async wave(emails: string[], { queue = "confirmed" } = {}) {
			await given.people(server, emails, { confirmed: true });
			const now = new Date(clock.ms);
			const email = { kind: "news", wave: "w", queued: now, nextAttempt: now, queue };
			await given.emails(server, emails, email);
		},
		async send(most = 5) {
			for (const outbox of outboxes) {
				for (;;) {
					const { emails } = await outbox.turn([], most);
					const taken = emails.map(({ id, kind, key }) => ({ id, kind, key, ms: clock.ms }));
					sent.push(...taken);
					if (taken.length === 0) break;
					await outbox.turn(taken.map(endOf), 0);
				}
			}
		},
		setRate(rate: Rate) {
			mail.rate = rate;
			outboxes = open();
		},
		complainAbout: (emails: readonly Sent[]) =>
			server.transact(recordFeedback, {
				feedback: emails.map(({ id }) => ({
					...{ kind: "complaint" as const, emailId: id, address: "", status: "5.1.1" },
					at: clock.ms,
				})),
				now: new Date(clock.ms),
			}),
	};
}
