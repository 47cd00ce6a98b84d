import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { buildApp, readSiteOrigin } from "./src/tooling/build.ts";
import { warnOfBrandFaults } from "./src/tooling/check-brand.ts";
import { brandColors } from "./src/tooling/colors/brand-styles.ts";
import { devServer } from "./src/tooling/dev-server.ts";
import { subsetFonts } from "./src/tooling/fonts/subset-fonts.ts";
import { silenceSelectorWarnings } from "./src/tooling/known-selectors.ts";
import { compiledRegl } from "./src/tooling/shaders/compiled-regl.ts";
import { minifyShaders } from "./src/tooling/shaders/minify-shaders.ts";
import { threadPlugin } from "./src/tooling/thread.ts";

/** React, wouter and zustand in one chunk: they are needed together and change together. */
const framework = /node_modules\/(react|react-dom|scheduler|wouter|regexparam|zustand)\//;

/** The brand, and small modules that nearly every page imports: each would otherwise be a separate request. */
const small =
	/src\/(?:brand|words\/\w+|shared\/(?:join|retention)|site\/address|site\/stage\/theme)\.ts$/;

/**
 * Unit tests that need a document. They form a separate project, because a worker has only one
 * environment: mixed with other unit tests, each change of environment would start a new worker.
 */
const inDocument = [
	"tests/site/{client,moon,stage}/**/*.test.{ts,tsx}",
	"tests/site/*.test.tsx",
	"tests/engine/page/create-engine.test.ts",
	"tests/engine/render/drawing.test.ts",
];

/** Tests that run the built product. All other test files are unit tests. */
const onProduct = [
	"tests/{bench,server,tooling}/**/*.test.ts",
	"tests/site/prerender/**/*.test.ts",
	"tests/*/browser/**/*.test.ts",
];

export default defineConfig({
	appType: "custom",
	publicDir: "src/site/public",
	plugins: [
		react(),
		subsetFonts(),
		brandColors(),
		warnOfBrandFaults(),
		devServer(),
		threadPlugin(),
		compiledRegl(),
		minifyShaders(),
		silenceSelectorWarnings(),
	],
	worker: { format: "es", plugins: () => [compiledRegl(), minifyShaders()] },
	define: {
		"import.meta.env.SITE_ORIGIN": JSON.stringify(readSiteOrigin(process.env.SITE_ORIGIN)),
	},
	build: { target: "es2022", emptyOutDir: true, assetsInlineLimit: 0 },
	environments: {
		client: {
			build: {
				outDir: "dist/site",
				manifest: true,
				rolldownOptions: {
					input: {
						boot: "src/site/client/boot.ts",
						invitation: "src/site/link-pages/invitation.ts",
						main: "src/site/client/main.tsx",
						styles: "src/site/styles/index.css",
						"link-pages": "src/site/styles/link-pages.css",
						admin: "src/site/styles/admin.css",
					},
					// Disables a warning: compiling regl's procedures is slow.
					checks: { pluginTimings: false },
					output: {
						codeSplitting: {
							groups: [
								{ name: "react", test: framework },
								{ name: "brand", test: small },
							],
						},
					},
				},
			},
		},
		prerender: {
			consumer: "server",
			build: {
				outDir: "node_modules/.cache/prerender",
				rolldownOptions: { input: { prerender: "src/site/prerender/prerender.tsx" } },
			},
		},
		server: {
			consumer: "server",
			build: {
				outDir: "dist/server",
				copyPublicDir: false,
				rolldownOptions: {
					input: {
						main: "src/server/main.ts",
						cli: "src/server/cli.ts",
						health: "src/server/health.ts",
					},
				},
			},
		},
	},
	builder: { buildApp },
	test: {
		// Many tests wait for disks and timers, so four workers keep two cores busy.
		maxWorkers: 4,
		// Timeouts only for hanging tests: others finish long before, even on a busy machine. No test sets
		// its own timeout.
		expect: { poll: { timeout: 120_000 } },
		testTimeout: 300_000,
		hookTimeout: 300_000,
		tags: [
			{
				name: "slow",
				description: "left out by npm test",
				timeout: 1_800_000,
				// On a shared machine, tests with browsers and clocks sometimes fail by chance.
				retry: 2,
			},
			{
				name: "nodes",
				description: "run on every supported Node by npm run test:nodes",
			},
		],
		// Test files in one worker share its modules, a browser and a server (tests/shared.ts).
		isolate: false,
		// Since Node 25, Node's localStorage would hide that of happy-dom.
		execArgv: process.allowedNodeEnvironmentFlags.has("--webstorage") ? ["--no-webstorage"] : [],
		projects: [
			{
				extends: true,
				test: {
					name: "unit",
					include: ["tests/**/*.test.{ts,tsx}"],
					exclude: [...onProduct, ...inDocument],
				},
			},
			{
				extends: true,
				test: {
					name: "document",
					environment: "happy-dom",
					include: inDocument,
				},
			},
			{
				extends: true,
				test: {
					name: "product",
					include: onProduct,
					retry: process.env.CI ? 2 : 0,
					globalSetup: ["tests/install-programs.ts", "tests/build-product.ts"],
					hookTimeout: 600_000,
				},
			},
		],
	},
});
