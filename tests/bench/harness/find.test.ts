import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findProgram } from "../../../bench/harness/browsers/find.ts";

let folder = "";
const wanted = {
	title: "Quux",
	variable: "QUUX_PATH",
	commands: ["quux"],
	packages: ["quux", "quux-fonts"],
};

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "find-"));
	// PATH holds only this folder, so no real program is found, not even apt-get.
	vi.stubEnv("PATH", folder);
});

afterEach(async () => {
	vi.unstubAllEnvs();
	await rm(folder, { recursive: true });
});

async function addProgram(name: string, script = ""): Promise<string> {
	const file = join(folder, name);
	await writeFile(file, `#!/bin/sh\n${script}`);
	await chmod(file, 0o755);
	return file;
}

test("the variable takes precedence over the path, even if it names no program", async () => {
	await addProgram("quux");
	const other = await addProgram("other");
	vi.stubEnv("QUUX_PATH", other);
	expect(await findProgram(wanted)).toBe(other);
	vi.stubEnv("QUUX_PATH", `${other}s`);
	await expect(findProgram(wanted)).rejects.toThrow(`QUUX_PATH names ${other}s, which is not a `);
});

test("one sentence reports what is missing, why, and what to do", async () => {
	await expect(findProgram(wanted)).rejects.toThrow(
		"Quux is missing (apt-get is not available): install it " +
			"(Debian: apt-get install quux quux-fonts) or name its file in QUUX_PATH.",
	);
});

/**
 * Adds a fake `apt-get`: `update` fails while the file `lock` exists, and `install` finds no
 * package before `update`.
 */
async function addApt(): Promise<() => Promise<string[]>> {
	await addProgram("sudo", `shift; "$@"`);
	await addProgram(
		"apt-get",
		`cd ${folder}
		echo "$1" >> calls
		if [ "$1" = update ]; then
			if [ -e lock ]; then
				echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 9 (apt-get)"
				echo "E: Unable to lock directory /var/lib/apt/lists/"
				exit 100
			fi
			echo > lists
		elif [ -e lists ]; then
			/bin/cp sudo quux
		else
			echo "E: Unable to locate package quux"
			exit 100
		fi`,
	);
	return async () => (await readFile(join(folder, "calls"), "utf8")).trim().split("\n");
}

test("installs missing programs without fetching lists that exist", async () => {
	const calls = await addApt();
	await writeFile(join(folder, "lists"), "");
	expect(await findProgram(wanted)).toBe(join(folder, "quux"));
	expect(await calls()).toEqual(["install"]);
});

test("waits while another process holds apt's list lock", async () => {
	const calls = await addApt();
	await writeFile(join(folder, "lock"), "");
	const found = findProgram(wanted);
	await expect.poll(async () => (await calls()).slice(0, 2)).toEqual(["install", "update"]);
	await rm(join(folder, "lock"));
	expect(await found).toBe(join(folder, "quux"));
	expect(await calls()).toEqual(["install", "update", "update", "install"]);
});
