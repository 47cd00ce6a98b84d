import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const pages = [
	"operating.md",
	...["operating", "deploying"].flatMap((folder) =>
		readdirSync(join("src/server", folder)).map((file) => join(folder, file)),
	),
].map((file) => readFileSync(join("src/server", file), "utf8"));

/** Blocks that hold settings only: people copy them into files for systemd and container engines. */
const blocks = pages
	.flatMap((page) => [...page.matchAll(/```sh\n([\s\S]+?)```/g)].map(([, block = ""]) => block))
	.map((block) => block.trim().split("\n"))
	.filter((lines) => lines.every((line) => /^(?:#|[A-Z_]+=)/.test(line)));

it("no setting in the documents has a comment behind it, which systemd and engines take for its value", () => {
	expect(blocks.length).toBeGreaterThan(4);
	expect(blocks.flat().filter((line) => /^[A-Z_]+=.*\s#/.test(line))).toEqual([]);
});
