import { canonicalEmail } from "#shared/email.ts";
import type { SharedDatabase } from "../database/database.ts";
import { bearerCheck, bodyRefusals, type Call, readObject } from "../http/call.ts";
import type { Admit } from "../http/limits.ts";
import { jsonReply, refusal, retryAfter, tryLater } from "../http/responses.ts";
import { type Log, onceInTenMinutes } from "../log.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import type { Codes } from "./code.ts";
import { createGuesses } from "./guesses.ts";
import { createRedeem, type NotRedeemed, type Redeemed } from "./redeem.ts";

const refusals = bodyRefusals("a code and an email");

const RETRY_AFTER_SECONDS = 5;

const SENTENCES = {
	unknown: "This code does not belong to this address.",
	used: "This invitation was used before.",
	expired: "This invitation has expired.",
	cancelled: "This invitation was taken back.",
	limited: "Too many wrong codes. Please try again later.",
};

/**
 * Answers `POST /api/invitations/redeem`. An unknown address, one that was not invited, and a wrong code get
 * the same reply in the same time. No code, address or API key is logged.
 *
 * @param admit limits calls without an API key of ours
 */
export function createRedeemCall(
	apiKeys: readonly string[],
	{
		database,
		codes,
		admit,
		log,
	}: { database: SharedDatabase; codes: Codes; admit: Admit; log: Log },
): (call: Call) => Promise<Response> {
	const redeem = createRedeem(codes, database);
	const isOurs = bearerCheck(apiKeys);
	const guesses = createGuesses();
	const mayLog = onceInTenMinutes();

	function refuseKey(call: Call): Response {
		const limited = admit(call);
		if (limited) return tryLater(429, "Too many wrong keys from your address.", limited.retryAfter);
		return refusal(401, "Please send a key of this waitlist as Authorization: Bearer.", {
			"www-authenticate": 'Bearer realm="waitlist"',
		});
	}

	function countGuess(emailKey: string, id: string | undefined): NotRedeemed {
		const retryAfterSeconds = guesses.count(emailKey);
		if (retryAfterSeconds === 0) {
			log("info", "wrong code", { id });
			return { status: "unknown" };
		}
		if (mayLog("too many wrong codes")) log("error", "too many wrong codes", { id });
		return { status: "limited", retryAfterSeconds };
	}

	return async (call) => {
		if (!isOurs(call.header("authorization"))) return refuseKey(call);
		const field = await readObject(call, refusals);
		if (typeof field !== "function") return refusal(field.status, field.error);
		const [code, email] = [field("code"), field("email")];
		if (typeof code !== "string" || typeof email !== "string") {
			return refusal(400, refusals["no object"].error);
		}
		const address = canonicalEmail(email, asciiDomain);
		const emailKey = "key" in address ? address.key : "";
		try {
			const found = await redeem(code, emailKey);
			return replyOf(found.status === "unknown" ? countGuess(emailKey, call.requestId) : found);
		} catch (error) {
			log("error", "request failed", { id: call.requestId, error });
			return tryLater(
				503,
				"This cannot be redeemed right now. Please try again in a few seconds.",
				RETRY_AFTER_SECONDS,
			);
		}
	};
}

function replyOf(result: Redeemed | NotRedeemed): Response {
	const refuse = (status: number, error: string, headers?: Record<string, string>) =>
		jsonReply(status, { ...result, error }, headers);
	switch (result.status) {
		case "redeemed":
			return jsonReply(200, result);
		case "unknown":
			return refuse(404, SENTENCES.unknown);
		case "used":
			return refuse(409, SENTENCES.used);
		case "gone":
			return refuse(410, SENTENCES[result.reason]);
		case "limited":
			return refuse(429, SENTENCES.limited, retryAfter(result.retryAfterSeconds));
	}
}
