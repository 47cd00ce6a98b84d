import { verify } from "node:crypto";
import type { Call } from "../../http/call.ts";
import type { Topic } from "../../settings/feedback.ts";
import { type CallId, type FeedbackCall, refused } from "./feedback.ts";
import { parseJson, textAt } from "./json.ts";
import type { Certificates } from "./sns-certificates.ts";

/** A message of SNS that is genuine, and for our topic. */
export interface SnsMessage {
	type: keyof typeof SIGNED;
	message: string;
	/** Where a subscription is confirmed; "" in notifications. */
	url: string;
	/** In ms since 1970. */
	sentAt: number;
	callId: CallId;
}

/** The fields that are signed, in their order. Those that are absent are left out. */
const SIGNED = {
	Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
	SubscriptionConfirmation: [
		...["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
	],
	UnsubscribeConfirmation: [
		...["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
	],
};

/**
 * Algorithms by the version of a signature. A topic signs by version 1 unless it is set otherwise.
 */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
	["1", "RSA-SHA1"],
	["2", "RSA-SHA256"],
]);

/** SNS tries again for an hour at most, with the time and signature of the first try. */
const WINDOW_MS = 65 * 60_000;

/**
 * Reads what SNS posts:
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html. Everybody can have a
 * topic whose messages are signed alike, so the topic has to be ours. All that costs nothing is asked
 * before a certificate is fetched.
 */
export async function readSns(
	topic: Topic,
	certificates: Certificates,
	{ call, text, now }: { call: Call; text: string; now: number },
): Promise<SnsMessage | FeedbackCall> {
	const body = parseJson(text);
	const field = (name: string) => textAt(body, name);
	const type = field("Type");
	if (!isType(type)) return refused("it is no message of SNS: turn raw message delivery off");
	if (field("TopicArn") !== topic.arn) return refused("it is of another topic");
	const algorithm = ALGORITHMS.get(field("SignatureVersion"));
	if (!algorithm) return refused("its signature has an unknown version");
	const sentAt = Date.parse(field("Timestamp"));
	if (!(Math.abs(now - sentAt) <= WINDOW_MS)) {
		return refused("it was signed more than an hour ago: check the clock");
	}
	const key = await certificates.keyAt(field("SigningCertURL"), call);
	if (!("type" in key)) return key;
	const signed = SIGNED[type].flatMap((name) =>
		field(name) === "" && name === "Subject" ? [] : [`${name}\n${field(name)}\n`],
	);
	const signature = Buffer.from(field("Signature"), "base64");
	if (!verify(algorithm, Buffer.from(signed.join("")), key, signature)) {
		return refused("its signature is wrong");
	}
	const callId = { id: field("MessageId"), until: sentAt + WINDOW_MS };
	return { type, message: field("Message"), url: field("SubscribeURL"), sentAt, callId };
}

function isType(type: string): type is keyof typeof SIGNED {
	return Object.hasOwn(SIGNED, type);
}
