/* What each provider posts about an email: its documentation's samples, without what we do not read. */

export interface About {
	email: string;
	/** The email's id, where the provider gives it back. */
	letter?: string;
	/** When it happened; ISO 8601. */
	at?: string;
}

const NOW = () => new Date().toISOString();

/** https://docs.aws.amazon.com/ses/latest/dg/notification-examples.html */
function sesMail({ email, letter, at = NOW() }: About) {
	const own = letter && `<${letter}@orbit.example>`;
	return {
		timestamp: at,
		messageId: "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000",
		...(own && {
			headers: [
				{ name: "To", value: email },
				{ name: "Message-ID", value: own },
			],
			commonHeaders: { to: [email], messageId: own },
		}),
	};
}

interface SesBounce extends About {
	type?: string;
	status?: string;
	/** The name of an event of a configuration set, which has other names than a notification. */
	kind?: "notificationType" | "eventType";
}

const sesBounce = (about: About, type: string, recipient: object) => ({
	bounce: {
		bounceType: type,
		bouncedRecipients: [{ emailAddress: about.email, ...recipient }],
		timestamp: about.at ?? NOW(),
	},
	mail: sesMail(about),
});

export const ses = {
	bounce: ({
		kind = "notificationType",
		status = "5.1.1",
		type = "Permanent",
		...about
	}: SesBounce) => ({
		[kind]: "Bounce",
		...sesBounce(about, type, {
			status,
			diagnosticCode: `smtp; 550 ${status} <${about.email}>... User`,
		}),
	}),
	/** Without a report of the receiver: no status, no action, no code. */
	bareBounce: (about: About) => ({
		notificationType: "Bounce",
		...sesBounce(about, "Permanent", {}),
	}),
	complaint: (about: About, type: string | null = "abuse") => ({
		notificationType: "Complaint",
		complaint: {
			complainedRecipients: [{ emailAddress: about.email }],
			complaintFeedbackType: type,
			timestamp: about.at ?? NOW(),
		},
		mail: sesMail(about),
	}),
	delivery: (about: About) => ({
		notificationType: "Delivery",
		delivery: { timestamp: about.at ?? NOW(), recipients: [about.email] },
		mail: sesMail(about),
	}),
};

/** https://postmarkapp.com/developer/webhooks/bounce-webhook, …/spam-complaint-webhook */
const postmarkBounce = ({ email, letter, at = NOW() }: About, type: string, details: string) => ({
	RecordType: "Bounce",
	Type: type,
	MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
	Metadata: letter ? { Email: letter } : {},
	Details: details,
	Email: email,
	BouncedAt: at.replace("Z", "0259Z"),
});

export const postmark = {
	bounce: (about: About) =>
		postmarkBounce(about, "HardBounce", "smtp;550 5.1.1 The account does not exist."),
	bare: (about: About) => postmarkBounce(about, "BadEmailAddress", ""),
	blocklisted: (about: About) =>
		postmarkBounce(
			about,
			"HardBounce",
			"smtp;550 5.1.3 Client host blocked using zen.spamhaus.org",
		),
	soft: (about: About) => postmarkBounce(about, "SoftBounce", "smtp;452 4.2.2 full"),
	complaint: (about: About) => ({
		...postmarkBounce(about, "SpamComplaint", "Test spam complaint details"),
		RecordType: "SpamComplaint",
	}),
	delivery: ({ email, at = NOW() }: About) => ({
		RecordType: "Delivery",
		Recipient: email,
		DeliveredAt: at,
	}),
};

/** https://resend.com/docs/webhooks/emails/bounced, …/complained */
const resendEvent = (type: string, { email, at = NOW() }: About, more: object = {}) => ({
	type,
	created_at: at,
	data: {
		message_id: "<010201a03a656355-b60157fb-b56c-4bc7-9496-000000@eu-west-1.amazonses.com>",
		to: [email],
		...more,
	},
});

export const resend = {
	bounce: (about: About) =>
		resendEvent("email.bounced", about, {
			bounce: {
				message: "The recipient's email address is on the suppression list.",
				type: "Permanent",
			},
		}),
	soft: (about: About) =>
		resendEvent("email.bounced", about, {
			bounce: { message: "The mailbox is full.", type: "Transient" },
		}),
	complaint: (about: About) => resendEvent("email.complained", about),
	delivery: (about: About) => resendEvent("email.delivered", about),
};

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads */
const mailgunEvent = (event: string, { email, letter, at = NOW() }: About, more: object = {}) => ({
	event,
	timestamp: Date.parse(at) / 1000,
	message: {
		headers: {
			"message-id": letter
				? `${letter}@orbit.example`
				: "20260212180106.5c8f35804ae3fd54@orbit.example",
			to: email,
		},
	},
	recipient: email,
	...more,
});

const mailgunFailure = (about: About, reason: string, code: string, type = "hard") =>
	mailgunEvent("failed", about, {
		reason,
		severity: "permanent",
		"delivery-status": {
			code: 550,
			message: `${code} Requested action not taken: mailbox unavailable`,
			"enhanced-code": code,
			"bounce-type": type,
		},
	});

export const mailgun = {
	bounce: (about: About) => mailgunFailure(about, "bounce", "5.1.1"),
	suppressed: (about: About) =>
		mailgunEvent("failed", about, {
			reason: "suppress-bounce",
			severity: "permanent",
			"delivery-status": { code: 605, message: "" },
		}),
	blocked: (about: About) => mailgunFailure(about, "bounce", "5.7.1"),
	soft: (about: About) =>
		mailgunEvent("failed", about, {
			reason: "generic",
			severity: "temporary",
			"delivery-status": { code: 452, "enhanced-code": "4.2.2", message: "4.2.2 over quota" },
		}),
	complaint: (about: About) => mailgunEvent("complained", about, { "log-level": "warn" }),
	delivery: (about: About) => mailgunEvent("delivered", about),
};
