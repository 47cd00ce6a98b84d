import { describe, expect, it } from "vitest";
import { recordFeedback } from "../../../src/server/mail/feedback/record-feedback.ts";
import { changeRows, given, readEmails, readPeople, removeRows } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { failureOf } from "../commands/command-setup.ts";
import { addressesOf } from "../commands/email-setup.ts";
import { MAIL_SETTINGS, openWaveSetup } from "./wave-setup.ts";

const NEWS = "Subject: News\n\nWe are nearly there.\n";
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe(`waves on ${kind}`, () => {
	const open = () => openWaveSetup(kind);

	it("invite the first confirmed people, and count the others by reason", async () => {
		const setup = await open();
		await setup.people(12);
		await given.people(setup, [
			{ email: "p1@example.com", flag: "honeypot", confirmed: false },
			{ email: "p2@example.com", unsubscribed: true },
			{ email: "p3@example.com", unsubscribed: true, bounced: true },
			{ email: "p4@example.com", bounced: true },
			{ email: "p5@example.com", confirmed: false },
		]);
		await setup.add("stranger@example.org");
		const numbers = {
			selected: 13,
			flagged: 1,
			unsubscribed: 2,
			bounced: 1,
			had: 0,
			unconfirmed: 2,
			eligible: 7,
		};
		const dry = await setup.json("invite 3 --wave beta-1 --dry-run");
		expect(dry).toMatchObject({ ...numbers, emails: 0, adding: 3 });
		expect(dry.email.text).toContain("https://orbit.example/invitation#");
		expect(dry.takesMs).toBe(Math.ceil((3 / 91) * 3_610_000));
		expect(await setup.inWave("beta-1")).toEqual([]);
		expect(await setup.json("waves")).toEqual({ waves: [] });
		expect(await setup.json("invite 3 --wave beta-1 --yes")).toMatchObject({ added: 3, emails: 3 });
		expect(await setup.inWave("beta-1")).toEqual([6, 7, 8]);
		expect(await setup.json("invite 9 --wave beta-2 --dry-run")).toMatchObject({
			...numbers,
			had: 3,
			eligible: 4,
			adding: 4,
		});
		expect(await setup.json("invite 9 --wave beta-2 --unconfirmed --dry-run")).toMatchObject({
			had: 3,
			unconfirmed: 0,
			eligible: 6,
			adding: 6,
		});
		await setup.json("invite 9 --wave beta-2 --unconfirmed --yes");
		expect(await setup.inWave("beta-2")).toEqual([5, 9, 10, 11, 12, Number.NaN]);
		const { stdout } = await setup.run("invite 1 --wave beta-3 --dry-run");
		expect(stdout).toMatch(/Eligible +0\n +Unsubscribed +2\n +Bounced +1\n +Flagged +1\n/);
	});

	it("count each email once", async () => {
		const setup = await open();
		await setup.people(9);
		await setup.json("invite 9 --wave w --expires 2d --yes");
		const taken = await setup.take();
		const idOf = (n: number) => taken.find(({ key }) => key === `p${n}@example.com`)!.id;
		expect(taken).toHaveLength(9);
		await setup.tell(
			...[1, 2, 3, 4].map((n) => ({ id: idOf(n), state: "accepted", code: "250" }) as const),
			{ id: idOf(5), state: "refused", code: "550 5.1.1", bounced: true },
			{ id: idOf(6), state: "refused", code: "552 5.2.2" },
			{ id: idOf(7), state: "unknown", code: "ETIMEDOUT" },
			{ id: idOf(8), state: "deferred", code: "450", nextAt: Date.now() + 60_000 },
		);
		await setup.inDatabase((database) =>
			database.transact(recordFeedback, {
				feedback: [
					{ kind: "bounce", emailId: idOf(4), address: "", status: "5.1.1", at: Number.NaN },
				],
				now: new Date(),
			}),
		);
		const [{ expires = "" } = {}] = await readEmails(setup, { to: "p1@example.com" });
		expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		expect(Math.round((Date.parse(expires) - Date.now()) / 3_600_000)).toBe(48);
		await given.email(setup, { to: "p2@example.com", wave: "w", expires: true });
		await given.email(setup, { to: "p3@example.com", wave: "w", redeemed: true });
		expect(await setup.counts("w")).toEqual({
			accepted: 1,
			expired: 1,
			redeemed: 1,
			bounced: 2,
			refused: 1,
			unknown: 1,
			waiting: 2,
		});
		const { stdout } = await setup.run("waves w");
		expect(stdout).toMatch(/^ {2}waiting +2$/m);
		expect(await setup.json("stats")).toMatchObject({
			invitations: { invited: 3, unknown: 1, redeemed: 1, expired: 1 },
		});
		await given.email(setup, { to: "p7@example.com", wave: "w", redeemed: true });
		expect(await setup.json("resend --unknown")).toMatchObject({ resent: 0 });
	});

	it("pause, resume and end", { tags: "slow" }, async () => {
		const setup = await open();
		await setup.people(6);
		await setup.json("invite 4 --wave w --yes");
		expect(await setup.json("pause w")).toMatchObject({ state: "paused", emails: 4 });
		expect(await setup.json("pause w")).toMatchObject({ emails: 0 });
		expect((await setup.run("invite 5 --wave w --yes")).stdout).toContain("This wave is paused");
		await setup.json("resend p3@example.com");
		expect(await setup.take()).toEqual([]);
		expect(await setup.json("resume w")).toMatchObject({ state: "open", emails: 5 });
		await changeRows(
			setup,
			"emails",
			{ nextAttempt: "2099-01-01T00:00:00.000Z" },
			{ to: "p2@example.com" },
		);
		expect(await setup.send()).toEqual([1, 3, 4, 5].map((n) => `P${n}@Example.com`));
		expect(await setup.counts("w")).toEqual({ accepted: 4, waiting: 1 });
		expect(await setup.json("cancel w")).toMatchObject({ state: "canceled", emails: 1 });
		expect(await setup.counts("w")).toEqual({ accepted: 4, canceled: 1 });
		for (const args of ["resume w", "pause w", "invite 6 --wave w --yes"]) {
			expect(await setup.run(args)).toMatchObject({ code: 1 });
		}
		expect(await failureOf(setup.run("pause none"), 3)).toMatch(/^There is no wave none: see /);
		await setup.json("invite 9 --wave next --yes");
		expect(await setup.inWave("next")).toEqual([2, 6]);
		expect((await setup.run("waves")).stdout).toMatch(
			/^w: invitation, canceled, 5 of 5 emails, from \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
		);
	});

	it("select by source and file, and list addresses of the file that are not on the list", {
		tags: "slow",
	}, async () => {
		const setup = await open();
		await setup.people(3);
		await setup.add("ada@other.example", "bob@sub.other.example");
		const file = await setup.message(
			"P2@example.com\nnobody@example.com\nAda@Other.example\n",
			"who.txt",
		);
		const eligible = async (args: string) =>
			(await setup.json(`invite 9 --wave w --unconfirmed --dry-run ${args}`)).eligible;
		expect(await eligible("--source fair")).toBe(3);
		const named = await setup.run(`invite 9 --wave w --unconfirmed --yes --json --file ${file}`);
		expect(named.code).toBe(3);
		expect(JSON.parse(named.stdout)).toMatchObject({ added: 2, notFound: ["nobody@example.com"] });
	});

	it("continue under the same name, but not with other options", { tags: "slow" }, async () => {
		const setup = await open();
		await setup.people(8);
		const message = await setup.message("Subject: Hello\n\nCome in by {link} before {expires}.\n");
		const first = `invite 3 --wave beta-1 --expires 7d --message ${message} --yes`;
		await setup.json(first);
		// Simulates a kill before the whole wave was stored.
		await removeRows(setup, "emails", { to: "p2@example.com" });
		expect(await setup.json(first)).toMatchObject({ added: 1, emails: 3 });
		expect(await setup.json(first)).toMatchObject({ added: 0, emails: 3 });
		expect(await setup.json("invite 5 --wave beta-1 --yes")).toMatchObject({ added: 2, emails: 5 });
		expect(await setup.inWave("beta-1")).toEqual(range(1, 5));
		const other = await setup.message("Subject: Other\n\nWords.\n", "other.txt");
		for (const args of [
			`invite 9 --wave beta-1 --message ${other} --yes`,
			"invite 9 --wave beta-1 --expires 8d --yes",
			"invite 9 --wave beta-1 --at 2031-01-01 --yes",
			`news --wave beta-1 --message ${other} --yes`,
		]) {
			expect(await failureOf(setup.run(args))).toContain(
				"already exists with another kind, message, time or expiry",
			);
		}
		expect(await setup.inWave("beta-1")).toEqual(range(1, 5));
	});

	it("send nothing to people who unsubscribed, bounced, were flagged or invited since, nor after canceling", async () => {
		const setup = await open();
		await setup.people(9);
		await setup.json("invite 7 --wave w --yes");
		await setup.unsubscribe("p1@example.com");
		await given.people(setup, [
			{ email: "p2@example.com", unsubscribed: true },
			{ email: "p3@example.com", bounced: true },
			{ email: "p4@example.com", flag: "honeypot" },
		]);
		await setup.json("delete p5@example.com");
		await given.email(setup, { to: "p6@example.com", wave: "old", state: "accepted" });
		expect(await setup.send()).toEqual(["P7@Example.com"]);
		expect(await setup.counts("w")).toEqual({ accepted: 1, refused: 4, bounced: 1 });
		const refused = await readEmails(setup, { wave: "w", state: "refused" });
		const never = { attempts: 0, ended: "", expires: "" };
		expect(refused.slice(1)).toMatchObject([
			{ to: "p2@example.com", reason: "unsubscribed", ...never },
			{ to: "p3@example.com", reason: "bounced", ...never },
			{ to: "p4@example.com", reason: "flagged", ...never },
			{ to: "p6@example.com", reason: "invited", ...never },
		]);
		await setup.json("invite 3 --wave v --yes");
		await given.wave(setup, { name: "v", state: "canceled" });
		expect(await setup.send()).toEqual([]);
		expect(await setup.counts("v")).toEqual({ canceled: 2 });
	});

	it("send news once to all confirmed people, or to uninvited people", {
		tags: "slow",
	}, async () => {
		const setup = await open();
		await setup.people(4);
		await setup.add("stranger@example.org");
		await setup.json("invite 1 --wave w --yes");
		const message = await setup.message(NEWS);
		const write = (rest: string) => setup.json(`news --message ${message} --yes ${rest}`);
		expect(await write("--wave rest --uninvited")).toMatchObject({ added: 3 });
		expect(await write("--wave all")).toMatchObject({ added: 4 });
		await setup.people(1, 5);
		expect(await write("--wave all")).toMatchObject({ added: 1, emails: 5 });
		expect(await setup.inWave("rest")).toEqual([2, 3, 4]);
		const taken = await setup.take();
		expect(taken.filter(({ wave }) => wave === "all")).toHaveLength(5);
		expect(taken.find(({ wave }) => wave === "all")).toMatchObject({
			kind: "news",
			subject: "News",
			message: "We are nearly there.",
			expiresAt: "",
		});
	});

	it("send confirmation emails first, and start at their time", async () => {
		const setup = await open();
		await setup.people(150);
		await setup.json("invite 150 --wave w --yes");
		await setup.join("ada@example.com");
		expect(addressesOf(await setup.take())).toContain("ada@example.com");
		const past = await setup.run("invite 1 --wave past --at 2026-01-31 --yes");
		expect(past.stderr).toMatch(/^2026-01-31 00:00 UTC is in the past\. /);
		expect((await setup.run("waves past")).code).toBe(3);
		const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
		await setup.people(1, 151);
		const dry = await setup.run(`invite 1 --wave later --at ${tomorrow} --dry-run`);
		expect(dry.stdout).toContain(`Starts: ${tomorrow} 00:00 UTC\n`);
		expect(dry.stdout).toMatch(/Finishes by: \d{4}-\d\d-\d\d \d\d:\d\d UTC\n/);
		await setup.json(`invite 1 --wave later --at ${tomorrow} --yes`);
		await setup.take();
		expect(await setup.inWave("later")).toEqual([151]);
		await setup.json("resume");
		await setup.take();
		expect(await setup.inWave("later")).toEqual([151]);
	});

	it("are deleted with their people some days after they were sent", { tags: "slow" }, async () => {
		const setup = await open();
		await setup.people(4);
		await setup.json("invite 3 --wave w --yes");
		const taken = await setup.take();
		const idOf = (n: number) => taken.find(({ key }) => key === `p${n}@example.com`)!.id;
		await setup.tell(
			{ id: idOf(1), state: "accepted", code: "250" },
			{ id: idOf(2), state: "accepted", code: "250" },
			{ id: idOf(3), state: "refused", code: "552 5.2.2" },
		);
		const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
		await changeRows(setup, "emails", { ended: ago(91) });
		await changeRows(setup, "emails", { ended: ago(89) }, { id: idOf(2) });
		expect(await setup.json("delete --invited-before 90d")).toMatchObject({ deleted: 1 });
		expect(await readPeople(setup)).toHaveLength(3);
		expect(await setup.inWave("w", "accepted")).toEqual([2]);
	});
});

