import { buildTree } from "../bench/harness/built-site.ts";

/** Before tests that run the product itself. */
export async function setup(): Promise<void> {
	await buildTree(process.cwd());
}
