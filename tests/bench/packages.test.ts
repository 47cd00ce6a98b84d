/** @module-tag slow */
/** Benches with separate packages, which neither `npm ci` nor `npm run check` covers. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { installPackages } from "../../bench/install-packages.ts";

const node = (...words: string[]) => promisify(execFile)(process.execPath, words);

test.each(["bench/page-load"])("%s installs and type-checks", async (folder) => {
	await installPackages(folder);
	await expect(node("node_modules/typescript/bin/tsc", "-b", folder)).resolves.toBeDefined();
});
