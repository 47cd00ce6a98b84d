import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";

/** Writes a file atomically: test projects and workers start the same plugins in parallel. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
	const draft = `${file}.${randomUUID()}`;
	await writeFile(draft, content);
	await rename(draft, file);
}
