import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { findProgram } from "../../../bench/harness/browsers/find.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { sql } from "../../../src/server/database/sql.ts";
import { shownTime } from "../../../src/server/time.ts";
import { fillWaitlist } from "../../given/fill-waitlist.ts";
import { kind } from "../../given/kind.ts";
import { countRows } from "../../given/rows.ts";
import { postJoin, startServer, stopServer } from "../../server-process.ts";
import { failureOf, openCommandSetup, runCommand } from "../commands/command-setup.ts";
import { killCommand, killServer } from "../kills.ts";
import { sqlite3Program } from "../registrations/foreign-readers.ts";
import { openMailSetup } from "../waves/mail-setup.ts";
import { openWaveSetup } from "../waves/wave-setup.ts";

const NEWS = "Subject: News\n\nWe are nearly there.\n";

const open = () => openWaveSetup(kind);

async function restored(setup: Awaited<ReturnType<typeof open>>) {
	await setup.json("backup yesterday.db");
	const fresh = await open();
	return { ...fresh, first: await fresh.restore(join(setup.folder, "yesterday.db")) };
}

it(`a restore on ${kind} sends no email automatically, neither possibly sent nor unsent ones`, async () => {
	const setup = await open();
	await setup.people(2);
	await setup.json("invite 1 --wave due --yes");
	await setup.json("invite 1 --wave later --at 2099-01-01 --yes");
	await setup.join("ada@example.com");
	const fresh = await restored(setup);
	expect(fresh.first).toMatchObject({ unknown: 3 });
	await fresh.json("resume");
	expect(await fresh.take()).toEqual([]);
	expect(await fresh.json("resend --unknown")).toMatchObject({ resent: 3 });
	expect(await fresh.send()).toEqual(["P1@Example.com", "ada@example.com"]);
});

it("a gap starts at the backup, even if somebody unsubscribed since", async () => {
	const setup = await openWaveSetup("SQLite");
	await setup.people(2);
	await setup.json("invite 2 --wave due --yes");
	await setup.json("backup yesterday.db");
	const made = new Date().toISOString();
	await setup.json("unsubscribe P1@Example.com");
	const { gap, unknown } = await setup.restore("yesterday.db");
	expect(unknown).toBe(1);
	expect(gap.from < made && gap.until > made).toBe(true);
});

it(`a restore on ${kind} keeps the replaced database, and explains how to add people who joined since`, async () => {
	const setup = await openCommandSetup("SQLite");
	await setup.add("ada@example.com");
	await setup.json("backup yesterday.db");
	await setup.add("bob@example.com");
	const { stdout } = await setup.run("restore yesterday.db --without-file");
	expect(await setup.json("stats")).toMatchObject({ total: 1 });
	const [, database, args, since] =
		/^ {2}DATABASE_URL=(\S+\.replaced-\S+) waitlist (export .*)\n {2}waitlist import (\S+since\.jsonl)$/m.exec(
			stdout,
		)!;
	const env = { DATABASE_URL: database! };
	expect(await runCommand(setup.folder, args!.split(" "), { env })).toMatchObject({ code: 0 });
	expect(await setup.json(`import ${since}`)).toMatchObject({ added: 1, duplicates: 1 });
});

