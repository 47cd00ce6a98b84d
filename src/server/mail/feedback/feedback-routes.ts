import { Hono } from "hono";
import { type FeedbackProvider, feedbackPath } from "#shared/links.ts";
import {
	type Call,
	createBodyErrors,
	createCall,
	JSON_TYPE,
	mediaType,
	type PeerAndRequestId,
	readBodyText,
} from "../../http/call.ts";
import { createQueue } from "../../http/limits.ts";
import { errorReply, jsonReply, methodNotAllowed, tryLaterReply } from "../../http/responses.ts";
import { createLogThrottle } from "../../log.ts";
import type { FeedbackSettings } from "../../settings/feedback.ts";
import type { LinkRoutesSettings } from "../links/link-routes.ts";
import { unsubscribePeople } from "../links/unsubscribe.ts";
import { logThrottleChange } from "../rate/throttle.ts";
import { createFeedbackReaders, type Feedback, type FeedbackReader } from "./providers.ts";
import { recordFeedback } from "./record-feedback.ts";

/** Providers send a few kB: by default, they omit the body of the reported email. */
const MOST_BYTES = 64 * 1024;

/** Maximum concurrent calls, whose bodies use up to 32 MB of memory. */
const MOST_CALLS = 500;

const refusals = createBodyErrors("the feedback");

const tryAgain = () => tryLaterReply(503, "Please retry this feedback later.", 20);

/** Only refused calls count against a sender's rate limit. Verified calls may repeat. */
export function createFeedbackRoutes({
	feedback,
	database,
	list,
	admit,
	log,
}: Pick<LinkRoutesSettings, "database" | "list" | "admit" | "log"> & {
	feedback: FeedbackSettings;
}): Hono<{ Bindings: PeerAndRequestId }> {
	const routes = new Hono<{ Bindings: PeerAndRequestId }>();
	const mayLog = createLogThrottle();
	let calls = 0;
	const queued = createQueue(MOST_CALLS);

	async function record(feedback: readonly Feedback[]): Promise<void> {
		const now = new Date();
		const recorded = await database.transact(recordFeedback, { feedback, now });
		for (const change of recorded.speeds) logThrottleChange(log, change);
		for (const code of recorded.refusals) log("error", "receiver refuses us", { code });
		await unsubscribePeople(database, list, recorded.complained, { way: "complaint", now });
	}

	async function answer(provider: FeedbackProvider, read: FeedbackReader, call: Call) {
		const logReason = (reason: string) => {
			const message = `A call to ${feedbackPath(provider)} was refused: ${reason}.`;
			if (mayLog(message)) log("error", "feedback refused", { provider, reason, message });
		};
		const refuse = (reason: string, status: number, error: string) => {
			logReason(reason);
			const seconds = admit(call);
			if (seconds === 0) return errorReply(status, error);
			return tryLaterReply(429, "Too many refused calls.", seconds);
		};
		const type = mediaType(call);
		// By default, SNS sends JSON as text/plain.
		if (type !== JSON_TYPE && !(provider === "ses" && type === "text/plain")) {
			return refuse("it is not JSON", 415, refusals["no JSON"].error);
		}
		const body = await readBodyText(call, refusals, MOST_BYTES);
		if ("status" in body) {
			return refuse(`invalid body (${body.status})`, body.status, body.error);
		}
		const found = await read(call, body.text, Date.now());
		if (found.outcome === "refused") {
			return refuse(found.why, 403, "This feedback cannot be accepted.");
		}
		if (found.outcome === "later") {
			logReason(found.why);
			return tryAgain();
		}
		const { feedback, notice } = found;
		if (feedback.length > 0) await queued(() => record(feedback));
		if (notice) log("error", "feedback notice", { provider, message: notice });
		return jsonReply(200, { status: "accepted" });
	}

	routes.onError((error, c) => {
		log("error", "request failed", { id: c.env?.requestId, error });
		return tryAgain();
	});
	for (const [provider, read] of createFeedbackReaders(feedback, admit)) {
		if (!read) continue;
		const path = feedbackPath(provider);
		routes.post(path, async (c) => {
			if (calls >= MOST_CALLS) return tryAgain();
			calls += 1;
			return answer(provider, read, createCall(c.req.raw, c.env)).finally(() => (calls -= 1));
		});
		routes.all(path, () => methodNotAllowed("POST"));
	}
	return routes;
}
