import { createHash } from "node:crypto";
import { Hono } from "hono";
import { canonicalEmail } from "#shared/email.ts";
import { INVITATION_PATH, REDEEM_PATH } from "#shared/invitation.ts";
import type { SharedDatabase } from "../database/database.ts";
import {
	type Arrival,
	bearerCheck,
	bodyRefusals,
	type Call,
	callOf,
	readObject,
} from "../http/call.ts";
import { type Admit, createMeter } from "../http/limits.ts";
import { jsonReply, notAllowed, refusal, retryAfter, tryLater } from "../http/responses.ts";
import { type Log, onceInTenMinutes } from "../log.ts";
import { type LinkPages, sendPage } from "../mail/links/link-routes.ts";
import type { Rate } from "../settings/values.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import type { Codes } from "./code.ts";
import { type NotRedeemed, type Redeemed, redeem } from "./redeem.ts";

export function createInvitationRoutes({
	pages,
	redeem,
}: {
	pages: LinkPages | undefined;
	redeem: ((call: Call) => Promise<Response>) | undefined;
}): Hono<{ Bindings: Arrival }> {
	const routes = new Hono<{ Bindings: Arrival }>();
	if (pages) {
		routes.get(INVITATION_PATH, () => sendPage(pages(200, "invitation")));
		routes.all(INVITATION_PATH, () => notAllowed("GET, HEAD"));
	}
	if (redeem) {
		routes.post(REDEEM_PATH, (c) => redeem(callOf(c.req.raw, c.env)));
		routes.all(REDEEM_PATH, () => notAllowed("POST"));
	}
	return routes;
}

const refusals = bodyRefusals("a code and an email");

const REFUSALS = {
	unknown: [404, "This code does not belong to this address."],
	used: [409, "This invitation was already used."],
	expired: [410, "This invitation has expired."],
	canceled: [410, "This invitation was canceled."],
	limited: [429, "Too many wrong codes. Please try again later."],
} as const;

interface RedeemParts {
	database: SharedDatabase;
	codes: Codes;
	/** Limits calls without a valid API key. */
	admit: Admit;
	log: Log;
}

/**
 * Handles `POST /api/invitations/redeem`. Unknown addresses, uninvited ones and wrong codes get the same response
 * in the same time. Never logs codes, addresses or API keys.
 */
export function createRedeemCall(
	apiKeys: readonly string[],
	{ database, codes, admit, log }: RedeemParts,
): (call: Call) => Promise<Response> {
	const isOurs = bearerCheck(apiKeys);
	const guesses = createGuesses();
	const mayLog = onceInTenMinutes();

	function refuseKey(call: Call): Response {
		const limited = admit(call);
		if (limited)
			return tryLater(429, "Too many wrong API keys from your IP address.", limited.retryAfter);
		return refusal(401, "Please send an API key as Authorization: Bearer.", {
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
			const found = await redeem(database, codes, code, emailKey);
			return replyOf(found.status === "unknown" ? countGuess(emailKey, call.requestId) : found);
		} catch (error) {
			log("error", "request failed", { id: call.requestId, error });
			const sentence = "This cannot be redeemed right now. Please try again in a few seconds.";
			return tryLater(503, sentence, 5);
		}
	};
}

function replyOf(result: Redeemed | NotRedeemed): Response {
	if (result.status === "redeemed") return jsonReply(200, result);
	const [status, error] = REFUSALS[result.status === "gone" ? result.reason : result.status];
	const headers = result.status === "limited" ? retryAfter(result.retryAfterSeconds) : {};
	return jsonReply(status, { ...result, error }, headers);
}

/** Allows for typos. */
const FOR_ONE: Rate = { count: 10, periodMs: 600_000 };

/** Far above the typos of a launch of thousands. */
const FOR_ALL: Rate = { count: 1000, periodMs: 600_000 };

/** Counts wrong codes in memory. Right ones always work, so nobody can be locked out. */
export function createGuesses(now = () => performance.now()) {
	const one = createMeter(FOR_ONE);
	const all = createMeter(FOR_ALL);
	return {
		/** @returns seconds until the next guess is allowed; 0 if this one was */
		count(key: string): number {
			const nowMs = now();
			const whose = createHash("sha256").update(key).digest("base64");
			const waitMs = Math.max(one.waitMs(whose, nowMs), all.waitMs("", nowMs));
			if (waitMs > 0) return Math.ceil(waitMs / 1000);
			one.count(whose, nowMs);
			all.count("", nowMs);
			return 0;
		},
	};
}
