/** @module-tag slow */
/** The benches with packages of their own, which neither `npm ci` nor `npm run check` knows. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { installPackages } from "../../bench/install-packages.ts";
import type { Comparison } from "../../bench/peers/compare.ts";

const node = (...words: string[]) => promisify(execFile)(process.execPath, words);

test.each(["bench/page-load", "bench/peers"])(
	"%s installs, and its types are right",
	async (folder) => {
		await installPackages(folder);
		await expect(node("node_modules/typescript/bin/tsc", "-b", folder)).resolves.toBeDefined();
	},
);

test("every arm of the comparison draws all sprites, on a canvas that is not blank", async () => {
	const { stdout } = await node("src/tooling/run.js", "bench/peers/peers.ts", "--quick", "--json");
	const { rows } = JSON.parse(stdout) as Comparison;
	const [floor, floorOfWorkers, ...arms] = rows;
	expect(floor).toMatchObject({ arm: "nothing", sprites: 0, lit: 0 });
	expect(floorOfWorkers).toMatchObject({ arm: "nothing-worker", sprites: 0, lit: 1 });
	expect(arms.map(({ arm }) => arm)).toEqual([
		...["ours-worker", "ours-page", "pixi", "tsparticles"],
		...["canvas-confetti-page", "canvas-confetti-worker", "js-confetti"],
	]);
	for (const { sprites, lit, pageMs, shipped } of arms) {
		expect(sprites).toBe(32);
		expect(lit).toBeGreaterThan(0.01);
		expect(pageMs).toBeGreaterThan(0);
		expect(shipped).toBeGreaterThan(1000);
	}
});
