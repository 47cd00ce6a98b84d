import { randomBytes } from "node:crypto";
import { mailboxColumnOf } from "../../src/server/registrations/mailbox.ts";

export const PAST_TIME = "2026-01-02T00:00:00.000Z";

const FAR = "2099-01-01T00:00:00.000Z";

type Usual = string | number | ((row: Record<string, unknown>) => string);
export type TableFields = Record<string, readonly [column: string, usual: Usual]>;

const ADA = "ada@example.com";
const randomId = () => randomBytes(16).toString("hex");
const keyOf = ({ key, email = ADA }: Record<string, unknown>) => String(key ?? email).toLowerCase();
const isIn =
	(...states: string[]) =>
	({ state = "waiting" }: { state?: unknown }) =>
		states.includes(String(state));
const isInvitation = ({ wave, kind = wave ? "invitation" : "confirm" }: Record<string, unknown>) =>
	kind === "invitation";
const isUnsent = isIn("waiting");
const isOver = isIn("accepted", "refused", "unknown");

export const tables = {
	people: {
		table: "registration",
		key: ["key"],
		fields: {
			key: ["email_key", keyOf],
			email: ["email", keyOf],
			source: ["source", "landing-page"],
			joined: ["joined_at", "2026-01-01T00:00:00.000Z"],
			terms: ["terms", "2026-01-01"],
			flag: ["flag", ""],
			mailbox: ["mailbox", (row) => mailboxColumnOf(keyOf(row))],
			id: ["id", randomId],
			confirmed: ["confirmed_at", ""],
			confirmedBy: ["confirmed_by", ""],
			page: ["page", ""],
			unsubscribed: ["unsubscribed_at", ""],
			bounced: ["bounced_at", ""],
			bounceReason: ["bounce", ""],
		},
	},
	emails: {
		table: "email",
		key: ["to", "kind", "wave"],
		fields: {
			to: ["email_key", ADA],
			kind: ["kind", (row) => (isInvitation(row) ? "invitation" : "confirm")],
			wave: ["wave", ""],
			id: ["id", (row) => (isUnsent(row) ? "" : randomId())],
			state: ["state", "waiting"],
			held: ["held", 0],
			version: ["version", ""],
			queued: ["asked_at", PAST_TIME],
			asks: ["asks", 1],
			nextAttempt: ["next_at", PAST_TIME],
			attempts: ["attempts", 0],
			leaseUntil: ["lease_until", ""],
			ended: ["ended_at", (row) => (isOver(row) ? PAST_TIME : "")],
			code: ["code", ""],
			expires: ["expires_at", (row) => (isOver(row) && isInvitation(row) ? FAR : "")],
			redeemed: ["redeemed_at", ""],
			queue: ["queue", (row) => (row.wave ? "confirmed" : "requested")],
			reason: ["reason", ""],
		},
	},
	waves: {
		table: "wave",
		key: ["name"],
		fields: {
			name: ["name", "beta-1"],
			kind: ["kind", "invitation"],
			state: ["state", "open"],
			created: ["asked_at", PAST_TIME],
			changed: ["changed_at", PAST_TIME],
			size: ["size", 1],
			starts: ["starts_at", PAST_TIME],
			validDays: ["valid_days", 14],
			subject: ["subject", ""],
			message: ["message", ""],
		},
	},
	notes: { table: "note", key: ["name"], fields: { name: ["name", ""], value: ["value", "null"] } },
	suppressions: {
		table: "suppression",
		key: ["hash"],
		fields: {
			hash: ["hash", ""],
			at: ["at", PAST_TIME],
			reason: ["reason", "on request"],
			fingerprint: ["key", ""],
		},
	},
	visits: { table: "visit_day", key: ["day"], fields: { day: ["day", ""], visits: ["visits", 0] } },
	wordings: {
		table: "wording",
		key: ["version"],
		fields: {
			version: ["version", ""],
			kind: ["kind", "form"],
			said: ["said", ""],
			leadsTo: ["leads_to", ""],
			kept: ["kept_at", ""],
		},
	},
	events: {
		table: "event",
		key: ["seq"],
		fields: {
			seq: ["seq", 0],
			id: ["id", ""],
			kind: ["kind", "joined"],
			who: ["who", ""],
			email: ["email", ""],
			at: ["at", PAST_TIME],
			state: ["state", "waiting"],
			nextAttempt: ["next_at", PAST_TIME],
			attempts: ["attempts", 0],
			code: ["code", ""],
		},
	},
	audit: {
		table: "audit",
		key: ["at", "id"],
		fields: {
			at: ["at", PAST_TIME],
			id: ["id", ""],
			session: ["session", ""],
			action: ["action", ""],
			details: ["details", ""],
		},
	},
} as const satisfies Record<string, { table: string; key: readonly string[]; fields: TableFields }>;
