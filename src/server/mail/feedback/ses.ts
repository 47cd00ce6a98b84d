import type { Topic } from "../../settings/feedback.ts";
import { at, listAt, parseJson, textAt } from "./json.ts";
import {
	complaint,
	hardBounce,
	letterIn,
	type ReadReports,
	type Report,
	refused,
} from "./report.ts";
import type { Certificates } from "./sns-certificates.ts";
import { readSns } from "./sns-message.ts";

/**
 * Reads what SES reports by a topic of SNS, as a notification of an identity or as an event of a
 * configuration set: https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html. SES gives
 * each letter a Message-ID of its own, and names ours where it includes the original headers: always in
 * events, and by a setting in notifications.
 */
export function readSes(topic: Topic, certificates: Certificates): ReadReports {
	return async (call, text, now) => {
		const read = await readSns(topic, certificates, { call, text, now });
		if (!("type" in read)) return read;
		const { type, message, url, once, sentAt } = read;
		switch (type) {
			case "Notification":
				return { outcome: "heard", reports: reportsOf(parseJson(message), sentAt), once };
			case "SubscriptionConfirmation":
				// Never fetches the address: strangers could choose what our server asks for.
				if (!isOf(topic, url)) return refused("its address to confirm is not of SNS");
				return {
					outcome: "heard",
					reports: [],
					once,
					notice: `Open this address once, so that SNS sends reports of SES here: ${url}`,
				};
			case "UnsubscribeConfirmation":
				return {
					outcome: "heard",
					reports: [],
					once,
					notice: "SNS sends no more reports of SES: subscribe this server to the topic again.",
				};
		}
	};
}

/** Whether an address is of the service that has the topic. */
function isOf({ host }: Topic, url: string): boolean {
	return URL.canParse(url) && new URL(url).origin === `https://${host}`;
}

function reportsOf(event: unknown, sentAt: number): Report[] {
	const letter = letterIn(messageIdIn(at(event, "mail")));
	switch (textAt(event, "notificationType") || textAt(event, "eventType")) {
		case "Bounce": {
			const bounce = at(event, "bounce");
			if (textAt(bounce, "bounceType") !== "Permanent") return [];
			const time = timeOf(bounce, sentAt);
			return listAt(bounce, "bouncedRecipients").flatMap((recipient) => {
				const about = { letter, email: textAt(recipient, "emailAddress"), at: time };
				const said = [textAt(recipient, "status"), textAt(recipient, "diagnosticCode")];
				return hardBounce(about, ...said) ?? [];
			});
		}
		case "Complaint": {
			const said = at(event, "complaint");
			if (!isComplaint(textAt(said, "complaintFeedbackType"))) return [];
			const time = timeOf(said, sentAt);
			return listAt(said, "complainedRecipients").map((recipient) =>
				complaint({ letter, email: textAt(recipient, "emailAddress"), at: time }),
			);
		}
		default:
			return [];
	}
}

function timeOf(report: unknown, sentAt: number): number {
	return Date.parse(textAt(report, "timestamp")) || sentAt;
}

/** The Message-ID that we gave the letter. */
function messageIdIn(mail: unknown): string {
	const header = listAt(mail, "headers").find(
		(header) => textAt(header, "name").toLowerCase() === "message-id",
	);
	return textAt(header, "value") || textAt(mail, "commonHeaders", "messageId");
}

/** Reports of which nobody says that they do not want the letter. */
const NO_COMPLAINT = new Set(["not-spam", "auth-failure", "virus"]);

/**
 * Whether feedback of a type (RFC 5965, 7.3) is a complaint.
 *
 * @param type "" where whoever reports does not say
 */
function isComplaint(type: string): boolean {
	return !NO_COMPLAINT.has(type.trim().toLowerCase());
}
