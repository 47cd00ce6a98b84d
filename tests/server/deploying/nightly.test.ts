import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import {
	backupRetentionDays,
	invitedRetentionDays,
	waitlistRetentionMonths,
} from "#shared/retention.ts";
import { envWithClockAhead } from "../../env-with-clock-ahead.ts";
import { kind } from "../../given/kind.ts";
import { openCommandSetup, runProgram } from "../commands/command-setup.ts";

const script = resolve("src/server/deploying/nightly.sh");

const DAY_MS = 86_400_000;

const old = (email: string) => `{"email":"${email}","joinedAt":"2020-01-01"}`;

async function open() {
	const setup = await openCommandSetup(kind);
	await symlink(resolve("dist"), join(setup.folder, "dist"));
	const night = (more: Record<string, string> = {}) =>
		runProgram(setup.folder, ["sh", script, "backups"], { env: { ...setup.env, ...more } });
	const joinLongAgo = (email: string) =>
		setup.json("import - --format jsonl", `${old(email)}\n{"email":"today@example.com"}`);
	return { ...setup, night, joinLongAgo };
}

it(`the nightly script on ${kind} makes one backup per day, and deletes people at every run`, async () => {
	const { folder, json, night, joinLongAgo } = await open();
	await joinLongAgo("ada@example.com");
	expect(await night()).toMatchObject({ code: 0, stderr: "" });
	const backups = await readdir(join(folder, "backups"));
	expect(backups).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\.db$/)]);
	const made = await readFile(join(folder, "backups", backups[0]!));
	expect(await json("stats")).toMatchObject({ total: 1, deleted: 1 });

	await joinLongAgo("bob@example.com");
	expect(await night()).toMatchObject({ code: 0, stderr: "" });
	expect(await json("stats")).toMatchObject({ total: 1, deleted: 2 });
	expect(await readdir(join(folder, "backups"))).toEqual(backups);
	expect(await readFile(join(folder, "backups", backups[0]!))).toEqual(made);
});

it(`the nightly script on ${kind} deletes no people and no backups if the clock is three years ahead`, {
	tags: "slow",
}, async () => {
	const { folder, json, add, night } = await open();
	await add("ada@example.com");
	const backup = join(folder, "backups/2020-01-01.db");
	await mkdir(join(folder, "backups"));
	await writeFile(backup, "");
	await utimes(backup, 0, 0);
	const { code, stderr } = await night(envWithClockAhead(3 * 365 * DAY_MS));
	expect(code).toBe(1);
	expect(stderr).toContain("No one was deleted.");
	expect(await readFile(backup, "utf8")).toBe("");
	expect(await json("stats")).toMatchObject({ total: 1, deleted: 0 });
	expect((await night()).code).toBe(0);
	await expect(readFile(backup)).rejects.toThrow("ENOENT");
});

it(`the nightly script on ${kind} deletes people even if no backup can be written, and exits with 1`, {
	tags: "slow",
}, async () => {
	const { folder, json, night, joinLongAgo } = await open();
	await joinLongAgo("ada@example.com");
	await writeFile(join(folder, "backups"), "not a folder");
	const { code, stderr } = await night();
	expect(code).toBe(1);
	expect(stderr).toContain("backups");
	expect(await json("stats")).toMatchObject({ total: 1, deleted: 1 });
});

it(`the nightly script on ${kind} deletes only backups before the policy's age and files left by killed backups`, {
	tags: "slow",
}, async () => {
	const { folder, json, night } = await open();
	await json("import -");
	const days = (n: number) => new Date(Date.now() - n * DAY_MS);
	const files = {
		"2020-01-01.db": backupRetentionDays - 0.5,
		"2020-01-02.db.12-0a.partial-wal": 40,
		"2020-02-01.db": 33,
		"waitlist.db": 400,
	};
	await mkdir(join(folder, "backups"));
	for (const [name, age] of Object.entries(files)) {
		await writeFile(join(folder, "backups", name), "");
		await utimes(join(folder, "backups", name), days(age), days(age));
	}
	expect((await night()).code).toBe(0);
	const today = `${new Date().toISOString().slice(0, 10)}.db`;
	expect((await readdir(join(folder, "backups"))).sort()).toEqual(
		["2020-02-01.db", today, "waitlist.db"].sort(),
	);
});

it("keeps the times that the privacy policy promises", async () => {
	const text = await readFile(script, "utf8");
	expect(text).toContain(`--older-than ${waitlistRetentionMonths} `);
	expect(text).toContain(`--invited-before ${invitedRetentionDays}d `);
	// Adds two days: `find -mtime` rounds ages down, and the script runs once a day.
	expect(Number(/-mtime \+(\d+)/.exec(text)![1]) + 2).toBeLessThanOrEqual(backupRetentionDays);
});
