/**
 * Redeems invitations from the product's own server. Copy this file: it needs Node 20 or newer and
 * nothing else.
 *
 * ```ts
 * const answer = await redeem({
 *   origin: "https://orbit.example",
 *   key: process.env.WAITLIST_API_KEY,
 *   code: form.code,
 *   email: form.email,
 * });
 * if (answer.status === "redeemed") await createAccount(answer.email);
 * ```
 */

/** What to redeem, and where. */
export interface Redemption {
	/** Of the waitlist, by https unless the network between is yours: `https://orbit.example`. */
	origin: string;
	/** One of the keys in the waitlist's WAITLIST_API_KEY. */
	key: string;
	/** As the person typed it: case, spaces and hyphens do not matter. */
	code: string;
	/** The person's address, in any spelling that joins as the same person. */
	email: string;
	/** The longest to wait, 10 s unless named. */
	timeoutMs?: number;
}

/** The person may come in. Times are ISO 8601 in UTC. */
export interface Redeemed {
	status: "redeemed";
	/** As it was typed when they joined: prefer it to what was typed now. */
	email: string;
	joinedAt: string;
	/** The label of the site that they joined at. */
	source: string;
	/** When they confirmed their address; null if they never did. */
	confirmedAt: string | null;
	/** When their letter went out. */
	invitedAt: string;
	redeemedAt: string;
	wave: string;
}

/**
 * The person may not come in.
 *
 * - unknown: no such code, or it is another person's.
 * - used: it was redeemed before. If you asked at that time and lost the answer, it was you.
 * - gone: it has expired, or you took it back.
 * - limited: many wrong codes were tried, and this one is wrong as well. A right code is never limited.
 */
export type NotRedeemed =
	| { status: "unknown" }
	| { status: "used"; redeemedAt: string }
	| { status: "gone"; reason: "expired" | "cancelled" }
	| { status: "limited"; retryAfterSeconds: number };

/** The code of the response that each answer comes with. */
const httpStatus = { redeemed: 200, unknown: 404, used: 409, gone: 410, limited: 429 };

/**
 * Redeems a code, once for all who may ask at the same time.
 *
 * Repeating it is safe: a code is redeemed once, and the second answer is `used`, with the time of the
 * first. So after an error ask again, and then make the account if `redeemedAt` is no earlier than your
 * first request.
 *
 * @throws Error when there is no answer in time, or none of a waitlist that knows the key. Its message
 *   holds neither key nor code nor address.
 */
export async function redeem(redemption: Redemption): Promise<Redeemed | NotRedeemed> {
	const { origin, key, code, email, timeoutMs = 10_000 } = redemption;
	const { status, text } = await post(origin, key, JSON.stringify({ code, email }), timeoutMs);
	if (status === 401) throw new Error(`The waitlist at ${origin} does not know this key.`);
	const answer = parseAnswer(text);
	if (answer && httpStatus[answer.status] === status) return answer;
	throw new Error(`The waitlist at ${origin} gave no answer that this client knows (${status}).`);
}

async function post(origin: string, key: string, body: string, timeoutMs: number) {
	try {
		const response = await fetch(new URL("/api/invitations/redeem", origin), {
			method: "POST",
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
			body,
			// Another site gets neither key nor code.
			redirect: "error",
			signal: AbortSignal.timeout(timeoutMs),
		});
		return { status: response.status, text: await response.text() };
	} catch (error) {
		// The message may hold the key: only the code or the name of the error is told.
		const { cause, name } = error as { name: string; cause?: { code?: string } };
		throw new Error(`The waitlist at ${origin} cannot be reached (${cause?.code ?? name}).`);
	}
}

function parseAnswer(text: string): Redeemed | NotRedeemed | undefined {
	let answer: unknown;
	try {
		answer = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (typeof answer !== "object" || answer === null) return undefined;
	const fields = answer as Record<string, unknown>;
	const textAt = (name: string) => typeof fields[name] === "string";
	const { status, redeemedAt, reason, retryAfterSeconds, confirmedAt } = fields;
	switch (status) {
		case "redeemed": {
			const texts = ["email", "joinedAt", "source", "invitedAt", "redeemedAt", "wave"];
			const whole = texts.every(textAt) && (confirmedAt === null || textAt("confirmedAt"));
			return whole ? (answer as Redeemed) : undefined;
		}
		case "unknown":
			return { status };
		case "used":
			return typeof redeemedAt === "string" ? { status, redeemedAt } : undefined;
		case "gone":
			return reason === "expired" || reason === "cancelled" ? { status, reason } : undefined;
		case "limited":
			return typeof retryAfterSeconds === "number" ? { status, retryAfterSeconds } : undefined;
		default:
			return undefined;
	}
}
