import { describe, expect, it } from "vitest";
import { feedbackPath, feedbackProviders } from "#shared/links.ts";
import { change, everythingIn, given } from "../../../given/given.ts";
import { kind } from "../../../given/kind.ts";
import { rowsOf } from "../../../given/rows.ts";
import { ACCEPTED, openFeedback, serveCertificates } from "./open-feedback.ts";
import {
	type About,
	byMailgun,
	byPostmark,
	byResend,
	feedbackOf,
	mailgun,
	openSns,
	postmark,
	resend,
	secrets,
	ses,
} from "./providers.ts";

/* Reported bounces and complaints count like those that the sender sees. */

const ADA = "ada@example.com";
const BOB = "bob@example.com";

async function openProviders() {
	const sns = await openSns();
	serveCertificates(() => new Response(sns.certificate));
	return {
		ses: {
			gone: [
				(about: About) => sns.post(ses.bounce(about)),
				(about: About) => sns.post(ses.bounce({ ...about, kind: "eventType" }), { version: "1" }),
				(about: About) => sns.post(ses.bareBounce(about)),
			],
			complaint: [
				(about: About) => sns.post(ses.complaint(about), { more: { Subject: "Feedback" } }),
				(about: About) => sns.post(ses.complaint(about, null)),
			],
			nothing: [
				(about: About) => sns.post(ses.bounce({ ...about, type: "Transient", status: "4.2.2" })),
				(about: About) => sns.post(ses.bounce({ ...about, status: "5.7.1" })),
				(about: About) => sns.post(ses.bounce({ ...about, status: "5.2.2" })),
				(about: About) => sns.post(ses.complaint(about, "not-spam")),
				(about: About) => sns.post(ses.delivery(about)),
				() => sns.post("Successfully validated SNS topic for Amazon SES event publishing."),
			],
		},
		postmark: {
			gone: [postmark.bounce, postmark.bare].map(
				(said) => (about: About) => byPostmark(said(about)),
			),
			complaint: [(about: About) => byPostmark(postmark.complaint(about))],
			nothing: [postmark.soft, postmark.blocklisted, postmark.delivery].map(
				(said) => (about: About) => byPostmark(said(about)),
			),
		},
		resend: {
			gone: [(about: About) => byResend(resend.bounce(about))],
			complaint: [(about: About) => byResend(resend.complaint(about))],
			nothing: [resend.soft, resend.delivery].map(
				(said) => (about: About) => byResend(said(about)),
			),
		},
		mailgun: {
			gone: [mailgun.bounce, mailgun.suppressed].map(
				(said) => (about: About) => byMailgun(said(about)),
			),
			complaint: [(about: About) => byMailgun(mailgun.complaint(about))],
			nothing: [mailgun.soft, mailgun.blocked, mailgun.delivery].map(
				(said) => (about: About) => byMailgun(said(about)),
			),
		},
	};
}

