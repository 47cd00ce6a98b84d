import { describe, expect, it, onTestFinished } from "vitest";
import { parseEmail, startMailServer } from "../../../bench/harness/mail-server.ts";
import { startScriptedServer } from "../mail/smtp/scripted-server.ts";
import { openCommandSetup } from "./command-setup.ts";

async function open(more: Record<string, string> = {}) {
	const mailServer = await startMailServer();
	onTestFinished(() => mailServer.stop());
	const setup = await openCommandSetup("SQLite");
	Object.assign(setup.env, {
		SMTP_URL: mailServer.url,
		WAITLIST_MAIL_FROM: "Orbit <hello@orbit.example>",
		SITE_ORIGIN: "https://orbit.example",
		...more,
	});
	return { ...setup, mailServer };
}

describe("check --mail", () => {
	it("uses the site's name in EHLO", async () => {
		const server = await startScriptedServer((_, { line }) =>
			/^[EH].LO/.test(line) && line !== "EHLO orbit.example" ? "501 5.5.2 no name" : undefined,
		);
		const { run } = await open({ SMTP_URL: server.url, SITE_ORIGIN: "https://intranet" });
		expect((await run("check --mail")).stdout).toContain(
			"refuses us as intranet (501 5.5.2): check user and password in SMTP_URL, the name in SITE_ORIGIN",
		);
	});

	it("sends a test email with invalid links, and reports why one is refused", async () => {
		const { mailServer, run } = await open();
		const { stdout } = await run("check --to ada@example.com");
		expect(stdout).toContain("✓ test email: sent to ada@example.com");
		const sent = await parseEmail(mailServer.kept[0]!);
		expect(sent.text).toContain("https://orbit.example/confirm/");
		expect(sent.html).toContain("https://orbit.example/unsubscribe/");
		await mailServer.stop();
		expect((await run("check --to ada@example.com")).stdout).toMatch(
			/^✗ test email: Not sent: the mail server cannot be reached/m,
		);
	});
});

it("--test sends a wave email only to the founder", async () => {
	const { add, json, mailServer, run } = await open();
	await add("ada@example.com");
	const sent = await run("invite 5 --wave beta-1 --test you@example.com");
	expect(sent).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/^Sent to you@.*, and to nobody else\. .* do not work\.\n$/),
	});
	expect(mailServer.kept.map(({ to }) => to)).toEqual(["you@example.com"]);
	expect((await parseEmail(mailServer.kept[0]!)).text).toContain("/invitation#");
	expect(await json("waves")).toEqual({ waves: [] });
});
