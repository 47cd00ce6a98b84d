import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { findProgram, installPrograms } from "../../../bench/harness/browsers/find.ts";

let folder = "";
const wanted = {
	title: "Quux",
	variable: "QUUX_PATH",
	commands: ["quux"],
	packages: ["quux", "quux-fonts"],
};

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "find-"));
	// Nothing else is on the path: no apt-get either.
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

test("the variable is believed before the path", async () => {
	await addProgram("quux");
	const other = await addProgram("other");
	vi.stubEnv("QUUX_PATH", other);
	expect(await findProgram(wanted)).toBe(other);
});

test("a variable that names no program is an error, not a reason to look elsewhere", async () => {
	await addProgram("quux");
	vi.stubEnv("QUUX_PATH", join(folder, "nothing"));
	await expect(findProgram(wanted)).rejects.toThrow(
		`QUUX_PATH names ${folder}/nothing, which is not a program that can be run.`,
	);
});

test("the path is searched, then the known places", async () => {
	const place = await addProgram("elsewhere");
	expect(await findProgram({ ...wanted, places: [join(folder, "no"), place] })).toBe(place);
	const quux = await addProgram("quux");
	expect(await findProgram({ ...wanted, places: [place] })).toBe(quux);
});

test("one sentence says what is missing, why, and what to do", async () => {
	await expect(findProgram(wanted)).rejects.toThrow(
		"Quux is missing (there is no apt-get here to install it with): install it " +
			"(Debian: apt-get install quux quux-fonts) or name its file in QUUX_PATH.",
	);
});

/**
 * An `apt-get` that behaves like apt 2.6: it never waits for a lock (of the lists, here the file
 * `lock`), and finds no package before the lists were fetched.
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

test("what is missing is installed without fetching lists that are there", async () => {
	const calls = await addApt();
	await writeFile(join(folder, "lists"), "");
	expect(await findProgram(wanted)).toBe(join(folder, "quux"));
	expect(await calls()).toEqual(["install"]);
});

test("while another process holds the lock of apt's lists, it is waited for", async () => {
	const calls = await addApt();
	await writeFile(join(folder, "lock"), "");
	const found = findProgram(wanted);
	await expect.poll(async () => (await calls()).slice(0, 2)).toEqual(["install", "update"]);
	await rm(join(folder, "lock"));
	expect(await found).toBe(join(folder, "quux"));
	expect(await calls()).toEqual(["install", "update", "update", "install"]);
});

test("a lock that is held for more than ten minutes is what is missing", async () => {
	const calls = await addApt();
	await writeFile(join(folder, "lock"), "");
	vi.useFakeTimers({ toFake: ["Date"] });
	onTestFinished(() => void vi.useRealTimers());
	const found = findProgram(wanted);
	const failed = expect(found).rejects.toThrow(
		"Quux is missing (apt-get update failed: E: Unable to lock directory /var/lib/apt/lists/): ",
	);
	await expect.poll(async () => (await calls()).length).toBe(2);
	vi.setSystemTime(Date.now() + 601_000);
	await failed;
});

test("two that miss the same program call apt one after the other, and only once", async () => {
	const calls = await addApt();
	const found = await Promise.all([findProgram(wanted), findProgram(wanted)]);
	expect(found).toEqual([join(folder, "quux"), join(folder, "quux")]);
	expect(await calls()).toEqual(["install", "update", "install"]);
});

test("what is missing of several programs is installed by one call, and the rest is told", async () => {
	const calls = await addApt();
	await writeFile(join(folder, "lists"), "");
	const other = {
		title: "Corge",
		variable: "CORGE_PATH",
		commands: ["corge"],
		packages: ["corge"],
	};
	expect(await installPrograms([wanted, other])).toEqual([
		"Corge is missing (its packages did not bring it): " +
			"install it (Debian: apt-get install corge) or name its file in CORGE_PATH.",
	]);
	expect(await calls()).toEqual(["install", "install"]);
	const third = { ...other, packages: ["grault"] };
	const sentences = await installPrograms([other, third]);
	expect(sentences[2]).toBe("All of it, on Debian: apt-get install corge grault");
});

test("a missing program is told in one line, whichever test asked for it", async () => {
	const { stack } = await findProgram(wanted).catch((error) => error);
	expect(stack.split("\n")).toHaveLength(1);
});
