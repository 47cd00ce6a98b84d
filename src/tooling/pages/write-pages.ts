import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Logger, Manifest } from "vite";
import type { PageAssets } from "../../site/prerender/document.ts";
import type * as prerenderModule from "../../site/prerender/prerender.tsx";
import { replaceFile } from "../replace-file.ts";
import { linkPageHeaders, siteHeaders } from "./page-headers.ts";

const site = "dist/site";
const prerendered = "node_modules/.cache/prerender/prerender.js";

/**
 * Writes all pages and their headers into `dist`, with the bundle of
 * `src/site/prerender/prerender.tsx`.
 */
export async function writePages(logger: Logger): Promise<void> {
	const {
		renderSiteFiles,
		renderLinkPages,
		renderFormResponses,
		renderPages,
		renderShownWordsFile,
	} = (await import(
		`${pathToFileURL(resolve(prerendered)).href}?${Date.now()}`
	)) as typeof prerenderModule;
	const manifest = JSON.parse(
		await readFile(join(site, ".vite/manifest.json"), "utf8"),
	) as Manifest;
	const asset = (source: string) => {
		const chunk = manifest[source];
		if (!chunk) throw new Error(`The client build lacks ${source}`);
		return chunk;
	};
	/** A script that a page loads at once. It must not import React, which would load at once, too. */
	const standalone = async (source: string) => {
		const { file, imports, dynamicImports } = asset(source);
		if (imports || dynamicImports) throw new Error(`${source} must be one file without imports.`);
		// For the attribute `integrity` (W3C, Subresource Integrity).
		const hash = createHash("sha384").update(await readFile(join(site, file)));
		return { url: `/${file}`, integrity: `sha384-${hash.digest("base64")}` };
	};
	const boot = await standalone("src/site/client/boot.ts");
	const styleSheet = (name: string) =>
		readFile(join(site, asset(`src/site/styles/${name}.css`).file), "utf8");
	const styles = await styleSheet("index");
	const linkPageStyles = await styleSheet("link-pages");
	const assets = {
		styles,
		bootUrl: boot.url,
		bootIntegrity: boot.integrity,
		mainUrl: `/${asset("src/site/client/main.tsx").file}`,
		fonts: fontsIn(styles),
	};
	const json = (file: string, value: object) => ({
		file,
		content: JSON.stringify(value, null, "\t"),
	});
	const files = [
		...(await renderPages(assets)),
		...(await renderFormResponses(assets)),
		...(await renderLinkPages(
			{ ...assets, styles: linkPageStyles },
			{ invitation: await standalone("src/site/link-pages/invitation.ts") },
		)),
		...renderSiteFiles(new Date()),
		await renderShownWordsFile(),
		json("headers.json", siteHeaders(styles)),
		json("link-pages/headers.json", linkPageHeaders(linkPageStyles)),
	];
	for (const { file, content } of files) await replaceFile(join("dist", file), content);
	await moveAdmin(asset("src/site/styles/admin.css").file);
	await compress(site);
	logger.info(`dist: ${files.length} pages and files written`);
}

/**
 * The admin has its own server, which serves only `dist/admin`.
 * @param file the style sheet's path in the site
 */
async function moveAdmin(file: string): Promise<void> {
	const admin = "dist/admin";
	await mkdir(admin, { recursive: true });
	const styles = await readFile(join(site, file), "utf8");
	const fonts = fontsIn(styles);
	for (const { url } of fonts) await copyFile(join(site, url), join(admin, basename(url)));
	await copyFile(join(site, "mark.svg"), join(admin, "mark.svg"));
	// Style sheet and fonts are now in one folder.
	const moved = fonts.reduce((text, { url }) => text.replaceAll(url, `/${basename(url)}`), styles);
	await writeFile(join(admin, basename(file)), moved);
	await rm(join(site, file));
}

/** Lists fonts in the style sheet's order, without duplicates: two faces may share a file. */
function fontsIn(styles: string): PageAssets["fonts"] {
	const fonts = new Map<string, PageAssets["fonts"][number]>();
	for (const [rule] of styles.matchAll(/@font-face\s*\{[^}]*\}/g)) {
		const [, url] = /url\(["']?([^"')]+\.woff2)["']?\)/.exec(rule) ?? [];
		const [, range] = /unicode-range:([^;}]+)/.exec(rule) ?? [];
		if (url) fonts.set(url, { url, ...(range && { letters: lettersIn(range) }) });
	}
	return [...fonts.values()];
}

/** Turns a minified `unicode-range` into a regular expression. */
function lettersIn(range: string): RegExp {
	const parts = range.split(",").map((part) => {
		const [, first = "", last = first] = /u\+([\da-f]+)(?:-([\da-f]+))?/i.exec(part) ?? [];
		return `\\u{${first}}-\\u{${last}}`;
	});
	return new RegExp(`[${parts.join("")}]`, "u");
}

/** Writes compressed copies, which the server sends. */
async function compress(folder: string): Promise<void> {
	const files = await readdir(folder, { recursive: true });
	const texts = files.filter((file) => /\.(html|js|css|svg|json|txt|xml|webmanifest)$/.test(file));
	await Promise.all(
		texts.map(async (file) => {
			const path = join(folder, file);
			const content = await readFile(path);
			const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
			await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params: quality }));
			await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
		}),
	);
}
