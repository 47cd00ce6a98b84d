import {
	DEFAULT_SOURCE,
	HONEYPOT_FIELD,
	JOIN_PATH,
	type JoinRequest,
	REF_FIELD,
	readReferringSite,
} from "#shared/join.ts";
import { words } from "#words";

export type JoinResult =
	/** `confirm` is a sentence about the confirmation email, or empty. */
	| { status: "registered"; confirm: string }
	| { status: "duplicate" }
	| { status: "refused"; error: string };

/** No response after this time counts as a failure: phones lose connections without an error. */
const timeoutMs = 20_000;

/** Read when the page loads, because in-app navigation changes the URL. */
const ref =
	typeof location === "undefined"
		? undefined
		: readReferringSite(new URLSearchParams(location.search));

/**
 * Never throws: every failure becomes a message for the visitor.
 * @param honeypot the content of the hidden field
 */
export async function join(email: string, honeypot: string): Promise<JoinResult> {
	const request: JoinRequest = {
		email,
		source: DEFAULT_SOURCE,
		[REF_FIELD]: ref,
		[HONEYPOT_FIELD]: honeypot,
	};
	// AbortSignal.timeout would be less code, but iOS 15 lacks it.
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), timeoutMs);
	try {
		const response = await fetch(JOIN_PATH, {
			method: "POST",
			headers: { "content-type": "application/json", accept: "application/json" },
			body: JSON.stringify(request),
			// Rejects the redirect of a captive portal to its own page.
			redirect: "error",
			signal: timeout.signal,
		});
		if (response.status === 409) return { status: "duplicate" };
		const answer = answerIn(await response.text());
		// Other captive portals respond with their page and status 200.
		if (response.ok && answer) {
			const confirm = "confirm" in answer && answer.confirm ? words.messages.confirm : "";
			return { status: "registered", confirm };
		}
		return { status: "refused", error: errorIn(answer) ?? words.messages.failed };
	} catch {
		return { status: "refused", error: words.messages.failed };
	} finally {
		clearTimeout(timer);
	}
}

/** Undefined if the response is not from the API. */
function answerIn(body: string): object | undefined {
	try {
		const answer: unknown = JSON.parse(body);
		return typeof answer === "object" && answer !== null ? answer : undefined;
	} catch {
		return undefined;
	}
}

/** Undefined if the message is missing or blank. */
function errorIn(answer: object | undefined): string | undefined {
	if (!answer || !("error" in answer) || typeof answer.error !== "string") return undefined;
	return answer.error.trim() ? answer.error : undefined;
}
