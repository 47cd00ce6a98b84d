import {
	FAILED_MESSAGE,
	REGISTER_PATH,
	type RegistrationRequest,
	SOURCE,
	TRAP_FIELD,
} from "#shared/waitlist.ts";

/** How an attempt to join ends. */
export type Outcome =
	| { status: "registered" }
	| { status: "duplicate" }
	| { status: "refused"; error: string };

/** A server that has not answered by then will not: phones lose connections without a word. */
const timeoutMs = 20_000;

/**
 * Asks the server to put an address on the waitlist (SPEC section 7).
 * Never throws: whatever goes wrong is a sentence for the visitor (SPEC section 8).
 *
 * @param trap what is in the field that nobody sees
 */
export async function join(email: string, trap: string): Promise<Outcome> {
	const request: RegistrationRequest = { email, source: SOURCE, [TRAP_FIELD]: trap };
	// AbortSignal.timeout would be shorter, but phones that stay at iOS 15 have none.
	const patience = new AbortController();
	const timer = setTimeout(() => patience.abort(), timeoutMs);
	try {
		const response = await fetch(REGISTER_PATH, {
			method: "POST",
			headers: { "content-type": "application/json", accept: "application/json" },
			body: JSON.stringify(request),
			// A captive portal sends everybody to its own page.
			redirect: "error",
			signal: patience.signal,
		});
		if (response.status === 409) return { status: "duplicate" };
		const answer = answerIn(await response.text());
		// Another kind of portal answers with its page itself, and calls that a success.
		if (response.ok && answer) return { status: "registered" };
		return { status: "refused", error: sentenceIn(answer) ?? FAILED_MESSAGE };
	} catch {
		return { status: "refused", error: FAILED_MESSAGE };
	} finally {
		clearTimeout(timer);
	}
}

/** The object in an answer of the API, which is always JSON. */
function answerIn(body: string): object | undefined {
	try {
		const answer: unknown = JSON.parse(body);
		return typeof answer === "object" && answer !== null ? answer : undefined;
	} catch {
		return undefined;
	}
}

/** The error text of an answer, if it has one worth showing. */
function sentenceIn(answer: object | undefined): string | undefined {
	if (!answer || !("error" in answer) || typeof answer.error !== "string") return undefined;
	return answer.error.trim() ? answer.error : undefined;
}
