import { sql } from "../../database/sql.ts";
import type { Person } from "../../registrations/registrations.ts";
import type { WaveState } from "../wave/waves.ts";
import type { Reason } from "./email.ts";

/** The emails that visitors request: by joining, and by the forms that send a link. */
const REQUESTED_KINDS = ["confirm", "unsubscribe"] as const;

export type RequestedKind = (typeof REQUESTED_KINDS)[number];

export const isRequested = (kind: string): kind is RequestedKind =>
	REQUESTED_KINDS.some((one) => one === kind);

/** What decides which emails a person gets. */
export type Standing = Pick<Person, "flag" | "confirmedAt" | "unsubscribedAt" | "bouncedAt">;

/** For SELECT: the columns of a {@link Standing}. */
export const STANDING = sql`flag, confirmed_at AS "confirmedAt", unsubscribed_at AS "unsubscribedAt",
	bounced_at AS "bouncedAt"`;

/** What decides about an email. */
interface Wanted {
	kind: string;
	redeemedAt?: string;
	/** Null where there is no wave. */
	waveState?: WaveState | null;
	/** Whether another wave invited the person. */
	isInvited?: boolean;
}

/**
 * Why a person does not get an email; "" where they do. Everything that adds, sends, releases or resends
 * emails asks this. Whether a wave is for people who have not confirmed is the founder's choice, when it
 * is added.
 */
export function whyNot(person: Standing, email: Wanted): Reason | "" {
	if (email.waveState === "cancelled") return "cancelled";
	if (email.redeemedAt) return "redeemed";
	if (person.unsubscribedAt !== "") return "left";
	if (person.bouncedAt !== "") return "bounced";
	if (email.kind === "confirm" && person.confirmedAt !== "") return "confirmed";
	// A flag keeps nobody from unsubscribing.
	if (person.flag !== "" && email.kind !== "unsubscribe") return "flagged";
	return email.kind === "invitation" && email.isInvited ? "invited" : "";
}
