import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readBounceReport } from "../../../../src/server/mail/feedback/bounce-report.ts";
import { createLinks } from "../../../../src/server/mail/links/links.ts";

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
		["5.2.1", "550-5.2.1 The account is disabled", "mailbox"],
		["5.1.1", "552 5.2.2 Over quota", "letter"],
		["5.2.1", "550 5.2.1 receives mail at a rate that is too high", "letter"],
		["4.4.7", "", "letter"],
		["5.1.0", "550 5.1.0 <hello@orbit.example>: Sender address rejected", "sender"],
		["5.1.3", "550 5.1.3 Client host [192.0.2.1] blocked using zen.spamhaus.org", "sender"],
		["5.1.8", "", "sender"],
		["5.7.1", "550 5.1.1 user unknown", "sender"],
	])("with status %s and reply %j is about the %s", async (status, reply, subject) => {
		const fields = [`Status: ${status} (said the server)`, `Diagnostic-Code: smtp; ${reply}`];
		const text = report(["Action: failed", ...fields]);
		expect(await read(text)).toEqual({ letter, subject, status });
	});

	it("is known by its To, Delivered-To, X-Original-To or Envelope-To, in any case", async () => {
		for (const name of ["To", "Delivered-To", "X-Original-To", "Envelope-To"]) {
			const headers = ["To: postmaster@orbit.example", `${name}: <${address.toUpperCase()}>`];
			expect(await read(report(failed, headers)), name).toMatchObject({ letter });
		}
	});

	it("is known by whom the mail server says it is for, before its headers", async () => {
		const unix = report(failed, ["To: root"]).replaceAll("\r\n", "\n");
		expect(await read(unix, address)).toMatchObject({ letter });
		expect(await read(report(failed), "bounces@orbit.example")).toBeUndefined();
	});
});

describe("no bounce", () => {
	const altered = address.replace(/.@/, (end) => (end === "0@" ? "1@" : "0@"));
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
		["a report without a status", report(["Action: failed"])],
		["a forged address", report(failed, [`To: ${altered}`])],
		["a report that sits in another message", `To: ${address}\r\n\r\n${report(failed)}`],
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