describe("a wave", () => {
	it("is refused if mail is off, and without a terminal or --yes", { tags: "slow" }, async () => {
		const setup = await openWaveSetup("SQLite");
		await setup.people(1);
		expect(await failureOf(setup.run("invite 1 --wave w"), 2)).toContain(
			"review with --dry-run, then add --yes",
		);
		expect(await setup.json("waves")).toEqual({ waves: [] });
		for (const name of Object.keys(MAIL_SETTINGS)) delete setup.env[name];
		expect(await failureOf(setup.run("invite 1 --wave w --dry-run"))).toContain(
			"set SMTP_URL, WAITLIST_MAIL_FROM and SITE_ORIGIN",
		);
	});

	it("is refused with an email that cannot be sent", { tags: "slow" }, async () => {
		const setup = await openWaveSetup("SQLite");
		for (const [text, sentence] of [
			["Hello\n\nWords.", "must start with a line `Subject: …`"],
			["Subject: Hello\n\nDear { code },", "{ code } is not a placeholder: use only {link}"],
			["Subject: Hello\n\n\x1b[31mWords.", "it is not text in UTF-8"],
			["Subject: Hello\n\n\nDear you,\n\n# Big", `line 6 has "# Big"`],
			[`Subject: Hello\n\n${"x".repeat(50_000)}`, "it is larger than 50 kB"],
			[`Subject: ${"x".repeat(151)}\n\nWords.`, "its subject is longer than 150 characters"],
		] as const) {
			const file = await setup.message(text);
			const run = setup.run(`invite 1 --wave w --yes --message ${file}`);
			expect(await failureOf(run)).toContain(sentence);
		}
		const file = await setup.message("Subject: News\n\nYour {code}.");
		expect((await setup.run(`news --wave w --yes --message ${file}`)).stderr).toContain(
			"{code} is not a placeholder: news emails have none",
		);
		for (const args of ["invite 0 --wave w", "invite 1 --wave a/b"]) {
			expect(await setup.run(args)).toMatchObject({ code: 2 });
		}
	});
});