describe(`feedback on ${kind}`, () => {
	it.each(feedbackProviders)("of %s count, and temporary ones change nothing", async (provider) => {
		const { gone, complaint, nothing } = (await openProviders())[provider];
		const { post, written, known, database } = await openFeedback(kind);
		const emails = [...gone, ...complaint, ...nothing].map(
			(_, n) => `person-${n}@site-${n}.example`,
		);
		const ids = await written(...emails);
		const people = emails.values();
		/** SES and Resend sign the address, so they need no email id. */
		const about = (email: string, spelled = email): About => {
			const isSigned = provider === "ses" || provider === "resend";
			return { email: spelled, ...(!isSigned && { letter: ids[emails.indexOf(email)]! }) };
		};
		for (const call of gone) {
			const email = people.next().value!;
			expect(await post(provider, call(about(email, email.toUpperCase())))).toBe(ACCEPTED);
			expect(await known(email)).toMatch(/^bounced refused later 5\.\d\.\d$/);
		}
		for (const call of complaint) {
			const email = people.next().value!;
			expect(await post(provider, call(about(email, `Ada <${email}>`)))).toBe(ACCEPTED);
			expect(await known(email)).toBe("left accepted complaint");
		}
		const proofs = await rowsOf(database, "suppressions", { reason: "unsubscribed by complaint" });
		expect(proofs).toHaveLength(complaint.length);
		for (const call of nothing) {
			const email = people.next().value!;
			expect(await post(provider, call(about(email)))).toBe(ACCEPTED);
			expect(await known(email)).toBe("accepted 250");
		}
	});

	it("concern the email that the provider names, whatever the address", async () => {
		const providers = await openProviders();
		const { headers, post, written, known } = await openFeedback(kind);
		const emails = ["a@a.example", "b@b.example", "c@c.example", "d@d.example"];
		const ids = await written(...emails);
		// Postmark returns this header in feedback, other providers the Message-ID.
		expect((await headers(emails[1]!)).get("x-pm-metadata-email")).toBe(ids[1]);
		expect((await headers(emails[1]!)).get("message-id")).toBe(`<${ids[1]}@orbit.example>`);
		const email = "forwarded@elsewhere.example";
		for (const [n, provider] of (["ses", "postmark", "mailgun"] as const).entries()) {
			const [call] = providers[provider].gone;
			expect(await post(provider, call!({ email, letter: ids[n]! }))).toBe(ACCEPTED);
			expect(await known(emails[n]!)).toMatch(/^bounced /);
		}
		expect(await known(emails[3]!)).toBe("accepted 250");
	});

	it.each(["postmark", "mailgun"] as const)(
		"forged from a stolen call of %s affect only the person of its email",
		async (provider) => {
			const { complaint, gone } = (await openProviders())[provider];
			const { post, written, known } = await openFeedback(kind);
			const [, bobs] = await written(ADA, BOB);
			for (const call of [...complaint, ...gone]) {
				for (const letter of [undefined, "0".repeat(32), "\0"]) {
					const about = { email: ADA, ...(letter !== undefined && { letter }) };
					expect(await post(provider, call(about))).toBe(ACCEPTED);
					expect(await known(ADA)).toBe("accepted 250");
				}
			}
			expect(await post(provider, complaint[0]!({ email: ADA, letter: bobs! }))).toBe(ACCEPTED);
			expect(await known(ADA)).toBe("accepted 250");
			expect(await known(BOB)).toBe("left accepted complaint");
		},
	);

	it("change nothing for people without emails, with the same response", async () => {
		const providers = await openProviders();
		const { post, written, known, database } = await openFeedback(kind);
		await written(ADA);
		await given.person(database, { email: "new@example.com" });
		const tables = async () => {
			const { people, emails, suppressions } = await everythingIn(database);
			return { people, emails, suppressions };
		};
		const before = await tables();
		for (const provider of feedbackProviders) {
			const { gone, complaint } = providers[provider];
			for (const call of [...gone, ...complaint]) {
				for (const email of ["nobody@example.com", "new@example.com", "", "no address"]) {
					const about = { email, letter: "0".repeat(32) };
					expect(await post(provider, call(about))).toBe(ACCEPTED);
				}
			}
		}
		expect(await tables()).toEqual(before);
		expect(await known(ADA)).toBe("accepted 250");
	});

	it("throttle the stream of bounced emails", async () => {
		const { post, written, log, database } = await openFeedback(kind);
		const emails = Array.from({ length: 21 }, (_, n) => `visitor@company-${n}.example`);
		await written(...emails);
		// All emails get the same time, because the throttle ignores emails sent after the bounces.
		await change(database, "emails", { ended: new Date() });
		for (const email of emails) await post("resend", byResend(resend.bounce({ email })));
		expect(log).toHaveBeenCalledWith("error", "emails slowed", {
			stream: "unconfirmed",
			reason: expect.stringContaining("21 of the last 21 addresses do not exist"),
		});
	});

	it("arriving late change nothing for people who confirmed since", async () => {
		const { post, written, known, database } = await openFeedback(kind);
		const [, letter] = await written(ADA, BOB);
		await change(database, "people", { confirmed: new Date() });
		const at = new Date(Date.now() - 60_000).toISOString();
		await post("resend", byResend(resend.complaint({ email: ADA, at })));
		await post("mailgun", byMailgun(mailgun.bounce({ email: BOB, letter: letter!, at })));
		expect(await known(ADA)).toBe("accepted 250");
		expect(await known(BOB)).toBe("accepted 250");
		await post("resend", byResend(resend.complaint({ email: ADA })));
		expect(await known(ADA)).toBe("left accepted complaint");
	});
});

describe("repeated feedback", () => {
	it("gets the same response and changes nothing", async () => {
		const { post, written, known, database } = await openFeedback("SQLite");
		const [letter] = await written(ADA);
		const report = { email: ADA, letter: letter! };
		const calls = {
			postmark: byPostmark(postmark.bounce(report)),
			resend: byResend(resend.bounce(report)),
			mailgun: byMailgun(mailgun.bounce(report)),
		} as const;
		for (const [provider, call] of Object.entries(calls)) {
			expect(await post(provider as keyof typeof calls, call)).toBe(ACCEPTED);
			const { emails } = await everythingIn(database);
			expect(await known(ADA)).toMatch(/^bounced/);
			expect(await post(provider as keyof typeof calls, call)).toBe(ACCEPTED);
			expect((await everythingIn(database)).emails).toEqual(emails);
		}
	});
});

it("an unconfigured provider gets the 404 of any unknown path", async () => {
	const { ask, post } = await openFeedback("SQLite", {
		env: feedbackOf({ resend: secrets.resend }),
	});
	const unknown = await ask("/api/feedback/nobody", { method: "POST" });
	const text = `${unknown.status} ${await unknown.text()}`;
	expect(text).toMatch(/^404 /);
	for (const provider of ["ses", "postmark", "mailgun"] as const) {
		expect(await post(provider, byPostmark({}))).toBe(text);
	}
	expect(await post("resend", byResend({}))).toBe(ACCEPTED);
	expect((await ask(feedbackPath("resend"))).status).toBe(405);
});
