import { brotliCompressSync } from "node:zlib";
import { build } from "vite";
import { compiledRegl } from "../../src/tooling/shaders/compiled-regl.ts";
import { leanShaders } from "../../src/tooling/shaders/lean-shaders.ts";

export interface File {
	code: string;
	/** Bytes after brotli 11. */
	brotli: number;
}

/** An arm as a site would ship it: minified, in the files a page would fetch. */
export interface Built {
	name: string;
	inWorker: boolean;
	entry: string;
	files: ReadonlyMap<string, File>;
}

interface Output {
	fileName: string;
	isEntry?: boolean;
	code?: string;
	source?: string;
}

export async function buildArm(name: string, inWorker: boolean): Promise<Built> {
	const plugins = () => [compiledRegl(), leanShaders()];
	const { output } = (await build({
		configFile: false,
		logLevel: "error",
		plugins: plugins(),
		worker: { format: "es", plugins },
		build: {
			write: false,
			target: "es2022",
			minify: true,
			modulePreload: false,
			assetsInlineLimit: 0,
			rolldownOptions: {
				input: `bench/peers/arms/${name}.ts`,
				preserveEntrySignatures: "strict",
				checks: { pluginTimings: false },
			},
		},
	})) as unknown as { output: Output[] };
	const files = output.map(({ fileName, code, source }): [string, File] => {
		const text = code ?? source ?? "";
		return [`/${fileName}`, { code: text, brotli: brotliCompressSync(text).length }];
	});
	const entry = output.find(({ isEntry }) => isEntry)!;
	return { name, inWorker, entry: `/${entry.fileName}`, files: new Map(files) };
}
