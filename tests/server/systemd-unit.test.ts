import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { findProgram } from "../../bench/harness/browsers/find.ts";
import { temporaryFolder } from "../temporary.ts";

/** Where operators copy the unit from. */
const README = "src/server/deploying/server.md";

/** Of 10: systemd calls what is below 4 "OK", and an ordinary service has 9. */
const MOST_EXPOSURE = 3;

/** The README's unit, with this machine's Node in the place of /usr/bin/node. */
async function writeDocumentedUnit(folder: string): Promise<string> {
	const documented = /```ini\n([\s\S]+?)```/.exec(await readFile(README, "utf8"))![1]!;
	const unit = documented.replace(/^(ExecStart=)\/usr\/bin\/node /m, `$1${process.execPath} `);
	expect(unit).toContain(`ExecStart=${process.execPath} dist/server/main.js\n`);
	const units = join(folder, "etc/systemd/system");
	await mkdir(units, { recursive: true });
	const file = join(units, "orbit.service");
	await writeFile(file, unit);
	return file;
}

const analyze = async (...args: string[]) => {
	const program = await findProgram({
		title: "systemd-analyze",
		variable: "SYSTEMD_ANALYZE_PATH",
		commands: ["systemd-analyze"],
		packages: ["systemd"],
	});
	const { stdout, stderr } = await promisify(execFile)(program, args);
	return stdout + stderr;
};

it("systemd finds nothing wrong with the README's unit", async () => {
	const file = await writeDocumentedUnit(await temporaryFolder());
	// It fails on a unit that cannot be started, and complains about settings that it does not know.
	expect(await analyze("verify", "--man=no", "--recursive-errors=no", file)).toBe("");
});

it(`systemd finds the exposure of the README's unit to be below ${MOST_EXPOSURE}`, async () => {
	const file = await writeDocumentedUnit(await temporaryFolder());
	const report = await analyze("security", "--offline=true", "--no-pager", file);
	const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(report)?.[1]);
	expect(exposure, report).toBeLessThan(MOST_EXPOSURE);
});
