import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LetterPageName, letterPageNames } from "#shared/letters.ts";
import { nosniff, type Reply } from "../../http/responses.ts";

export type LinkPages = (
	status: number,
	name: LetterPageName,
	more?: Readonly<Record<string, string>>,
) => Reply;

/** The address of these pages is a secret: it is neither stored, nor passed on, nor listed. */
const discreet = {
	"content-type": "text/html; charset=utf-8",
	"cache-control": "no-store",
	"referrer-policy": "no-referrer",
	"x-robots-tag": "noindex",
	...nosniff,
};

export async function readLinkPages(folder: string): Promise<LinkPages> {
	const read = (file: string) => readFile(join(folder, file), "utf8");
	const headers = { ...JSON.parse(await read("headers.json")), ...discreet };
	const pages = new Map<LetterPageName, string>();
	for (const name of letterPageNames) pages.set(name, await read(`${name}.html`));
	return (status, name, more) => ({
		status,
		headers: { ...headers, ...more },
		body: pages.get(name)!,
	});
}
