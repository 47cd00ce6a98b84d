import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
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
	// Nothing else is on the path: no apt-get either.
	vi.stubEnv("PATH", folder);
});

afterEach(async () => {
	vi.unstubAllEnvs();
	await rm(folder, { recursive: true });
});

async function addProgram(name: string): Promise<string> {
	const file = join(folder, name);
	await writeFile(file, "#!/bin/sh\n");
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
