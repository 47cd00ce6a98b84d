import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";

/** Writes a file aside and moves it: test projects and workers start the same plugins at the same time. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
	const draft = `${file}.${randomUUID()}`;
	await writeFile(draft, content);
	await rename(draft, file);
}
