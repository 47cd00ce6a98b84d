import { canonicalEmail } from "#shared/email.ts";
import type { SharedDatabase } from "../database/database.ts";
import type { Call } from "../http/call.ts";
import { bodyRefusals, readObject } from "../http/fields.ts";
import type { Admit } from "../http/limits.ts";
import { jsonReply, type Reply, refusal, retryAfter, tryLater } from "../http/responses.ts";
import { bearerCheck } from "../http/same.ts";
import { type Log, onceInTenMinutes } from "../log.ts";
import { openKey } from "../registrations/suppression/suppression-list.ts";
import { placesOf } from "../secret.ts";
import type { Settings } from "../settings.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { type Codes, createCodes } from "./code.ts";
import { createGuesses, type Guesses } from "./guesses.ts";
import { createRedeem, type NotRedeemed, type Redeemed, type RedeemResult } from "./redeem.ts";

/** What redeeming takes. */
export interface RedeemSettings {
	apiKeys: readonly string[];
	/** Redeems a code for a canonical address. */
	redeem(code: string, emailKey: string): Promise<RedeemResult>;
	guesses: Guesses;
	/** Limits the calls that no API key of ours vouches for. */
	admit: Admit;
	log: Log;
}

const refusals = bodyRefusals("a code and an email");

/** How long the database may take to be back. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Replies to `POST /api/invitations/redeem`, whatever happens. An address that is not on the list, one
 * that was not invited, and a wrong code get the same reply in the same time. Neither codes nor
 * addresses nor API keys are in the log.
 */
function createRedeemCall(settings: RedeemSettings): (call: Call) => Promise<Reply> {
	const { apiKeys, redeem, guesses, admit, log } = settings;
	const isOurs = bearerCheck(apiKeys);
	const mayLog = onceInTenMinutes();

	function wrongApiKey(call: Call): Reply {
		const limited = admit(call);
		if (limited) return tryLater(429, "Too many wrong keys from your address.", limited.retryAfter);
		return refusal(401, "Please send a key of this waitlist as Authorization: Bearer.", {
			"www-authenticate": 'Bearer realm="waitlist"',
		});
	}

	/** Counts a wrong code, which makes another answer of it where there were too many. */
	function guessed(emailKey: string, id: string | undefined): NotRedeemed {
		const retryAfterSeconds = guesses.count(emailKey);
		if (retryAfterSeconds === 0) {
			log("info", "wrong code", { id });
			return { status: "unknown" };
		}
		if (mayLog("too many wrong codes")) log("error", "too many wrong codes", { id });
		return { status: "limited", retryAfterSeconds };
	}

	return async (call) => {
		if (!isOurs(call.header("authorization"))) return wrongApiKey(call);
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
			const answer = found.status === "unknown" ? guessed(emailKey, call.requestId) : found;
			return replyOf(answer);
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

const sentences = {
	unknown: "This code does not belong to this address.",
	used: "This invitation was used before.",
	expired: "This invitation has expired.",
	cancelled: "This invitation was taken back.",
	limited: "Too many wrong codes. Please try again later.",
};

function replyOf(answer: Redeemed | NotRedeemed): Reply {
	switch (answer.status) {
		case "redeemed":
			return jsonReply(200, answer);
		case "unknown":
			return jsonReply(404, { ...answer, error: sentences.unknown });
		case "used":
			return jsonReply(409, { ...answer, error: sentences.used });
		case "gone":
			return jsonReply(410, { ...answer, error: sentences[answer.reason] });
		case "limited":
			return jsonReply(
				429,
				{ ...answer, error: sentences.limited },
				retryAfter(answer.retryAfterSeconds),
			);
	}
}

/**
 * Puts the parts together that redeem invitations, whoever sends them.
 *
 * @param codes those of the sender, where emails are sent from here
 * @throws Error with a sentence for the operator when the key of codes is missing
 */
export async function openRedeem(
	settings: Settings,
	{
		database,
		codes,
		...call
	}: Pick<RedeemSettings, "admit" | "log"> & {
		database: SharedDatabase;
		codes: Codes | undefined;
	},
) {
	const places = placesOf(settings, settings.database);
	return createRedeemCall({
		apiKeys: settings.apiKeys,
		redeem: createRedeem(codes ?? createCodes((await openKey(database, places)).secret), database),
		guesses: createGuesses(),
		...call,
	});
}
