import { describe, expect, it, onTestFinished } from "vitest";
import {
	type MailServerOptions,
	parseEmail,
	startMailServer,
} from "../../../../bench/harness/mail-server.ts";
import { type OutgoingEmail, SMTP_CONNECTIONS } from "../../../../src/server/mail/smtp/smtp.ts";
import { EMAIL_ID, LONG_TIMEOUTS, openSmtpSender, sampleEmail } from "./open-smtp.ts";

/** Short timeouts for servers that stop replying, but longer than the greeting (0.1 s). */
const impatient = { connectMs: 1000, tryMs: 1000 };

async function serveMail(options: MailServerOptions = {}) {
	const server = await startMailServer(options);
	onTestFinished(() => server.stop());
	return server;
}

async function sendTo(
	options: MailServerOptions,
	changes: Partial<OutgoingEmail> = {},
	limits = LONG_TIMEOUTS,
) {
	const server = await serveMail(options);
	const smtp = await openSmtpSender(server.url, {}, limits);
	const outcome = await smtp.send({ ...sampleEmail, ...changes });
	return { outcome, server, smtp };
}

const at = (step: string, answer: string): MailServerOptions => ({
	answer: (now) => (now === step ? answer : undefined) as undefined,
});

const BOUNCED = { bounced: true };
const FULL = { bounced: false };

describe("an email", () => {
	it("arrives as written, with the headers of RFC 8058 and RFC 3834", async () => {
		const { outcome, server } = await sendTo({});
		expect(outcome).toEqual({ state: "accepted", code: "250" });
		expect(server.kept).toHaveLength(1);
		const kept = server.kept[0]!;
		expect(kept).toMatchObject({ from: "hello@orbit.example", to: "Ada@example.com" });
		const read = await parseEmail(kept);
		expect(read).toMatchObject({
			from: { name: "Orbit", address: "hello@orbit.example" },
			to: [{ address: "Ada@example.com" }],
			subject: sampleEmail.subject,
			messageId: `<${EMAIL_ID}@orbit.example>`,
		});
		expect(read.text!.trim()).toBe(sampleEmail.text);
		expect(read.html!.trim()).toBe(sampleEmail.html);
		const header = (key: string) => read.headers.find((found) => found.key === key)?.value;
		expect(header("list-unsubscribe")).toBe("<https://orbit.example/unsubscribe/token>");
		expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
		expect(header("auto-submitted")).toBe("auto-generated");
		expect(Math.abs(Date.parse(header("date")!) - Date.now())).toBeLessThan(60_000);
		expect(kept.raw.toString("latin1")).not.toMatch(/^(?:x-mailer|precedence|feedback-id):/im);
	});

	const E = expect.stringMatching(/^E[A-Z]+$/);
	it.each<[step: string, reply: string, state: string, code?: string | undefined, more?: object]>([
		["recipient", "450 4.2.0 greylisted", "deferred", "450 4.2.0"],
		["sender", "451 4.3.0 busy", "closed", "451 4.3.0"],
		["connect", "421 4.7.0 too many", "closed", "421 4.7.0"],
		["recipient", "421 4.3.2 bye", "closed", "421 4.3.2", { atEmail: true }],
		["recipient", "550 5.1.1 <ada@example.com>: unknown", "refused", "550 5.1.1", BOUNCED],
		["recipient", "550 5.2.1 disabled", "refused", "550 5.2.1", BOUNCED],
		["recipient", "552 5.2.2 full", "refused", "552 5.2.2", FULL],
		[
			"recipient",
			"550 5.1.1 <ada@example.com>: 552 5.2.2 Over quota",
			"refused",
			"550 5.1.1",
			FULL,
		],
		["recipient", "550 5.1.2 no such host", "refused", "550 5.1.2", BOUNCED],
		["recipient", "550 5.1.6 moved", "refused", "550 5.1.6", BOUNCED],
		["recipient", "550 5.1.10 null MX", "refused", "550 5.1.10", BOUNCED],
		["recipient", "550 5.1.0 sender rejected", "ours", "550 5.1.0", { atEmail: true }],
		["recipient", "550 5.1.3 listed at a block list", "ours", "550 5.1.3", { atEmail: true }],
		["message", "550 too long", "refused", "550", { bounced: false }],
		["message", "550 no spam please", "ours", "550", { atEmail: true }],
		["message", "554 5.1.1 unknown", "refused", "554 5.1.1", BOUNCED],
		["recipient", "553 5.1.8 sender's domain", "ours", "553 5.1.8", { atEmail: true }],
		["recipient", "550 5.7.1 relaying denied", "ours", "550 5.7.1", { atEmail: true }],
		["sender", "550 not your domain", "ours", "550"],
		["connect", "554 blocked", "ours", "554"],
		["connect", "drop", "closed"],
		["message", "454 Daily message quota exceeded", "deferred", "454", { quota: true }],
		["recipient", "421 4.7.28 Try again in 90 minutes.", "deferred", "421 4.7.28", { quota: true }],
		["message", "550 5.4.5 Daily limit exceeded", "deferred", "550 5.4.5", { quota: true }],
		["sender", "550 5.4.5 Daily limit", "closed", "550 5.4.5"],
		["recipient", "454 4.7.1 Relay access denied", "deferred", "454 4.7.1"],
		["recipient", "drop", "closed", undefined, { atEmail: true }],
	])(
		"with a reply at %s of %j is %s, and not accepted",
		async (step, reply, state, code = E, more = {}) => {
			const { outcome, server } = await sendTo(at(step, reply));
			expect(outcome).toEqual({ state, code, ...more });
			expect(server.kept).toEqual([]);
		},
	);

	it("is unknown if the connection is lost after the server has it", async () => {
		const { outcome, server } = await sendTo(at("message", "drop"));
		expect(outcome).toEqual({ state: "unknown", code: E });
		expect(server.kept).toHaveLength(1);
	});

	it("times out if a server falls silent at any step", async () => {
		const steps = ["connect", "sender", "recipient", "message"];
		const tries = await Promise.all(
			steps.map((step) => sendTo(at(step, "silence"), {}, impatient)),
		);
		expect(tries.map(({ outcome, server }) => [outcome, server.kept.length])).toEqual([
			[{ state: "closed", code: "ETIMEDOUT" }, 0],
			[{ state: "closed", code: "ETIMEDOUT", atEmail: true }, 0],
			[{ state: "closed", code: "ETIMEDOUT", atEmail: true }, 0],
			[{ state: "unknown", code: "ETIMEDOUT" }, 1],
		]);
	});
});

