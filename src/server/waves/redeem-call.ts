import { Hono } from "hono";
import { canonicalizeEmail } from "#shared/email.ts";
import { INVITATION_PATH, REDEEM_PATH } from "#shared/invitation.ts";
import type { SharedDatabase } from "../database/database.ts";
import {
	createBodyErrors,
	createCall,
	hasBearerToken,
	type PeerAndRequestId,
	readBodyObject,
} from "../http/call.ts";
import type { RateLimiter } from "../http/limits.ts";
import { errorReply, jsonReply, methodNotAllowed, tryLaterReply } from "../http/responses.ts";
import type { Log } from "../log.ts";
import { type LinkPages, linkPageResponse } from "../mail/links/link-routes.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import type { InvitationCoder } from "./code.ts";
import { redeemCode } from "./redeem.ts";

const refusals = createBodyErrors("a code and an email address");

const REFUSALS = {
	unknown: [404, "This code does not belong to this address."],
	used: [409, "This invitation has already been used."],
	expired: [410, "This invitation has expired."],
	canceled: [410, "This invitation was canceled."],
} as const;

/**
 * Wrong codes and unknown people get the same response in the same time. Wrong codes have no limit, because 80 bits
 * cannot be guessed.
 */
export function createInvitationRoutes({
	apiKeys,
	database,
	coder,
	pages,
	admit,
	log,
}: {
	apiKeys: readonly string[];
	database: SharedDatabase;
	coder: InvitationCoder;
	pages: LinkPages | undefined;
	admit: RateLimiter;
	log: Log;
}): Hono<{ Bindings: PeerAndRequestId }> {
	const routes = new Hono<{ Bindings: PeerAndRequestId }>();
	if (pages) {
		routes.get(INVITATION_PATH, () => linkPageResponse(pages(200, "invitation")));
		routes.all(INVITATION_PATH, () => methodNotAllowed("GET, HEAD"));
	}
	if (apiKeys.length === 0) return routes;

	routes.onError((error, c) => {
		log("error", "request failed", { id: c.env?.requestId, error });
		const sentence = "We couldn't redeem this code just now. Please try again in a few seconds.";
		return tryLaterReply(503, sentence, 5);
	});
	routes.post(REDEEM_PATH, async (c) => {
		const call = createCall(c.req.raw, c.env);
		if (!hasBearerToken(call, apiKeys)) {
			const seconds = admit(call);
			if (seconds > 0) {
				return tryLaterReply(429, "Too many wrong API keys from your IP address.", seconds);
			}
			return errorReply(401, "Missing or wrong API key: send Authorization: Bearer <key>.", {
				"www-authenticate": 'Bearer realm="waitlist"',
			});
		}
		const field = await readBodyObject(call, refusals);
		if (typeof field !== "function") return errorReply(field.status, field.error);
		const [code, email] = [field("code"), field("email")];
		if (typeof code !== "string" || typeof email !== "string") {
			return errorReply(400, refusals["no object"].error);
		}
		const address = canonicalizeEmail(email, asciiDomain);
		const result = await redeemCode(database, coder, code, "key" in address ? address.key : "");
		if (result.status === "redeemed") return jsonReply(200, result);
		const [status, error] = REFUSALS[result.status === "gone" ? result.reason : result.status];
		return jsonReply(status, { ...result, error });
	});
	routes.all(REDEEM_PATH, () => methodNotAllowed("POST"));
	return routes;
}
