import type { Call } from "../../http/call.ts";
import { statusIn, subjectOf } from "../smtp/smtp-outcome.ts";

export interface Feedback {
	kind: "bounce" | "complaint" | "refusal";
	emailId: string | undefined;
	/** The recipient as the provider spells it; "" where no signature covers the address. */
	address: string;
	/** Unless it is a complaint: the enhanced status code, as in "5.1.1". */
	status: string;
	/** NaN where the provider does not say. */
	at: number;
}

/** A `notice` says what the founder has to do. `later`: it cannot be verified now. */
export type FeedbackCall =
	| { outcome: "accepted"; feedback: Feedback[]; notice?: string }
	| { outcome: "refused"; why: string }
	| { outcome: "later"; why: string };

export type ReadFeedback = (
	call: Call,
	body: string,
	now: number,
) => FeedbackCall | Promise<FeedbackCall>;

export const accepted = (...feedback: (Feedback | undefined)[]): FeedbackCall => ({
	outcome: "accepted",
	feedback: feedback.filter((one) => one !== undefined),
});

export const refused = (why: string): FeedbackCall => ({ outcome: "refused", why });

export const later = (why: string): FeedbackCall => ({ outcome: "later", why });

/** "Other or undefined" (RFC 3463, 3.1). */
const NO_STATUS = "5.0.0";
const DEAD = "5.1.1";

type About = Pick<Feedback, "emailId" | "address" | "at">;

/** Undefined if the address may exist. The texts may hold the status. */
export function hardBounce(about: About, ...texts: string[]): Feedback | undefined {
	const status = statusIn(...texts) || NO_STATUS;
	const subject = subjectOf(status === NO_STATUS ? DEAD : status, texts.join(" "));
	if (subject === "email") return undefined;
	return { kind: subject === "mailbox" ? "bounce" : "refusal", ...about, status };
}

export const complaint = (about: About): Feedback => ({ kind: "complaint", ...about, status: "" });

export const emailIdIn = (messageId: string): string | undefined =>
	/^\s*<?([\da-f]{32})@/.exec(messageId)?.[1];

function at(value: unknown, ...path: string[]): unknown {
	return path.reduce<unknown>((found, name) => {
		if (typeof found !== "object" || found === null || !Object.hasOwn(found, name))
			return undefined;
		return (found as Record<string, unknown>)[name];
	}, value);
}

export function textAt(value: unknown, ...path: string[]): string {
	const found = at(value, ...path);
	return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

export function listAt(value: unknown, ...path: string[]): readonly unknown[] {
	const found = at(value, ...path);
	return Array.isArray(found) ? found : [];
}