it(`a restore on ${kind} changes nothing while a server runs, if there are people, or when killed`, async () => {
	const setup = await openCommandSetup(kind);
	const large = join(setup.folder, "large.db");
	await fillWaitlist(large, 20_000);
	const server = await startServer(setup);
	await postJoin(server.url, "ada@example.com");
	const restore = () => setup.restore(large);
	const refusal = kind === "SQLite" ? " is in use: stop the server, " : " is not empty: create a ";
	await expect(restore()).rejects.toThrow(refusal);
	await stopServer(server);
	const empty = await openCommandSetup(kind);
	const data = join(empty.folder, "data");
	const names = async () => `${await readdir(data).catch(() => "")}`;
	const database = await openDatabase(
		kind === "SQLite" ? { kind: "sqlite", file: join(empty.folder, "other.db") } : empty.settings,
		{ create: true },
	);
	const adding = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
		AND pid <> pg_backend_pid() AND query LIKE '%INSERT INTO registration%'`;
	const isAtWork = async () =>
		kind === "SQLite"
			? /partial-wal.*partial-wal/.test(await names())
			: (await database.all(adding)).length > 0;
	const args = ["restore", large, "--without-file"];
	expect(await killCommand(empty, args, isAtWork, "SIGKILL")).toBe("SIGKILL");
	await database.close();
	if (kind === "SQLite") expect((await names()).split(",")).not.toContain("waitlist.db");
	else expect(await countRows(empty, "people")).toBe(0);
	expect(await empty.restore(large)).toMatchObject({ rows: { registration: 20_000 } });
	expect(await setup.json("stats")).toMatchObject({ total: 1 });
});

it(`a restore on ${kind} blocks new waves until the founder resolves unknown emails`, async () => {
	const setup = await open();
	await setup.people(3);
	const fresh = await restored(setup);
	const { from, until } = fresh.first.gap;
	const news = `news --wave news --message ${await fresh.message(NEWS)}`;
	for (const args of ["invite 2 --wave w --yes", `${news} --yes`, "confirm --source fair"]) {
		expect(await failureOf(fresh.run(args)), args).toContain(
			`sent between ${shownTime(from)} and ${shownTime(until)}.`,
		);
	}
	expect(await fresh.json(`${news} --dry-run`)).toMatchObject({ gap: { from, until }, adding: 3 });
	expect(await fresh.json("invite 1 --wave w --yes --despite-gap")).toMatchObject({ added: 1 });
	expect(await fresh.json("sent --complete")).toMatchObject({ notSent: 0 });
	expect(await fresh.json("invite 2 --wave w --yes")).toMatchObject({ added: 1 });
});

it(`a restore on ${kind} reads sent emails from the provider's log, even of unknown waves`, {
	tags: "slow",
}, async () => {
	const setup = await open();
	await setup.people(6);
	await setup.json("invite 4 --wave beta-1 --yes");
	const taken = (await setup.take()).sort((a, b) => (a.email < b.email ? -1 : 1));
	await setup.tell(
		...taken.slice(1).map(({ id }) => ({ id, state: "waiting", nextAt: 0, code: "" }) as const),
	);
	const fresh = await restored(setup);
	const marked = async (args: string, input: string) => {
		const log = join(fresh.folder, /[;,]/.test(input) ? "log.csv" : "log.txt");
		await writeFile(log, input);
		const { code, stdout, stderr } = await fresh.run(`sent --file ${log} --json${args}`);
		return { code, ...(stdout ? JSON.parse(stdout) : { stderr }) };
	};
	const none = { marked: 0, notFound: [] };
	const csv = "time;Email\n1;p1@example.com\n2;P2@example.com\n";
	expect(await marked("", csv)).toEqual({ code: 0, ...none, marked: 2, unknown: 2 });
	const notFound = ["nobody@example.com", "Recipient"];
	const text = `Recipient\nP1@Example.com\nP5@Example.com\n${notFound[0]}\n`;
	expect(await marked("", text)).toEqual({ ...none, code: 3, unknown: 2, notFound });
	const log = "Recipient,Subject\np5@example.com,Come in\np5@example.com,again\n";
	expect(await marked(" --wave beta-2", log)).toMatchObject({
		code: 3,
		stderr: expect.stringContaining("say its kind: --as invitation, or"),
	});
	const asBeta2 = " --wave beta-2 --as invitation";
	expect(await marked(asBeta2, log)).toEqual({ code: 0, ...none, marked: 1, unknown: 2 });
	expect(await marked(asBeta2, log)).toEqual({ code: 0, ...none, unknown: 2 });
	expect(await fresh.counts("beta-2")).toEqual({ accepted: 1 });
	expect(await fresh.counts("beta-1")).toEqual({ accepted: 2, unknown: 2 });
	const dry = await fresh.json("invite 9 --wave beta-3 --dry-run");
	expect(dry).toMatchObject({ had: 5, eligible: 1 });
	expect(await marked(" --complete", "p3@example.com\n")).toMatchObject({
		marked: 1,
		notSent: 1,
		unknown: 0,
	});
	expect(await fresh.send()).toEqual(["P4@Example.com"]);
});

/** 200 emails leave at once and 400 one by one, which leaves time to kill the server mid-wave. */
const { size, rate } = { size: 600, rate: "2000/1m" };

const patience = { interval: 20 };

