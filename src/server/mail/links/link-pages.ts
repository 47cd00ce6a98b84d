import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LetterPageName, letterPageNames } from "#shared/letters.ts";
import { nosniff, type Reply } from "../../http/responses.ts";

/**
 * The reply with a page behind a link of our emails.
 *
 * @param more headers of this reply, such as `retry-after`
 */
export type LinkPages = (
	status: number,
	name: LetterPageName,
	more?: Readonly<Record<string, string>>,
) => Reply;

/** The address of such a page is a secret: it is neither kept, nor passed on, nor listed. */
const discreet = {
	"content-type": "text/html; charset=utf-8",
	"cache-control": "no-store",
	"referrer-policy": "no-referrer",
	"x-robots-tag": "noindex",
	...nosniff,
};

/** Reads the pages that the build wrote into a folder, and their headers. */
export async function readLinkPages(folder: string): Promise<LinkPages> {
	const read = (file: string) => readFile(join(folder, file), "utf8");
	const ofPages = JSON.parse(await read("headers.json")) as Record<string, string>;
	const headers = { ...ofPages, ...discreet };
	const pages = new Map<LetterPageName, string>();
	for (const name of letterPageNames) pages.set(name, await read(`${name}.html`));
	return (status, name, more) => ({
		status,
		headers: more ? { ...headers, ...more } : headers,
		body: pages.get(name)!,
	});
}
