import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { findProgram } from "../../bench/harness/browsers/find.ts";
import { systemdProgram } from "../install-programs.ts";
import { temporaryFolder } from "../temporary.ts";

const README = "src/server/deploying/server.md";

/** Of 10: systemd calls what is below 4 "OK", and an ordinary service has 9. */
const MOST_EXPOSURE = 3;

/** The README's units, with this machine's Node in the place of /usr/bin/node. Gives their files. */
async function writeDocumentedUnits(): Promise<string[]> {
	const text = await readFile(README, "utf8");
	const documented = text.matchAll(/`\/etc\/systemd\/system\/(\S+)`:\n\n```ini\n([\s\S]+?)```/g);
	const units = join(await temporaryFolder(), "etc/systemd/system");
	await mkdir(units, { recursive: true });
	return Promise.all(
		[...documented].map(async ([, name, unit]) => {
			const file = join(units, name!);
			await writeFile(
				file,
				unit!.replace(/^(ExecStart=)\/usr\/bin\/node /m, `$1${process.execPath} `),
			);
			return file;
		}),
	);
}

const analyze = async (...args: string[]) => {
	const program = await findProgram(systemdProgram);
	const { stdout, stderr } = await promisify(execFile)(program, args);
	return stdout + stderr;
};

it("systemd finds nothing wrong with the README's units, each of which is enabled there", async () => {
	const files = await writeDocumentedUnits();
	expect(files.map((file) => basename(file))).toEqual([
		...["orbit.service", "orbit-nightly.service", "orbit-nightly.timer"],
	]);
	// It fails on a unit that cannot be started, and complains about settings that it does not know.
	expect(await analyze("verify", "--man=no", "--recursive-errors=no", ...files)).toBe("");
	const text = await readFile(README, "utf8");
	for (const file of files) {
		if (!(await readFile(file, "utf8")).includes("[Install]")) continue;
		const name = basename(file).replace(/\.service$/, "");
		expect(text).toContain(`systemctl enable --now ${name}\n`);
	}
});

it(`systemd finds the exposure of the README's services to be below ${MOST_EXPOSURE}`, async () => {
	const files = (await writeDocumentedUnits()).filter((file) => file.endsWith(".service"));
	const report = await analyze("security", "--offline=true", "--no-pager", ...files);
	const exposures = [...report.matchAll(/Overall exposure level for \S+: ([\d.]+)/g)];
	expect(exposures).toHaveLength(files.length);
	for (const [line, exposure] of exposures) {
		expect(Number(exposure), line).toBeLessThan(MOST_EXPOSURE);
	}
});
