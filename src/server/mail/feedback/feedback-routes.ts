import { Hono } from "hono";
import { type FeedbackProvider, feedbackPath } from "#shared/letters.ts";
import { type Arrival, type Call, callOf } from "../../http/call.ts";
import { bodyRefusals, JSON_TYPE, mediaType, readText } from "../../http/fields.ts";
import type { Admit } from "../../http/limits.ts";
import {
	jsonReply,
	notAllowed,
	type Reply,
	refusal,
	responseOf,
	tryLater,
} from "../../http/responses.ts";
import { type Log, onceInTenMinutes } from "../../log.ts";
import type { FeedbackSettings } from "../../settings/feedback.ts";
import type { FeedbackCall, ReadFeedback } from "./feedback.ts";
import type { RecordFeedback } from "./feedback-queue.ts";
import { verifyMailgun } from "./mailgun.ts";
import { verifyPostmark } from "./postmark.ts";
import { createReplayGuard } from "./replay-guard.ts";
import { verifyResend } from "./resend.ts";
import { verifySes } from "./ses.ts";
import { openCertificates } from "./sns-certificates.ts";

export interface FeedbackRoutesSettings {
	feedback: FeedbackSettings;
	record: RecordFeedback;
	/** Limits the calls that no provider vouches for. */
	admit: Admit;
	log: Log;
}

interface Provider {
	name: FeedbackProvider;
	read: ReadFeedback;
	/** The media types of its calls. */
	types: readonly string[];
}

/** Feedback has a few kB, but for the bodies of emails, which providers leave out unless asked. */
const MOST_BYTES = 64 * 1024;

/** Calls of a provider at a time: more have to come again, so that their bodies cannot fill the memory. */
const MOST_CALLS = 1000;

const RETRY_AFTER_SECONDS = 20;

/** The same whoever it is about, known or not. */
const ACCEPTED = jsonReply(200, { status: "accepted" });

const refusals = bodyRefusals("the feedback");

/**
 * `POST /api/feedback/…`, one for each provider in the settings. What no provider vouches for is refused,
 * counts as an attempt of whoever sends it, and is logged without any address. A genuine call is never
 * limited, and its answer says nothing about anybody.
 */
export function createFeedbackRoutes(
	settings: FeedbackRoutesSettings,
): Hono<{ Bindings: Arrival }> | undefined {
	const providers = providersIn(settings);
	if (providers.length === 0) return undefined;
	const routes = new Hono<{ Bindings: Arrival }>();
	for (const provider of providers) {
		const path = feedbackPath(provider.name);
		const answer = createAnswer(provider, settings);
		routes.post(path, async (c) => responseOf(await answer(callOf(c.req.raw, c.env))));
		routes.all(path, () => notAllowed("POST"));
	}
	return routes;
}

function providersIn({ feedback, admit }: FeedbackRoutesSettings): Provider[] {
	const { ses, postmark, resend, mailgun } = feedback;
	const types = [JSON_TYPE];
	const providers: Provider[] = [];
	if (ses) {
		const read = verifySes(ses, openCertificates(ses, admit));
		// SNS sends JSON as text, unless its delivery policy says otherwise.
		providers.push({ name: "ses", read, types: ["text/plain", JSON_TYPE] });
	}
	if (postmark) providers.push({ name: "postmark", read: verifyPostmark(postmark), types });
	if (resend) providers.push({ name: "resend", read: verifyResend(resend), types });
	if (mailgun) providers.push({ name: "mailgun", read: verifyMailgun(mailgun), types });
	return providers;
}

/** Answers the calls of one provider. */
function createAnswer(
	{ name, read, types }: Provider,
	{ record, admit, log }: FeedbackRoutesSettings,
): (call: Call) => Promise<Reply> {
	const guard = createReplayGuard();
	const mayLog = onceInTenMinutes();
	let calls = 0;

	/** Logs why a call was not accepted. */
	function logReason(why: string): void {
		if (!mayLog(why)) return;
		log("error", "feedback refused", {
			provider: name,
			reason: why,
			message: `A call of ${feedbackPath(name)} was refused: ${why}.`,
		});
	}

	function refuse(call: Call, why: string, reply: Reply): Reply {
		logReason(why);
		const limited = admit(call);
		if (!limited) return reply;
		return tryLater(429, "Too many calls that were refused.", limited.retryAfter);
	}

	async function accept({
		callId,
		notice,
		feedback,
	}: FeedbackCall & { outcome: "accepted" }): Promise<Reply> {
		const known = callId ? guard.begin(callId, Date.now()) : "new";
		if (known === "under way") return tryAgain();
		if (known === "accepted") {
			logReason("it came before, and changes nothing");
			return ACCEPTED;
		}
		let outcome: Awaited<ReturnType<RecordFeedback>> = "busy";
		try {
			outcome = await record(feedback);
		} finally {
			if (callId) guard.end(callId, outcome === "done");
		}
		if (outcome === "busy") return tryAgain();
		if (notice !== undefined) log("error", "feedback notice", { provider: name, message: notice });
		return ACCEPTED;
	}

	async function answer(call: Call): Promise<Reply> {
		if (!types.includes(mediaType(call))) {
			return refuse(call, "it is no JSON", refusal(415, refusals["no JSON"].error));
		}
		const body = await readText(call, refusals, MOST_BYTES);
		if ("status" in body) {
			return refuse(call, `its body is refused (${body.status})`, refusal(body.status, body.error));
		}
		const found = await read(call, body.text, Date.now());
		switch (found.outcome) {
			case "accepted":
				return accept(found);
			case "later":
				logReason(found.why);
				return tryAgain();
			case "refused":
				return refuse(call, found.why, refusal(403, "This feedback cannot be accepted."));
		}
	}

	return async (call) => {
		if (calls >= MOST_CALLS) return tryAgain();
		calls += 1;
		try {
			return await answer(call);
		} catch (error) {
			log("error", "request failed", { id: call.requestId, error });
			return tryAgain();
		} finally {
			calls -= 1;
		}
	};
}

const tryAgain = () => tryLater(503, "Please send this feedback again later.", RETRY_AFTER_SECONDS);
