import {
	FAILED_MESSAGE,
	HONEYPOT_FIELD,
	JOIN_PATH,
	type JoinRequest,
	REF_FIELD,
	refIn,
	SOURCE,
} from "#shared/join.ts";

/** How a join ends. */
export type JoinResult =
	| { status: "registered" }
	| { status: "duplicate" }
	| { status: "refused"; error: string };

/** A server that has not answered by then will not: phones lose connections silently. */
const timeoutMs = 20_000;

/** Read at the start, because a link to another page of the application changes the address. */
const ref =
	typeof location === "undefined" ? undefined : refIn(new URLSearchParams(location.search));

/**
 * Asks the server to put an address on the waitlist (promise 21).
 * Never throws: whatever goes wrong is a sentence for the visitor (promise 19).
 *
 * @param honeypot the text of the field that nobody sees
 */
export async function join(email: string, honeypot: string): Promise<JoinResult> {
	const request: JoinRequest = {
		email,
		source: SOURCE,
		[REF_FIELD]: ref,
		[HONEYPOT_FIELD]: honeypot,
	};
	// AbortSignal.timeout would be shorter, but iOS 15 lacks it.
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), timeoutMs);
	try {
		const response = await fetch(JOIN_PATH, {
			method: "POST",
			headers: { "content-type": "application/json", accept: "application/json" },
			body: JSON.stringify(request),
			// A captive portal redirects to its own page.
			redirect: "error",
			signal: timeout.signal,
		});
		if (response.status === 409) return { status: "duplicate" };
		const answer = answerIn(await response.text());
		// Another kind of portal answers with its page itself, and with status 200.
		if (response.ok && answer) return { status: "registered" };
		return { status: "refused", error: sentenceIn(answer) ?? FAILED_MESSAGE };
	} catch {
		return { status: "refused", error: FAILED_MESSAGE };
	} finally {
		clearTimeout(timer);
	}
}

/** The JSON object in an answer; undefined where somebody else than the API has answered. */
function answerIn(body: string): object | undefined {
	try {
		const answer: unknown = JSON.parse(body);
		return typeof answer === "object" && answer !== null ? answer : undefined;
	} catch {
		return undefined;
	}
}

/** The error text of an answer, where it has one and it is not blank. */
function sentenceIn(answer: object | undefined): string | undefined {
	if (!answer || !("error" in answer) || typeof answer.error !== "string") return undefined;
	return answer.error.trim() ? answer.error : undefined;
}
