import { describe, expect, it, onTestFinished } from "vitest";
import {
	type MailServerOptions,
	readLetter,
	startMailServer,
} from "../../../bench/harness/mail-server.ts";
import { startScriptedServer } from "../mail/smtp/scripted-server.ts";
import { usePostgres } from "../registrations/databases.ts";
import { type Run, runCommand } from "./desk.ts";
import { openLetterDesk } from "./letter-desk.ts";

const cluster = usePostgres();

/** A desk with a mail server of its own. */
async function open(options: MailServerOptions = {}, more: Record<string, string> = {}) {
	const mailServer = await startMailServer(options);
	onTestFinished(() => mailServer.stop());
	const desk = await openLetterDesk("SQLite", cluster());
	const mail = {
		SMTP_URL: mailServer.url,
		WAITLIST_MAIL_FROM: "Orbit <hello@orbit.example>",
		SITE_ORIGIN: "https://orbit.example",
		WAITLIST_MAIL_RATE: "0",
		...more,
	};
	const run = (args: string, input = "", env: Record<string, string> = mail): Promise<Run> =>
		runCommand(desk.folder, args.split(" "), { env: { ...desk.env, ...env }, input });
	return { ...desk, mailServer, run };
}

describe("waitlist send", () => {
	it("sends what is due, tells how it went, and ends", async () => {
		const { join, mailServer, run } = await open({
			answer: (step, to) =>
				step === "recipient" && to.startsWith("eve") ? "550 5.1.1 no" : undefined,
		});
		await join("ada@example.com", "bob@example.com", "eve@example.com");
		expect(await run("send")).toEqual({ code: 0, stdout: "2 accepted, 1 refused\n", stderr: "" });
		expect(mailServer.kept.map(({ to }) => to).sort()).toEqual([
			"ada@example.com",
			"bob@example.com",
		]);
		expect(await run("send")).toEqual({ code: 0, stdout: "Nothing is due.\n", stderr: "" });
		expect(mailServer.kept).toHaveLength(2);
	});

	it("ends with 1 and says why where nothing can be sent", async () => {
		const { join, letters, run } = await open({
			login: { user: "orbit", password: "right" },
			answer: (step) => (step === "sign in" ? "535 5.7.8 no" : undefined),
		});
		await join("ada@example.com");
		const { code, stdout } = await run("send");
		expect(code).toBe(1);
		expect(stdout).toContain("letters paused");
		expect(stdout).toContain("535 5.7.8");
		expect(await letters()).toEqual(["ada@example.com waiting"]);
	});

	it("says EHLO with the name of the site", async () => {
		const server = await startScriptedServer((_, { line }) =>
			/^[EH].LO/.test(line) && line !== "EHLO orbit.example" ? "501 5.5.2 no name" : undefined,
		);
		const { join, run } = await open({}, { SMTP_URL: server.url });
		await join("ada@example.com");
		expect((await run("send")).stdout).toBe("1 accepted\n");
		const refused = await run("check --mail", "", {
			SMTP_URL: server.url,
			WAITLIST_MAIL_FROM: "hello@orbit.example",
			SITE_ORIGIN: "https://intranet",
		});
		expect(refused.stdout).toContain(
			"refuses EHLO intranet (501 5.5.2): the name comes from SITE_ORIGIN",
		);
	});
});

describe("a reply for good", () => {
	/** Each person's reply, and whether it bounces them. At one domain, because three that refuse us pause. */
	const replies: [name: string, reply: string, bounces: boolean][] = [
		["unknown", "550 5.1.1 user unknown", true],
		["moved", "551 5.1.6 moved", true],
		["null-mx", "556 5.1.10 null MX", true],
		["disabled", "550 5.2.1 disabled", true],
		["sender.blocked", "550 5.1.1 <sender.blocked@site.example> unknown", true],
		["sender", "550 5.1.0 sender rejected", false],
		["blocklist", "550 5.1.3 Client host blocked using zen.spamhaus.org", false],
		["quota", "550 5.1.1 552 5.2.2 Over quota", false],
		["bare", "550 no", false],
	];

	it("bounces a person only where it is about their mailbox, and `unbounce` takes all of a reply or a day", async () => {
		const said = new Map(replies.map(([name, reply]) => [`${name}@site.example`, reply]));
		const { join, run } = await open({
			answer: (step, to) => (step === "recipient" ? said.get(to) : undefined),
		});
		const day = new Date().toISOString().slice(0, 10);
		await join(...said.keys());
		await run("send");
		const unbounce = async (args: string) => {
			const { unbounced } = JSON.parse((await run(`unbounce ${args} --json`)).stdout);
			return unbounced.map(({ email }: { email: string }) => email.split("@")[0]).sort();
		};
		expect(await unbounce("--reply 5.1.1")).toEqual(["sender.blocked", "unknown"]);
		const bounced = replies.filter(([, , bounces]) => bounces).map(([name]) => name);
		expect((await unbounce(`--day ${day}`)).concat("sender.blocked", "unknown").sort()).toEqual(
			bounced.sort(),
		);
		expect((await run(`unbounce --day ${day}`)).stdout).toBe(
			"Nobody bounced with this reply or on this day.\n",
		);
		expect((await run("unbounce --reply %")).code).toBe(2);
	});
});

describe("waitlist preview", () => {
	it("shows an email, also before mail is set up, and sends it with links that are nobody's", async () => {
		const { mailServer, run } = await open();
		const text = await run("preview confirm", "", {});
		expect(text.stdout).toMatch(/^Subject: .+\n\n/);
		expect(text.stdout).toContain("https://your-site.example/confirm/");
		const html = await run("preview confirm --html");
		expect(html.stdout).toMatch(/^<!doctype html>/i);
		const { code, stdout } = await run("preview confirm --to ada@example.com");
		expect({ code, stdout }).toEqual({ code: 0, stdout: "Sent to ada@example.com.\n" });
		const sent = await readLetter(mailServer.kept[0]!);
		expect(sent.text).toContain("https://orbit.example/confirm/");
		expect(sent.html).toContain("https://orbit.example/leave/");
	});
});