it(`losing the database in the middle of a wave to ${size} sends nobody a second email, on ${kind}`, {
	tags: "slow",
}, async () => {
	const setup = await openMailSetup(kind, { rate });
	const { arrived, codes, counts, json, log, redeem, restore, start } = setup;
	await setup.people(size + 10);
	const lost = await start();
	await json(`invite ${size} --wave beta-1 --yes`);
	await expect.poll(arrived, patience).toBeGreaterThan(size / 4);
	await json("backup yesterday.db");
	const before = arrived();
	const [first] = await codes();
	expect(await redeem(lost.url, first!)).toMatchObject({ status: "redeemed" });
	await json(`invite ${size + 2} --wave beta-1 --yes`);
	await expect.poll(arrived, patience).toBeGreaterThan((size * 3) / 5);
	await killServer(lost);
	const sent = arrived();
	const notSent = Math.max(0, size - sent);
	await setup.lose();

	// Emails that may have been sent since the backup become `unknown`, and are not sent again.
	const { unknown, gap } = await restore("yesterday.db");
	const { accepted = 0, ...others } = await counts("beta-1");
	expect(others).toEqual({ unknown: size - accepted });
	expect(unknown).toBe(size - accepted);
	expect(accepted).toBeLessThanOrEqual(before);
	expect(gap).toMatchObject({ until: expect.stringMatching(/^20/) });
	const server = await start();
	await json("resume");
	const more = await setup.run(`invite ${size + 2} --wave beta-1 --yes`);
	expect(more).toMatchObject({ code: 1, stderr: expect.stringContaining("--despite-gap") });
	// Every delivered code works, even the one redeemed before the restore.
	for (const code of await codes()) {
		expect(await redeem(server.url, code)).toMatchObject({ status: "redeemed" });
		expect(await redeem(server.url, code)).toMatchObject({ status: "used" });
	}
	expect(arrived()).toBe(sent);

	// The provider's log resolves all unknown emails, and the wave continues.
	expect(await json(`sent --file ${await log()} --wave beta-1 --complete`)).toMatchObject({
		marked: sent - accepted,
		notFound: [],
		notSent,
	});
	await json(`invite ${size + 2} --wave beta-1 --yes`);
	await expect.poll(arrived, patience).toBe(size + 2);
	await expect
		.poll(() => counts("beta-1"), patience)
		.toEqual({ redeemed: sent, accepted: size + 2 - sent });
	for (const code of [...(await codes())].slice(sent)) {
		expect(await redeem(server.url, code)).toMatchObject({ status: "redeemed" });
	}
	console.log(`${kind}: ${accepted} known by the backup, ${unknown} unknown, ${sent} sent`);
});

it("the manual's recovery of a damaged file restores which emails were sent", {
	tags: "slow",
}, async () => {
	const sqlite3 = await findProgram(sqlite3Program);
	const manual = await readFile("src/server/operating/backups.md", "utf8");
	const [, salvage] = /(\(sqlite3 [\s\S]*?)```/.exec(manual)!;
	const setup = await openWaveSetup("SQLite");
	await setup.people(1500);
	await setup.json("invite 1000 --wave w --yes");
	for (let n = 0; n < 6; n++) await setup.send();
	await setup.json("backup yesterday.db");
	await setup.all(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
	const damaged = join(setup.folder, "damaged");
	await mkdir(damaged);
	await rename(join(setup.folder, "data/waitlist.db"), join(damaged, "waitlist.db"));
	const bytes = await readFile(join(damaged, "waitlist.db"));
	bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 20_000);
	await writeFile(join(damaged, "waitlist.db"), bytes);
	const commands = salvage!
		.replaceAll("/var/lib/orbit/damaged", damaged)
		.replaceAll("/var/lib/orbit", setup.folder)
		.replaceAll("/var/backups/orbit/2026-11-21.db", join(setup.folder, "yesterday.db"))
		.replaceAll("sqlite3 ", `${sqlite3} `)
		.replace("waitlist restore", "true");
	await promisify(execFile)("sh", ["-c", commands]);
	const { unknown } = await setup.restore("salvaged.db");
	const { accepted = 0, ...others } = await setup.counts("w");
	expect(others).toEqual({ unknown });
	expect(accepted).toBeGreaterThan(300);
	expect(accepted).toBeLessThanOrEqual(600);
});
