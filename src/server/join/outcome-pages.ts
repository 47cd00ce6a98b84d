import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeHtml } from "../text/html.ts";

export interface OutcomePages {
	registered: string;
	duplicate: string;
	/** The form again, with places for `{{error}}`, and for the `{{email}}` and `{{ref}}` that it held. */
	refused: string;
	headers: Readonly<Record<string, string>>;
}

export async function readOutcomePages(
	folder: string,
	headers: OutcomePages["headers"],
): Promise<OutcomePages> {
	const read = (name: string) => readFile(join(folder, `${name}.html`), "utf8");
	const [registered, duplicate, refused] = await Promise.all(
		["registered", "duplicate", "refused"].map(read),
	);
	return { registered: registered!, duplicate: duplicate!, refused: refused!, headers };
}

/** Fills in the refused page, in one pass: a placeholder that a visitor typed stays text. */
export const refusedPage = (
	{ refused }: OutcomePages,
	texts: Record<"error" | "email" | "ref", string>,
): string =>
	refused.replace(/\{\{(error|email|ref)\}\}/g, (_, name: keyof typeof texts) =>
		escapeHtml(texts[name]),
	);