describe("an address", () => {
	it("is used as typed, with its domain in ASCII", async () => {
		const { outcome, server } = await sendTo({ utf8: false }, { to: "Ada@Bücher.example" });
		expect(outcome.state).toBe("accepted");
		expect(server.kept[0]!.raw.toString()).toMatch(/^To: Ada@xn--bcher-kva\.example\r$/m);
	});

	it("beyond ASCII is used if the server supports it, and refused otherwise", async () => {
		const to = "jo\u0308rg@bücher.example";
		const able = await sendTo({}, { to });
		expect(able.outcome.state).toBe("accepted");
		expect(able.server.kept[0]!.to).toBe("jörg@bücher.example");
		const { outcome, server, smtp } = await sendTo({ utf8: false }, { to });
		expect(outcome).toEqual({ state: "refused", code: "ESMTPUTF8", bounced: false });
		expect((await smtp.send(sampleEmail)).state).toBe("accepted");
		expect(server.connections().made).toBe(1);
	});

	it("that is unsafe in SMTP is refused before connecting", async () => {
		const server = await serveMail();
		const smtp = await openSmtpSender(server.url);
		for (const to of [
			...["a\r\nRCPT TO:<eve@example.com>@example.com", "ada@example.com\r\nRSET"],
			...["ada>@example.com", "ada,eve@example.com", '"ada"@example.com', "ada(x)@example.com"],
			"ada",
		]) {
			const outcome = await smtp.send({ ...sampleEmail, to });
			expect(outcome, to).toEqual({ state: "refused", code: "EADDRESS", bounced: false });
		}
		expect(server.connections().made).toBe(0);
	});
});

it.each(['Jörg & Söhne, "the" Mail; Inc. (beta)', "📬"])(
	"a sender's name may be %s",
	async (name) => {
		const server = await serveMail();
		const quoted = `"${name}" <hello@orbit.example>`;
		const smtp = await openSmtpSender(server.url, { WAITLIST_MAIL_FROM: quoted });
		await smtp.send(sampleEmail);
		const { from } = await parseEmail(server.kept[0]!);
		expect(from).toMatchObject({ name, address: "hello@orbit.example" });
	},
);

it("a subject with line breaks adds no header", async () => {
	const { server } = await sendTo({}, { subject: "Hello\r\nBcc: eve@example.com\r\n\r\nText" });
	const { headers } = await parseEmail(server.kept[0]!);
	expect(headers.map(({ key }) => key)).not.toContain("bcc");
});

