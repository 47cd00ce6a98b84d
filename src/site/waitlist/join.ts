import {
	FAILED_MESSAGE,
	REGISTER_PATH,
	type RegistrationRequest,
	SOURCE,
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
 */
export async function join(email: string): Promise<Outcome> {
	const request: RegistrationRequest = { email, source: SOURCE };
	try {
		const response = await fetch(REGISTER_PATH, {
			method: "POST",
			headers: { "content-type": "application/json", accept: "application/json" },
			body: JSON.stringify(request),
			// A captive portal sends everybody to its own page, which would look like a success.
			redirect: "error",
			signal: AbortSignal.timeout(timeoutMs),
		});
		if (response.ok) return { status: "registered" };
		if (response.status === 409) return { status: "duplicate" };
		return { status: "refused", error: errorIn(await response.text()) ?? FAILED_MESSAGE };
	} catch {
		return { status: "refused", error: FAILED_MESSAGE };
	}
}

/** The error text of an answer, if it is JSON and has one worth showing. */
function errorIn(body: string): string | undefined {
	try {
		const answer: unknown = JSON.parse(body);
		if (typeof answer !== "object" || answer === null || !("error" in answer)) return undefined;
		return typeof answer.error === "string" && answer.error.trim() ? answer.error : undefined;
	} catch {
		return undefined;
	}
}
