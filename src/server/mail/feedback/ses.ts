import type { Topic } from "../../settings/feedback.ts";
import {
	complaint,
	emailIdIn,
	type Feedback,
	hardBounce,
	type ReadFeedback,
	refused,
} from "./feedback.ts";
import { at, listAt, parseJson, textAt } from "./json.ts";
import type { Certificates } from "./sns-certificates.ts";
import { readSns } from "./sns-message.ts";

/**
 * Reads what SES reports by a topic of SNS, as a notification of an identity or as an event of a
 * configuration set: https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html. SES gives
 * each email a Message-ID of its own, and names ours where it includes the original headers: always in
 * events, and by a setting in notifications.
 */
export function verifySes(topic: Topic, certificates: Certificates): ReadFeedback {
	return async (call, text, now) => {
		const read = await readSns(topic, certificates, { call, text, now });
		if (!("type" in read)) return read;
		const { type, message, url, callId, sentAt } = read;
		switch (type) {
			case "Notification":
				return { outcome: "accepted", feedback: readEvent(parseJson(message), sentAt), callId };
			case "SubscriptionConfirmation":
				// Never fetches the address: strangers could choose what our server asks for.
				if (!isOf(topic, url)) return refused("its address to confirm is not of SNS");
				return {
					outcome: "accepted",
					feedback: [],
					callId,
					notice: `Open this address once, so that SNS sends feedback of SES here: ${url}`,
				};
			case "UnsubscribeConfirmation":
				return {
					outcome: "accepted",
					feedback: [],
					callId,
					notice: "SNS sends no more feedback of SES: subscribe this server to the topic again.",
				};
		}
	};
}

/** Whether an address is of the service that has the topic. */
function isOf({ host }: Topic, url: string): boolean {
	return URL.canParse(url) && new URL(url).origin === `https://${host}`;
}

function readEvent(event: unknown, sentAt: number): Feedback[] {
	const emailId = emailIdIn(messageIdIn(at(event, "mail")));
	switch (textAt(event, "notificationType") || textAt(event, "eventType")) {
		case "Bounce": {
			const bounce = at(event, "bounce");
			if (textAt(bounce, "bounceType") !== "Permanent") return [];
			const time = timeOf(bounce, sentAt);
			return listAt(bounce, "bouncedRecipients").flatMap((recipient) => {
				const about = { emailId, address: textAt(recipient, "emailAddress"), at: time };
				const said = [textAt(recipient, "status"), textAt(recipient, "diagnosticCode")];
				return hardBounce(about, ...said) ?? [];
			});
		}
		case "Complaint": {
			const said = at(event, "complaint");
			if (!isComplaint(textAt(said, "complaintFeedbackType"))) return [];
			const time = timeOf(said, sentAt);
			return listAt(said, "complainedRecipients").map((recipient) =>
				complaint({ emailId, address: textAt(recipient, "emailAddress"), at: time }),
			);
		}
		default:
			return [];
	}
}

function timeOf(feedback: unknown, sentAt: number): number {
	return Date.parse(textAt(feedback, "timestamp")) || sentAt;
}

/** The Message-ID that we gave the email. */
function messageIdIn(mail: unknown): string {
	const header = listAt(mail, "headers").find(
		(header) => textAt(header, "name").toLowerCase() === "message-id",
	);
	return textAt(header, "value") || textAt(mail, "commonHeaders", "messageId");
}

/** Reports of which nobody says that they do not want the email. */
const NO_COMPLAINT = new Set(["not-spam", "auth-failure", "virus"]);

/**
 * Whether feedback of a type (RFC 5965, 7.3) is a complaint.
 *
 * @param type "" where the reporter does not say
 */
function isComplaint(type: string): boolean {
	return !NO_COMPLAINT.has(type.trim().toLowerCase());
}
