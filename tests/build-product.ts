import { buildTree } from "../bench/harness/built-site.ts";

/** Builds the product before the tests that run it. */
export async function setup(): Promise<void> {
	await buildTree(process.cwd());
}