describe("signing in", () => {
	const login = { user: "apikey", password: "pä:ss/w@rd" };

	it("uses user and password of the URL, and hides the server's text when refused", async () => {
		const { outcome, server } = await sendTo({ login });
		expect(outcome.state).toBe("accepted");
		for (const [wrong, code] of [
			[{ user: "apikey", password: "wrong" }, "535"],
			[undefined, "530"],
		] as const) {
			const smtp = await openSmtpSender(urlOf(server.port, wrong));
			expect(await smtp.send(sampleEmail)).toEqual({ state: "ours", code });
		}
		expect(server.kept).toHaveLength(1);
	});

	it("sends no unencrypted password, except on this machine", async () => {
		let signedIn = 0;
		const count: MailServerOptions["answer"] = (step) => {
			if (step === "sign in") signedIn += 1;
			return undefined;
		};
		const server = await serveMail({ login, answer: count });
		// Linux connects 0.0.0.0 to this machine, but the sender treats it as remote.
		const smtp = await openSmtpSender(urlOf(server.port, login, "0.0.0.0"));
		expect(await smtp.send(sampleEmail)).toMatchObject({ state: "ours" });
		expect(signedIn).toBe(0);
		expect(server.connections().made).toBe(1);
	});

	it("sends no password to a server with an invalid certificate", async () => {
		const server = await serveMail({ login, tls: true });
		const smtp = await openSmtpSender(urlOf(server.port, login, "0.0.0.0"));
		expect(await smtp.send(sampleEmail)).toMatchObject({
			state: "closed",
			code: expect.stringMatching(/CERT|TLS/),
		});
	});
});

function urlOf(port: number, login?: MailServerOptions["login"], host = "127.0.0.1") {
	const user = login && `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`;
	return `smtp://${user ?? ""}${host}:${port}`;
}

describe("connections", () => {
	it("are reused while there is work", async () => {
		const { server, smtp } = await sendTo({});
		const people = [1, 2, 3, 4, 5].map((n) => `visitor${n}@example.com`);
		for (const to of people) await smtp.send({ ...sampleEmail, to });
		expect(server.connections().made).toBe(1);
		const parallel = people.map((to) => smtp.send({ ...sampleEmail, to }));
		expect((await Promise.all(parallel)).map(({ state }) => state)).toEqual(
			Array(SMTP_CONNECTIONS).fill("accepted"),
		);
		expect(server.connections().made).toBe(SMTP_CONNECTIONS);
	});

	it.each([
		["sender", "421 4.7.0 please reconnect", true],
		["sender", "451 mails per session limit exceeded", true],
		["sender", "550 5.7.1 no", true],
		["recipient", "421 4.7.0", true],
		["recipient", "450 4.2.0 greylisted", false],
		["recipient", "drop", true],
		["message", "421 4.3.2 bye", true],
		["message", "451 4.3.0 later", false],
		["message", "drop", false],
	] as const)(
		"used once and refused at %s by %j are replaced for one more attempt: %j",
		async (step, reply, helps) => {
			let isRefusing = (_: number) => false;
			let attempts = 0;
			const server = await serveMail({
				answer(now) {
					if (now !== step || !isRefusing(server.connections().made)) return undefined;
					attempts += 1;
					return reply;
				},
			});
			const smtp = await openSmtpSender(server.url);
			const stateOf = async () => (await smtp.send(sampleEmail)).state;
			expect(await stateOf()).toBe("accepted");
			isRefusing = (made) => made === 1;
			expect((await stateOf()) === "accepted").toBe(helps);
			expect([attempts, server.connections().made]).toEqual([1, helps ? 2 : 1]);
			isRefusing = () => true;
			expect(await stateOf()).not.toBe("accepted");
			isRefusing = () => false;
			expect(await stateOf()).toBe("accepted");
			expect(attempts).toBe(helps ? 3 : 2);
		},
	);

	it("cut off an email being sent when the sender closes", async () => {
		let isWaiting = false;
		const server = await serveMail({
			answer(step) {
				isWaiting = step === "recipient";
				return isWaiting ? "silence" : undefined;
			},
		});
		const smtp = await openSmtpSender(server.url);
		const sent = smtp.send(sampleEmail);
		await expect.poll(() => isWaiting).toBe(true);
		smtp.close();
		expect(await sent).toMatchObject({ state: "closed" });
	});
});
