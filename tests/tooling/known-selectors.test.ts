/* What the build warns of. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, createLogger } from "vite";
import { expect, test } from "vitest";
import { knownSelectors } from "../../src/tooling/known-selectors.ts";
import { temporaryFolder } from "../temporary.ts";

test("the build is silent about selectors that we know, and about no others", async () => {
	const root = await temporaryFolder();
	const input = join(root, "index.css");
	await writeFile(input, "a:target-current { color: red }\na:target-curent { color: red }\n");
	const warnings: string[] = [];
	const customLogger = { ...createLogger("silent"), warn: (text: string) => warnings.push(text) };
	const [plugins, rolldownOptions] = [[knownSelectors()], { input }];
	await build({
		configFile: false,
		logLevel: "warn",
		root,
		customLogger,
		plugins,
		build: { rolldownOptions },
	});
	expect(warnings).toEqual([expect.stringContaining("'target-curent' is not recognized")]);
});
