import { describe, expect, it } from "vitest";
import { feedbackPath, feedbackProviders } from "#shared/links.ts";
import { changeRows, given, readAllTables } from "../../../given/given.ts";
import { kind } from "../../../given/kind.ts";
import { readRows } from "../../../given/rows.ts";
import { ACCEPTED_RESPONSE, openFeedbackApp, replaceFetch } from "./open-feedback.ts";
import {
	type FeedbackCall,
	type FeedbackFacts,
	feedbackSettings,
	mailgunCall,
	mailgunSamples,
	openFakeSns,
	postmarkCall,
	postmarkSamples,
	providerSecrets,
	resendCall,
	resendSamples,
	sesSamples,
} from "./providers.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";

type Sample = (about: FeedbackFacts) => object | string;
type Call = (about: FeedbackFacts) => FeedbackCall;

const calling = (call: (said: object) => FeedbackCall, ...samples: Sample[]): Call[] =>
	samples.map((sample) => (about) => call(sample(about) as object));

async function openProviders() {
	const sns = await openFakeSns();
	replaceFetch(() => new Response(sns.certificate));
	const ses =
		(sample: Sample, options?: Parameters<typeof sns.post>[1]): Call =>
		(about) =>
			sns.post(sample(about), options);
	const { bareBounce, bounce, complaint, delivery } = sesSamples;
	const [postmark, resend, mailgun] = [postmarkSamples, resendSamples, mailgunSamples];
	const harmless = [
		{ type: "Transient", status: "4.2.2" },
		{ status: "5.7.1" },
		{ status: "5.2.2" },
	];
	return {
		ses: {
			gone: [
				...[ses(bounce), ses(bareBounce)],
				ses((about) => bounce({ ...about, kind: "eventType" }), { version: "1" }),
			],
			complaint: [
				ses(complaint, { more: { Subject: "Feedback" } }),
				ses((about) => complaint(about, null)),
			],
			nothing: [
				...harmless.map((more) => ses((about) => bounce({ ...about, ...more }))),
				...[ses((about) => complaint(about, "not-spam")), ses(delivery)],
				ses(() => "Successfully validated SNS topic for Amazon SES event publishing."),
			],
		},
		postmark: {
			gone: calling(postmarkCall, postmark.bounce, postmark.bare),
			complaint: calling(postmarkCall, postmark.complaint),
			nothing: calling(postmarkCall, postmark.soft, postmark.blocklisted, postmark.delivery),
		},
		resend: {
			gone: calling(resendCall, resend.bounce),
			complaint: calling(resendCall, resend.complaint),
			nothing: calling(resendCall, resend.soft, resend.delivery),
		},
		mailgun: {
			gone: calling(mailgunCall, mailgun.bounce, mailgun.suppressed),
			complaint: calling(mailgunCall, mailgun.complaint),
			nothing: calling(mailgunCall, mailgun.soft, mailgun.blocked, mailgun.delivery),
		},
	};
}

