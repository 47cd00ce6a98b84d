import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isolation, nosniff } from "../http/responses.ts";
import { type StaticFile, sendFile, staticFile } from "../http/static-files.ts";

export interface AdminFiles {
	styles: string;
	fonts: readonly string[];
	respond(path: string, request: Request): Response | undefined;
}

const LIST = "files.json";

/** Reads the built folder into memory. The public port never serves these files. */
export async function readAdminFiles(folder: string): Promise<AdminFiles> {
	const names = await readdir(folder);
	const files = new Map<string, StaticFile>();
	for (const name of names.filter((name) => name !== LIST)) {
		const identity = await readFile(join(folder, name));
		const headers = {
			...isolation,
			...nosniff,
			"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
			"cache-control": "private, max-age=3600",
		};
		files.set(`/${name}`, staticFile(name, identity, headers));
	}
	const list = JSON.parse(await readFile(join(folder, LIST), "utf8")) as Pick<
		AdminFiles,
		"styles" | "fonts"
	>;
	return {
		...list,
		respond(path, request) {
			const file = files.get(path);
			return file && sendFile(file, request);
		},
	};
}
