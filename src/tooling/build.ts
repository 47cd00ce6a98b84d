import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ViteBuilder } from "vite";
import { describeBrandFaults } from "./check-brand.ts";
import { writePages } from "./pages/write-pages.ts";
import { plainError } from "./plain-error.ts";
import { findUnfinishedRebranding } from "./unfinished-rebranding.ts";

const sources = ["src", "engine", "package.json", "package-lock.json", "vite.config.ts"];
const stamp = "dist/.sources";

/** Hashes everything a build depends on: sources by name and content, and settings. */
async function hashSources(): Promise<string> {
	const hash = createHash("sha256");
	hash.update(`node ${process.versions.node} origin ${process.env.SITE_ORIGIN ?? ""}\n`);
	// Rebuilds each month, because security.txt expires within a year.
	hash.update(`month ${new Date().toISOString().slice(0, 7)}\n`);
	for (const source of sources) {
		const entries = await readdir(source, { recursive: true, withFileTypes: true }).catch(() => []);
		const files = entries.filter((entry) => entry.isFile());
		const paths = files.map((file) => join(file.parentPath, file.name)).sort();
		for (const path of paths.length > 0 ? paths : [source]) {
			const content = await readFile(path);
			hash.update(`${path} ${content.length}\n`).update(content);
		}
	}
	return hash.digest("hex");
}

/**
 * Returns "" if `SITE_ORIGIN` is unset.
 * @throws Error unless it is an origin
 */
export function readSiteOrigin(text: string | undefined): string {
	if (!text) return "";
	if (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text) return text;
	throw plainError(
		`SITE_ORIGIN is "${text}": it must be an origin such as https://orbit.example, without a path or trailing slash.`,
	);
}

/** Builds browser code, prerendered pages and server. Skipped if `dist/` matches the sources. */
export async function buildApp(builder: ViteBuilder): Promise<void> {
	const { client, prerender, server } = builder.environments;
	if (!client || !prerender || !server) throw new Error("vite.config.ts lacks an environment");
	const current = await hashSources();
	const built = existsSync(stamp) ? await readFile(stamp, "utf8") : "";
	if (built === current) {
		builder.config.logger.info("dist is up to date");
		// Vite builds all environments if none is marked as built.
		client.isBuilt = true;
		return;
	}
	const faults = await describeBrandFaults();
	if (faults) throw plainError(faults);
	await rm("dist", { recursive: true, force: true });
	await builder.build(client);
	await builder.build(prerender);
	await writePages(builder.config.logger);
	await builder.build(server);
	await writeFile(stamp, current);
	for (const line of findUnfinishedRebranding()) builder.config.logger.warn(line);
}
