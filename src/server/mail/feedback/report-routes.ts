import { Hono } from "hono";
import { type ReportProvider, reportPath } from "#shared/letters.ts";
import { type Arrival, type Call, callOf } from "../../http/call.ts";
import { type BodyRefusals, JSON_TYPE, mediaType, readText } from "../../http/fields.ts";
import type { Admit } from "../../http/limits.ts";
import { jsonReply, notAllowed, type Reply, refusal, responseOf } from "../../http/responses.ts";
import type { Log } from "../../log.ts";
import type { FeedbackSettings } from "../../settings/feedback.ts";
import { readMailgun } from "./mailgun.ts";
import type { Note } from "./noting.ts";
import { heedOnce } from "./once.ts";
import { readPostmark } from "./postmark.ts";
import type { Heard, ReadReports } from "./report.ts";
import { readResend } from "./resend.ts";
import { readSes } from "./ses.ts";
import { openCertificates } from "./sns-certificates.ts";

/** What taking reports needs. */
export interface ReportRoutesSettings {
	feedback: FeedbackSettings;
	note: Note;
	/** Limits the calls that no provider vouches for. */
	admit: Admit;
	log: Log;
}

/** A provider whose reports are taken. */
interface Provider {
	name: ReportProvider;
	read: ReadReports;
	/** The media types of its calls. */
	types: readonly string[];
}

/** A report has a few kB, but for the bodies of letters, which providers leave out unless asked. */
const REPORT_MAX_BYTES = 64 * 1024;

/**
 * Calls of a provider under way: more have to come again, so that their bodies cannot fill the memory.
 * One address has half as many connections at most.
 */
const MOST_CALLS = 1000;

/** When to try again. */
const RETRY_AFTER_SECONDS = 20;

/** How often the log may say the same. */
const SAID_EVERY_MS = 600_000;

/** The same whoever it is about, known or not, and whatever is new in it. */
const HEARD = jsonReply(200, { status: "heard" });

const refusals: BodyRefusals = {
	"no JSON": { status: 415, error: "Please send JSON." },
	encoded: { status: 415, error: "Please send JSON without a content encoding." },
	"too large": { status: 413, error: "This is more than a report needs." },
	"not UTF-8": { status: 400, error: "Please send UTF-8." },
	"cut off": { status: 400, error: "The request ended too early." },
	"no object": { status: 400, error: "Please send a JSON object." },
};

/**
 * The calls by which providers report what became of letters: `POST /api/letters/reports/…`, one for
 * each provider that the settings name. What no provider vouches for is refused, counts as an attempt
 * of whoever sends it, and stands in the log without any address. A genuine call is never limited, and
 * its answer says nothing about anybody.
 */
export function createReportRoutes(
	settings: ReportRoutesSettings,
): Hono<{ Bindings: Arrival }> | undefined {
	const providers = providersIn(settings);
	if (providers.length === 0) return undefined;
	const routes = new Hono<{ Bindings: Arrival }>();
	for (const provider of providers) {
		const take = takeReports(provider, settings);
		routes.post(reportPath(provider.name), async (c) =>
			responseOf(await take(callOf(c.req.raw, c.env))),
		);
		routes.all(reportPath(provider.name), () => notAllowed("POST"));
	}
	return routes;
}

function providersIn({ feedback, admit }: ReportRoutesSettings): Provider[] {
	const { ses, postmark, resend, mailgun } = feedback;
	const types = [JSON_TYPE];
	const providers: Provider[] = [];
	if (ses) {
		const read = readSes(ses, openCertificates(ses, admit));
		// SNS sends JSON as text, unless its delivery policy says otherwise.
		providers.push({ name: "ses", read, types: ["text/plain", JSON_TYPE] });
	}
	if (postmark) providers.push({ name: "postmark", read: readPostmark(postmark), types });
	if (resend) providers.push({ name: "resend", read: readResend(resend), types });
	if (mailgun) providers.push({ name: "mailgun", read: readMailgun(mailgun), types });
	return providers;
}

/** Takes the calls of one provider. */
function takeReports(
	{ name, read, types }: Provider,
	{ note, admit, log }: ReportRoutesSettings,
): (call: Call) => Promise<Reply> {
	const heeded = heedOnce();
	const saidAt = new Map<string, number>();
	let underWay = 0;

	/** Says why a call was not taken, and not again for a while. */
	function say(why: string): void {
		const now = performance.now();
		if (now - (saidAt.get(why) ?? Number.NEGATIVE_INFINITY) < SAID_EVERY_MS) return;
		saidAt.set(why, now);
		log("error", "report refused", {
			provider: name,
			reason: why,
			message: `A report for ${reportPath(name)} was refused: ${why}.`,
		});
	}

	function refuse(call: Call, why: string, reply: Reply): Reply {
		say(why);
		const limited = admit(call);
		if (!limited) return reply;
		const more = { "retry-after": `${limited.retryAfter}` };
		return refusal(429, "Too many calls that were refused.", more);
	}

	async function hear({ once, notice, reports }: Heard & { outcome: "heard" }): Promise<Reply> {
		const known = once ? heeded.begin(once, Date.now()) : "new";
		if (known === "under way") return tryAgain();
		if (known === "heard") {
			say("it was heard before, and changes nothing");
			return HEARD;
		}
		let outcome: Awaited<ReturnType<Note>> = "busy";
		try {
			outcome = await note(reports);
		} finally {
			if (once) heeded.end(once, outcome === "done");
		}
		if (outcome === "busy") return tryAgain();
		if (notice !== undefined) log("error", "report notice", { provider: name, message: notice });
		return HEARD;
	}

	async function take(call: Call): Promise<Reply> {
		if (!types.includes(mediaType(call))) {
			return refuse(call, "it is no JSON", refusal(415, refusals["no JSON"].error));
		}
		const body = await readText(call, refusals, REPORT_MAX_BYTES);
		if ("status" in body) {
			return refuse(call, `its body is refused (${body.status})`, refusal(body.status, body.error));
		}
		const heard = await read(call, body.text, Date.now());
		switch (heard.outcome) {
			case "heard":
				return hear(heard);
			case "later":
				say(heard.why);
				return tryAgain();
			case "refused":
				return refuse(call, heard.why, refusal(403, "This report cannot be taken."));
		}
	}

	return async (call) => {
		if (underWay >= MOST_CALLS) return tryAgain();
		underWay += 1;
		try {
			return await take(call);
		} catch (error) {
			log("error", "request failed", { id: call.requestId, error });
			return tryAgain();
		} finally {
			underWay -= 1;
		}
	};
}

function tryAgain(): Reply {
	return refusal(503, "Please send this report again later.", {
		"retry-after": `${RETRY_AFTER_SECONDS}`,
	});
}
