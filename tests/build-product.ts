import { buildProduct } from "../bench/harness/built-site.ts";
import { buildStage } from "./engine/browser/build-stage.ts";

export async function setup(): Promise<void> {
	await Promise.all([buildProduct(process.cwd()), buildStage()]);
}
