import { Readable } from "node:stream";
import PostalMime from "postal-mime";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readBounceReport } from "../../../../src/server/letters/bounces/bounce-report.ts";
import { createLinks } from "../../../../src/server/letters/links/links.ts";

const letter = "00112233445566778899aabbccddeeff";
const links = createLinks("0123456789abcdef0123456789abcdef", {
	origin: "https://orbit.example",
	from: { name: "", address: "hello@orbit.example" },
	bounces: "bounces@orbit.example",
});
const address = links.bounceAddress(letter);

/** A report as Postfix writes one, for a recipient's block of fields. */
const report = (fields: string[], headers = [`To: ${address}`]) =>
	[
		"From: MAILER-DAEMON@mx.example (Mail Delivery System)",
		...headers,
		"Subject: Undelivered Mail Returned to Sender",
		"Auto-Submitted: auto-replied",
		"MIME-Version: 1.0",
		"Content-Type: multipart/report; report-type=delivery-status;",
		'\tboundary="edge"',
		"",
		"--edge",
		"Content-Type: text/plain; charset=us-ascii",
		"",
		"I'm sorry. Status: 5.9.9, Action: failed",
		"",
		"--edge",
		"Content-Type: message/delivery-status",
		"",
		"Reporting-MTA: dns; mx.example",
		"Arrival-Date: Sun, 22 Nov 2026 12:00:00 +0000",
		"",
		"Final-Recipient: rfc822; ada@example.com",
		...fields,
		"",
		"--edge",
		"Content-Type: message/rfc822",
		"",
		"From: hello@orbit.example",
		"To: ada@example.com",
		"Subject: Is this your address?",
		"",
		"Please confirm.",
		"",
		"--edge--",
		"",
	].join("\r\n");

const read = (text: string, recipient?: string) =>
	readBounceReport(Readable.from([Buffer.from(text, "latin1")]), links.readBounce, recipient);

const failed = ["Action: failed", "Status: 5.1.1"];

describe("a bounce", () => {
	it.each([
		["5.1.1", "550 5.1.1 <sender.of.spam@example.com>: unknown", "mailbox"],
		["5.1.10", "550 5.1.10 Recipient not found by SMTP address lookup", "mailbox"],
		["5.2.1", "550-5.2.1 The account is disabled", "mailbox"],
		["5.1.1", "552 5.2.2 Over quota", "letter"],
		["5.1.1", "550 5.1.1 The mailbox is full", "letter"],
		["5.2.1", "550 5.2.1 receives mail at a rate that is too high", "letter"],
		["5.2.2", "552 5.2.2 full", "letter"],
		["5.1.0", "550 5.1.0 Address rejected", "letter"],
		["4.4.7", "", "letter"],
		["5.1.0", "550 5.1.0 <hello@orbit.example>: Sender address rejected", "sender"],
		["5.1.3", "550 5.1.3 Client host [192.0.2.1] blocked using zen.spamhaus.org", "sender"],
		["5.1.1", "550 5.7.1 refused", "sender"],
		["5.1.8", "", "sender"],
		["5.7.1", "550 5.1.1 user unknown", "sender"],
	])("with status %s and reply %j is about the %s", async (status, reply, subject) => {
		const fields = [`Status: ${status} (said the server)`, `Diagnostic-Code: smtp; ${reply}`];
		const text = report(["Action: failed", ...fields]);
		expect(await read(text)).toEqual({ letter, subject, status });
	});

	it("of a server that says 5.0.0 has the code that it was given", async () => {
		const fields = [
			"Action: failed",
			"Status: 5.0.0",
			"Diagnostic-Code: smtp; 550",
			"\t5.1.1 who?",
		];
		expect(await read(report(fields))).toMatchObject({ subject: "mailbox", status: "5.1.1" });
		expect(await read(report(fields.slice(0, 2)))).toMatchObject({ status: "5.0.0" });
	});

	it.each(["To", "Delivered-To", "X-Original-To", "Envelope-To"])(
		"is known by %s",
		async (name) => {
			const headers = ["To: postmaster@orbit.example", `${name}: <${address.toUpperCase()}>`];
			expect(await read(report(failed, headers))).toMatchObject({ letter });
		},
	);

	it("is known by whom the mail server says it is for, before its headers", async () => {
		expect(await read(report(failed, ["To: root"]), address)).toMatchObject({ letter });
		expect(await read(report(failed), "bounces@orbit.example")).toBeUndefined();
	});

	it("with lines that end as on Unix is read as well", async () => {
		expect(await read(report(failed).replaceAll("\r\n", "\n"))).toMatchObject({ letter });
	});

	it("is read to its end, and the beginning of a longer one is parsed", async () => {
		let left = 3000;
		function* long() {
			yield Buffer.from(report(failed).replace("--edge--\r\n", ""));
			for (; left > 0; left -= 1) yield Buffer.alloc(1024, "x");
		}
		const stream = Readable.from(long());
		expect(await readBounceReport(stream, links.readBounce)).toMatchObject({ letter });
		expect(left).toBe(0);
	});
});

const altered = address.replace(/.@/, (end) => (end === "0@" ? "1@" : "0@"));

describe("a message to an address that we did not sign", () => {
	it.each([
		["in its header", [`To: ${altered}`], undefined],
		["as the mail server says", [`To: ${address}`], altered],
	])("is not parsed: %s", async (_, headers, recipient) => {
		const parse = vi.spyOn(PostalMime, "parse");
		onTestFinished(() => parse.mockRestore());
		expect(await read(report(failed, headers), recipient)).toBeUndefined();
		expect(parse).not.toHaveBeenCalled();
		expect(await read(report(failed))).toMatchObject({ letter });
		expect(parse).toHaveBeenCalledOnce();
	});
});

describe("no bounce", () => {
	const absence = [
		`To: ${address}`,
		"Subject: Out of office: 550 5.1.1",
		"Auto-Submitted: auto-replied",
		"Content-Type: text/plain",
		"",
		"Action: failed",
		"Status: 5.1.1",
	].join("\r\n");

	it.each([
		["an absence", absence],
		["a delay", report(["Action: delayed", "Status: 4.4.1"])],
		["a receipt", report(["Action: delivered", "Status: 2.0.0"])],
		["a report without a status", report(["Action: failed"])],
		["a forged address", report(failed, [`To: ${altered}`])],
		["no address", report(failed, [])],
		["a report that sits in another message", `To: ${address}\r\n\r\n${report(failed)}`],
		["nothing", ""],
		["no text", "\0\xff\r\n\r\n\x80".repeat(100)],
		["deep nesting", `To: ${address}\r\n${deep(3000)}`],
	])("is %s", async (_, text) => {
		expect(await read(text)).toBeUndefined();
	});
});

function deep(parts: number): string {
	const part = (n: number) => `Content-Type: multipart/report; boundary=b${n}\r\n\r\n--b${n}\r\n`;
	return Array.from({ length: parts }, (_, n) => part(n)).join("");
}
