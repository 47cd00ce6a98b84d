import { Hono } from "hono";
import { canonicalEmail } from "#shared/email.ts";
import { type FeedbackProvider, feedbackPath } from "#shared/letters.ts";
import type { SharedDatabase } from "../../database/database.ts";
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
import { asciiDomain } from "../../text/ascii-domain.ts";
import { isoOf } from "../../time.ts";
import type { Leaving } from "../links/link-routes.ts";
import { logSpeed } from "../rate/throttle.ts";
import type { Feedback, ReadFeedback } from "./feedback.ts";
import { type EmailFeedback, findReported, recordFeedback } from "./record-feedback.ts";
import { verifySes } from "./ses.ts";
import { verifyMailgun, verifyPostmark, verifyResend } from "./shared-secret.ts";

interface FeedbackRoutesSettings {
	feedback: FeedbackSettings;
	database: SharedDatabase;
	leaving: Pick<Leaving, "stop">;
	admit: Admit;
	log: Log;
}

/** Feedback has a few kB, without the bodies of emails, which providers leave out by default. */
const MOST_BYTES = 64 * 1024;

/** Calls at a time, so that their bodies cannot fill the memory. Others have to come again. */
const MOST_CALLS = 500;

const RETRY_AFTER_SECONDS = 20;

const refusals = bodyRefusals("the feedback");

const tryAgain = () => tryLater(503, "Please send this feedback again later.", RETRY_AFTER_SECONDS);

/**
 * `POST /api/feedback/…`, one for each provider in the settings. Calls that cannot be verified count as
 * attempts of their sender. Genuine calls are never limited, and change nothing when repeated.
 */
export function createFeedbackRoutes(
	settings: FeedbackRoutesSettings,
): Hono<{ Bindings: Arrival }> | undefined {
	const { feedback, admit, log } = settings;
	const { ses, postmark, resend, mailgun } = feedback;
	const readers: [FeedbackProvider, ReadFeedback | undefined][] = [
		["ses", ses && verifySes(ses, admit)],
		["postmark", postmark && verifyPostmark(postmark)],
		["resend", resend ? verifyResend(resend) : undefined],
		["mailgun", mailgun ? verifyMailgun(mailgun) : undefined],
	];
	const routes = new Hono<{ Bindings: Arrival }>();
	const mayLog = onceInTenMinutes();
	let calls = 0;
	let last: Promise<unknown> = Promise.resolve();

	/** Records one call after the other: a thousand at once slow the joins beside them no more than one. */
	function recordNext(feedback: readonly Feedback[]): Promise<"done" | "busy"> {
		const recorded = last.then(() => record(settings, feedback));
		last = recorded.catch(() => {});
		return recorded;
	}

	async function answer(
		provider: FeedbackProvider,
		read: ReadFeedback,
		call: Call,
	): Promise<Reply> {
		const logReason = (reason: string) => {
			const message = `A call of ${feedbackPath(provider)} was refused: ${reason}.`;
			if (mayLog(message)) log("error", "feedback refused", { provider, reason, message });
		};
		const refuse = (reason: string, reply: Reply) => {
			logReason(reason);
			const limited = admit(call);
			if (!limited) return reply;
			return tryLater(429, "Too many calls that were refused.", limited.retryAfter);
		};
		const type = mediaType(call);
		// SNS sends JSON as text, unless its delivery policy says otherwise.
		if (type !== JSON_TYPE && !(provider === "ses" && type === "text/plain")) {
			return refuse("it is no JSON", refusal(415, refusals["no JSON"].error));
		}
		const body = await readText(call, refusals, MOST_BYTES);
		if ("status" in body) {
			return refuse(`its body is refused (${body.status})`, refusal(body.status, body.error));
		}
		const found = await read(call, body.text, Date.now());
		if (found.outcome === "refused") {
			return refuse(found.why, refusal(403, "This feedback cannot be accepted."));
		}
		if (found.outcome === "later") {
			logReason(found.why);
			return tryAgain();
		}
		if (found.feedback.length > 0 && (await recordNext(found.feedback)) === "busy") {
			return tryAgain();
		}
		const { notice: message } = found;
		if (message !== undefined) log("error", "feedback notice", { provider, message });
		return jsonReply(200, { status: "accepted" });
	}

	routes.onError((error, c) => {
		log("error", "request failed", { id: c.env?.requestId, error });
		return responseOf(tryAgain());
	});
	for (const [provider, read] of readers) {
		if (!read) continue;
		const path = feedbackPath(provider);
		routes.post(path, async (c) => {
			if (calls >= MOST_CALLS) return responseOf(tryAgain());
			calls += 1;
			const answered = answer(provider, read, callOf(c.req.raw, c.env));
			return responseOf(await answered.finally(() => (calls -= 1)));
		});
		routes.all(path, () => notAllowed("POST"));
	}
	return routes;
}

/** @returns `busy` if it is to come again */
async function record(
	{ database, leaving, log }: FeedbackRoutesSettings,
	feedback: readonly Feedback[],
): Promise<"done" | "busy"> {
	const rows = feedback.map(
		({ emailId = "", address }, n) => [n, emailId, keyOf(address)] as const,
	);
	const found = await findReported(database, rows);
	const now = new Date();
	// A person who has confirmed since gets emails.
	const news = found.filter(({ n, confirmedAt }) => confirmedAt < timeOf(feedback[n]!, now));
	const ours = news.flatMap(({ n, id }): EmailFeedback[] => {
		const { kind, status } = feedback[n]!;
		if (kind === "bounce") return [{ kind, id, code: `later ${status}` }];
		if (kind === "complaint") return [{ kind, id }];
		log("error", "receiver refuses us", { code: status });
		return [];
	});
	if (ours.length === 0) return "done";
	const { speeds } = await database.transact(recordFeedback, { feedback: ours, now });
	for (const change of speeds) logSpeed(log, change);
	for (const { n, key } of news) {
		if (feedback[n]!.kind !== "complaint") continue;
		if ((await leaving.stop(key, "complaint")) === "busy") return "busy";
	}
	return "done";
}

/** The canonical address, or "", which is nobody's. Some providers put a name before it. */
function keyOf(email: string): string {
	const [, address = email] = /<([^<>]*)>\s*$/.exec(email) ?? [];
	const checked = canonicalEmail(address, asciiDomain);
	return "key" in checked ? checked.key : "";
}

/** No later than now, also by a clock that is ahead; now where the provider's time is invalid. */
function timeOf({ at }: Feedback, now: Date): string {
	const time = new Date(at).getTime();
	return isoOf(Math.min(Number.isNaN(time) ? Number.POSITIVE_INFINITY : time, now.getTime()));
}
