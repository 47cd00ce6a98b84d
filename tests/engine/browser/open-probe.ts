import { bundleModule } from "../../../bench/harness/bundle.ts";
import { compiledRegl } from "../../../src/tooling/shaders/compiled-regl.ts";
import { minifyShaders } from "../../../src/tooling/shaders/minify-shaders.ts";
import { sharedChromium } from "../../shared.ts";

type Probe = Record<string, (...values: never[]) => unknown>;

export type CallProbe<P> = <Name extends keyof P>(
	name: Name,
	...values: P[Name] extends (...values: infer Values) => unknown ? Values : never
) => Promise<P[Name] extends (...values: never[]) => infer Answer ? Awaited<Answer> : never>;

/**
 * Loads a probe module into an empty page. It is built with the plugins of the site's engine.
 * @param name file name in `probes`, without `-probe.ts`
 */
export async function openProbe<P extends object>(name: string): Promise<CallProbe<P>> {
	const page = await (await sharedChromium()).newPage();
	await page.addScriptTag({
		content: await bundleModule(`tests/engine/browser/probes/${name}-probe.ts`, [
			compiledRegl(),
			minifyShaders(),
		]),
	});
	const ask = (name: string, ...values: unknown[]) =>
		page.evaluate(
			([name, values]) => (globalThis as never as { bundle: Probe }).bundle[name]!(...values),
			[name, values as never[]] as const,
		);
	return ask as CallProbe<P>;
}