describe(`feedback on ${kind}`, () => {
	it.each(feedbackProviders)("of %s counts unless it is temporary", async (provider) => {
		const { gone, complaint, nothing } = (await openProviders())[provider];
		const { post, written, known, database } = await openFeedbackApp(kind);
		const emails = [...gone, ...complaint, ...nothing].map(
			(_, n) => `person-${n}@site-${n}.example`,
		);
		const ids = await written(...emails);
		const people = emails.values();
		/** Signatures of SES and Resend cover the address, so no email id is needed. */
		const about = (email: string, spelled = email): FeedbackFacts => {
			const isSigned = provider === "ses" || provider === "resend";
			return { email: spelled, ...(!isSigned && { emailId: ids[emails.indexOf(email)]! }) };
		};
		for (const call of gone) {
			const email = people.next().value!;
			expect(await post(provider, call(about(email, email.toUpperCase())))).toBe(ACCEPTED_RESPONSE);
			expect(await known(email)).toMatch(/^bounced refused later 5\.\d\.\d$/);
		}
		for (const call of complaint) {
			const email = people.next().value!;
			expect(await post(provider, call(about(email, `Ada <${email}>`)))).toBe(ACCEPTED_RESPONSE);
			expect(await known(email)).toBe("left accepted complaint");
		}
		const proofs = await readRows(database, "suppressions", {
			reason: "unsubscribed by complaint",
		});
		expect(proofs).toHaveLength(complaint.length);
		for (const call of nothing) {
			const email = people.next().value!;
			expect(await post(provider, call(about(email)))).toBe(ACCEPTED_RESPONSE);
			expect(await known(email)).toBe("accepted 250");
		}
	});

	it("concerns the email that the provider names, whatever the address", async () => {
		const providers = await openProviders();
		const { headers, post, written, known } = await openFeedbackApp(kind);
		const emails = ["a@a.example", "b@b.example", "c@c.example", "d@d.example"];
		const ids = await written(...emails);
		// Postmark returns this header in feedback, other providers the Message-ID.
		expect((await headers(emails[1]!)).get("x-pm-metadata-email")).toBe(ids[1]);
		expect((await headers(emails[1]!)).get("message-id")).toBe(`<${ids[1]}@orbit.example>`);
		const email = "forwarded@elsewhere.example";
		for (const [n, provider] of (["ses", "postmark", "mailgun"] as const).entries()) {
			const [call] = providers[provider].gone;
			expect(await post(provider, call!({ email, emailId: ids[n]! }))).toBe(ACCEPTED_RESPONSE);
			expect(await known(emails[n]!)).toMatch(/^bounced /);
		}
		expect(await known(emails[3]!)).toBe("accepted 250");
	});

	it.each(["postmark", "mailgun"] as const)(
		"forged from a stolen call of %s affects only the person of its email",
		async (provider) => {
			const { complaint, gone } = (await openProviders())[provider];
			const { post, written, known } = await openFeedbackApp(kind);
			const [, bobs] = await written(ADA, BOB);
			for (const call of [...complaint, ...gone]) {
				for (const emailId of [undefined, "0".repeat(32), "\0"]) {
					const about = { email: ADA, ...(emailId !== undefined && { emailId }) };
					expect(await post(provider, call(about))).toBe(ACCEPTED_RESPONSE);
					expect(await known(ADA)).toBe("accepted 250");
				}
			}
			expect(await post(provider, complaint[0]!({ email: ADA, emailId: bobs! }))).toBe(
				ACCEPTED_RESPONSE,
			);
			expect(await known(ADA)).toBe("accepted 250");
			expect(await known(BOB)).toBe("left accepted complaint");
		},
	);

	it("changes nothing for people without emails, and gets the same response", async () => {
		const providers = await openProviders();
		const { post, written, known, database } = await openFeedbackApp(kind);
		await written(ADA);
		await given.person(database, { email: "new@example.com" });
		const tables = async () => {
			const { people, emails, suppressions } = await readAllTables(database);
			return { people, emails, suppressions };
		};
		const before = await tables();
		for (const provider of feedbackProviders) {
			const { gone, complaint } = providers[provider];
			for (const call of [...gone, ...complaint]) {
				for (const email of ["nobody@example.com", "new@example.com", "", "no address"]) {
					const about = { email, emailId: "0".repeat(32) };
					expect(await post(provider, call(about))).toBe(ACCEPTED_RESPONSE);
				}
			}
		}
		expect(await tables()).toEqual(before);
		expect(await known(ADA)).toBe("accepted 250");
	});

	it("throttles the stream of bounced emails", async () => {
		const { post, written, log, database } = await openFeedbackApp(kind);
		const emails = Array.from({ length: 21 }, (_, n) => `visitor@company-${n}.example`);
		await written(...emails);
		// All get the same time: the throttle ignores the latest, whose bounces may still be reported.
		await changeRows(database, "emails", { ended: new Date() });
		for (const email of emails) await post("resend", resendCall(resendSamples.bounce({ email })));
		expect(log).toHaveBeenCalledWith("error", "emails slowed", {
			stream: "unconfirmed",
			reason: expect.stringContaining("21 of the last 21 addresses do not exist"),
		});
	});

	it("that arrives late changes nothing for people who have confirmed since", async () => {
		const { post, written, known, database } = await openFeedbackApp(kind);
		const [, emailId] = await written(ADA, BOB);
		await changeRows(database, "people", { confirmed: new Date() });
		const at = new Date(Date.now() - 60_000).toISOString();
		await post("resend", resendCall(resendSamples.complaint({ email: ADA, at })));
		await post(
			"mailgun",
			mailgunCall(mailgunSamples.bounce({ email: BOB, emailId: emailId!, at })),
		);
		expect(await known(ADA)).toBe("accepted 250");
		expect(await known(BOB)).toBe("accepted 250");
		await post("resend", resendCall(resendSamples.complaint({ email: ADA })));
		expect(await known(ADA)).toBe("left accepted complaint");
	});
});

it("repeated feedback gets the same response and changes nothing", async () => {
	const { post, written, known, database } = await openFeedbackApp("SQLite");
	const [emailId] = await written(ADA);
	const report = { email: ADA, emailId: emailId! };
	const calls = {
		postmark: postmarkCall(postmarkSamples.bounce(report)),
		resend: resendCall(resendSamples.bounce(report)),
		mailgun: mailgunCall(mailgunSamples.bounce(report)),
	} as const;
	for (const [provider, call] of Object.entries(calls)) {
		expect(await post(provider as keyof typeof calls, call)).toBe(ACCEPTED_RESPONSE);
		const { emails } = await readAllTables(database);
		expect(await known(ADA)).toMatch(/^bounced/);
		expect(await post(provider as keyof typeof calls, call)).toBe(ACCEPTED_RESPONSE);
		expect((await readAllTables(database)).emails).toEqual(emails);
	}
});

it("an unconfigured provider gets the 404 of any unknown path", async () => {
	const { ask, post } = await openFeedbackApp("SQLite", {
		env: feedbackSettings({ resend: providerSecrets.resend }),
	});
	const unknown = await ask("/api/feedback/nobody", { method: "POST" });
	const text = `${unknown.status} ${await unknown.text()}`;
	expect(text).toMatch(/^404 /);
	for (const provider of ["ses", "postmark", "mailgun"] as const) {
		expect(await post(provider, postmarkCall({}))).toBe(text);
	}
	expect(await post("resend", resendCall({}))).toBe(ACCEPTED_RESPONSE);
	expect((await ask(feedbackPath("resend"))).status).toBe(405);
});
