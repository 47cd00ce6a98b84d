import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file atomically: test projects and workers start the same plugins in parallel. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
	const draft = `${file}.${randomUUID()}`;
	await mkdir(dirname(file), { recursive: true });
	await writeFile(draft, content);
	await rename(draft, file);
}
