import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { FeedbackProvider } from "#shared/links.ts";
import { kind } from "../../../given/kind.ts";
import { ACCEPTED_RESPONSE, openFeedbackApp, replaceFetch } from "./open-feedback.ts";
import {
	type FeedbackCall,
	mailgunCall,
	mailgunSamples,
	openFakeSns,
	postmarkCall,
	postmarkSamples,
	resendCall,
	resendSamples,
	sesSamples,
} from "./providers.ts";

const ADA = "ada@example.com";
const ADA_GONE = { email: ADA };

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

const altered = (
	{ headers, body }: FeedbackCall,
	from = ADA,
	to = "eve@example.com",
): FeedbackCall => {
	expect(body).toContain(from);
	return { headers, body: body.replaceAll(from, to) };
};

const typed = (call: FeedbackCall, type: string): FeedbackCall => ({
	...call,
	headers: { ...call.headers, "content-type": type },
});

const huge = (call: FeedbackCall): FeedbackCall => ({
	...call,
	body: call.body + " ".repeat(10_000_000),
});

describe(`feedback on ${kind} is refused`, () => {
	const byKey = "it is not signed with the key in WAITLIST_FEEDBACK";
	const bySecret = "it is not signed with the secret in WAITLIST_FEEDBACK";
	const signedAgo = (time: string) => `it was signed more than ${time} ago: check the clock`;
	const [bounced, gone] = [resendSamples.bounce(ADA_GONE), mailgunSamples.bounce(ADA_GONE)];
	const forged = resendCall(bounced);
	const secret = `whsec_${"another+".repeat(4)}`;
	const wrongPassword = postmarkCall(postmarkSamples.bounce(ADA_GONE), "orbit:another");
	// Moves a digit from the token to the time: the signed text stays the same.
	const fives = "5".repeat(49);
	const moved = altered(
		mailgunCall(gone, { at: new Date(1_800_000_000_000), token: `${fives}5` }),
		`"1800000000","token":"${fives}5"`,
		`"18000000005","token":"${fives}"`,
	);
	const refusals: Partial<
		Record<FeedbackProvider, [what: string, call: FeedbackCall, why: string][]>
	> = {
		resend: [
			["forged", altered(forged), bySecret],
			["signed with another key", resendCall(bounced, { secret }), bySecret],
			["replayed later", resendCall(bounced, { at: minutesAgo(6) }), signedAgo("five minutes")],
			["10 MB", huge(forged), "invalid body (413)"],
		],
		postmark: [
			["another password", wrongPassword, "user and password do not match WAITLIST_FEEDBACK"],
			["a form", typed(postmarkCall({}), "application/x-www-form-urlencoded"), "it is not JSON"],
		],
		mailgun: [
			["signed with another key", mailgunCall(gone, { key: "another" }), byKey],
			["replayed later", mailgunCall(gone, { at: minutesAgo(540) }), signedAgo("eight hours")],
			["signed for another time and token", moved, "it is not signed"],
		],
	};

	it.each(["resend", "postmark", "mailgun"] as const)(
		"if forged or invalid, of %s, with a logged reason",
		async (provider) => {
			const { post, written, known, refused, log } = await openFeedbackApp(kind);
			await written(ADA);
			const told = new Set<string>();
			for (const [what, call, why] of refusals[provider]!) {
				const answer = await post(provider, call);
				expect(answer, what).toMatch(/^(403|413|415) \{"error":"[^"]+"\}$/);
				expect(await known(ADA), what).toBe("accepted 250");
				told.add(why);
				await post(provider, call);
				expect(refused(), what).toEqual([...told]);
			}
			expect(JSON.stringify(log.mock.calls)).not.toMatch(/@example|198\.51/);
		},
	);
});

describe("feedback from SNS", () => {
	async function open() {
		const sns = await openFakeSns();
		const fetched = replaceFetch(() => new Response(sns.certificate));
		return { sns, fetched, ...(await openFeedbackApp("SQLite")) };
	}

	it("is refused if forged, old, or from another topic or host", async () => {
		const { sns, fetched, post, written, known, refused } = await open();
		await written(ADA);
		const bounce = sesSamples.bounce(ADA_GONE);
		const url = (name: string) => ({ altered: { SigningCertURL: name } });
		const path = new URL(sns.certificateUrl).pathname;
		const early = [
			sns.post(bounce, { topic: "arn:aws:sns:us-east-1:210987654321:letters" }),
			sns.post(bounce, { at: minutesAgo(70) }),
			sns.post(bounce, { altered: { SignatureVersion: "3" } }),
			sns.post(bounce, { altered: { Type: "constructor" } }),
			...[
				`https://sns.us-east-1.amazonaws.com.evil.example${path}`,
				`https://sns.us-east-1.amazonaws.com@evil.example${path}`,
				`http://sns.us-east-1.amazonaws.com${path}`,
				`https://sns.us-east-1.amazonaws.com/x/..${path}`,
				"https://sns.us-east-1.amazonaws.com/?Action=GetTopicAttributes",
			].map((name) => sns.post(bounce, url(name))),
		];
		for (const call of early) expect(await post("ses", call, "127.0.0.1")).toMatch(/^403 /);
		expect(fetched).not.toHaveBeenCalled();
		const forged = [
			sns.post(bounce, { altered: { Message: JSON.stringify(sesSamples.complaint(ADA_GONE)) } }),
			sns.post(bounce, { altered: { Timestamp: new Date().toISOString().replace("Z", "0Z") } }),
			sns.post(bounce, { altered: { SignatureVersion: "1" } }),
			sns.post(bounce, { altered: { Signature: "" } }),
		];
		for (const call of forged) expect(await post("ses", call, "127.0.0.1")).toMatch(/^403 /);
		expect(fetched).toHaveBeenCalledTimes(1);
		expect(await known(ADA)).toBe("accepted 250");
		expect(refused()).toEqual([
			"it is from another topic",
			"it was signed more than an hour ago: check the clock",
			"its signature has an unknown version",
			"it is not an SNS message: turn off raw message delivery",
			"its certificate URL has another host",
			"its signature is wrong",
		]);
	});

	it("fetches its certificate once for concurrent calls, and follows no redirect", async () => {
		const { sns, fetched, post } = await open();
		const calls = Array.from({ length: 5 }, () =>
			post("ses", sns.post(sesSamples.delivery(ADA_GONE))),
		);
		expect(new Set(await Promise.all(calls))).toEqual(new Set([ACCEPTED_RESPONSE]));
		expect(await post("ses", sns.post(sesSamples.delivery(ADA_GONE)))).toBe(ACCEPTED_RESPONSE);
		expect(fetched).toHaveBeenCalledTimes(1);
		expect(fetched.mock.calls[0]).toEqual([
			sns.certificateUrl,
			{ redirect: "error", signal: expect.any(AbortSignal) },
		]);
	});

	it.each([
		["fails", () => Promise.reject(new TypeError("fetch failed"))],
		["is no certificate", () => new Response("<html>")],
		["does not end", () => new Response("x".repeat(20_000))],
	])("is retried if the certificate %s", async (_, answer) => {
		const sns = await openFakeSns();
		const fetched = replaceFetch(answer);
		const { post, written, known, refused } = await openFeedbackApp("SQLite");
		await written(ADA);
		const call = sns.post(sesSamples.bounce(ADA_GONE));
		expect(await post("ses", call)).toMatch(/^503 /);
		expect(refused()).toEqual([
			"the certificate cannot be fetched from sns.us-east-1.amazonaws.com",
		]);
		expect(await known(ADA)).toBe("accepted 250");
		fetched.mockImplementation(async () => new Response(sns.certificate));
		expect(await post("ses", call)).toBe(ACCEPTED_RESPONSE);
		expect(await known(ADA)).toMatch(/^bounced/);
	});

	it("limits a stranger's certificate fetches by IP address", async () => {
		const { sns, fetched, post } = await open();
		fetched.mockImplementation(async () => new Response("", { status: 404 }));
		const url = (n: number) =>
			sns.certificateUrl.replace(/Service-.{8}/, `Service-${10_000_000 + n}`);
		for (let n = 0; n < 30; n++) {
			const call = sns.post({}, { altered: { SigningCertURL: url(n) } });
			expect(await post("ses", call)).toMatch(/^503 /);
		}
		expect(fetched).toHaveBeenCalledTimes(20);
	});

	it("is refused if the certificate has expired", async () => {
		const { sns, post, refused } = await open();
		vi.useFakeTimers({ now: Date.now() + 5 * 86_400_000, toFake: ["Date"] });
		onTestFinished(() => void vi.useRealTimers());
		expect(await post("ses", sns.post(sesSamples.bounce(ADA_GONE)))).toMatch(/^403 /);
		expect(refused()).toEqual(["its certificate is expired or not yet valid"]);
	});

	it("logs a subscription URL for the founder, and never fetches it", async () => {
		const { sns, fetched, post, log, refused } = await open();
		const type = "SubscriptionConfirmation" as const;
		expect(await post("ses", sns.post("You have chosen to subscribe.", { type }))).toBe(
			ACCEPTED_RESPONSE,
		);
		expect(fetched.mock.calls.map(([url]) => url)).toEqual([sns.certificateUrl]);
		const url = "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37";
		expect(log).toHaveBeenCalledWith("error", "feedback notice", {
			provider: "ses",
			message: expect.stringContaining(url),
		});
		const evil = sns.post("You have chosen.", { type, url: "https://evil.example/" });
		expect(await post("ses", evil)).toMatch(/^403 /);
		expect(refused()).toEqual(["its confirmation URL is not from SNS"]);
		const ended = sns.post("It is over.", { type: "UnsubscribeConfirmation" });
		expect(await post("ses", ended)).toBe(ACCEPTED_RESPONSE);
		expect(log.mock.lastCall![2].message).toContain("Open this URL once");
	});
});

it("unverified callers are limited like visitors, and verified providers never are", async () => {
	const { post } = await openFeedbackApp("SQLite");
	const forged = resendCall({}, { secret: `whsec_${"another+".repeat(4)}` });
	const statuses = [];
	for (let n = 0; n < 21; n++) statuses.push((await post("resend", forged)).slice(0, 3));
	expect(statuses).toEqual([...Array(20).fill("403"), "429"]);
	for (let n = 0; n < 30; n++) {
		expect(await post("resend", resendCall(resendSamples.delivery(ADA_GONE)))).toBe(
			ACCEPTED_RESPONSE,
		);
	}
});
