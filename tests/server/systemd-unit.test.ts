import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { findProgram } from "../../bench/harness/browsers/find.ts";
import { systemdProgram } from "../install-programs.ts";
import { temporaryFolder } from "../temporary.ts";

const README = "src/server/deploying/server.md";

/** systemd rates exposure from 0 to 10: less than 4 is "OK", typical services have 9. */
const MOST_EXPOSURE = 3;

/** Writes the README's units with this machine's Node. Returns the files. */
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

it("systemd accepts the README's units, and the README enables each", async () => {
	const files = await writeDocumentedUnits();
	expect(files.map((file) => basename(file))).toEqual([
		...["orbit.service", "orbit-nightly.service", "orbit-nightly.timer"],
	]);
	// `verify` fails if a unit cannot start, and warns about unknown settings.
	expect(await analyze("verify", "--man=no", "--recursive-errors=no", ...files)).toBe("");
	const text = await readFile(README, "utf8");
	for (const file of files) {
		if (!(await readFile(file, "utf8")).includes("[Install]")) continue;
		const name = basename(file).replace(/\.service$/, "");
		expect(text).toContain(`systemctl enable --now ${name}\n`);
	}
});

it(`systemd rates the exposure of the README's services below ${MOST_EXPOSURE}`, async () => {
	const files = (await writeDocumentedUnits()).filter((file) => file.endsWith(".service"));
	const report = await analyze("security", "--offline=true", "--no-pager", ...files);
	const exposures = [...report.matchAll(/Overall exposure level for \S+: ([\d.]+)/g)];
	expect(exposures).toHaveLength(files.length);
	for (const [line, exposure] of exposures) {
		expect(Number(exposure), line).toBeLessThan(MOST_EXPOSURE);
	}
});
