import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeHtml } from "../text/html.ts";

/** The pages that a form without JavaScript leads to, as HTML. */
export interface OutcomePages {
	registered: string;
	duplicate: string;
	/**
	 * The form again. `{{error}}` stands for the sentence, `{{email}}` for what was typed, and `{{ref}}`
	 * for where the visitor came from.
	 */
	refused: string;
	/** Headers of every page, the Content-Security-Policy among them. */
	headers: Readonly<Record<string, string>>;
}

/** Reads the pages that the build wrote. */
export async function readOutcomePages(
	folder: string,
	headers: OutcomePages["headers"],
): Promise<OutcomePages> {
	const read = (name: string) => readFile(join(folder, name), "utf8");
	const [registered, duplicate, refused] = await Promise.all([
		read("registered.html"),
		read("duplicate.html"),
		read("refused.html"),
	]);
	return { registered, duplicate, refused, headers };
}

/** What a form held, to be filled in again. */
export interface Typed {
	email: string;
	/** Where the visitor came from; empty where nobody knows. */
	ref: string;
}

/** The refused page, filled in. What was typed comes back as text, never as markup. */
export function refusedPage(pages: OutcomePages, error: string, typed: Typed): string {
	const texts: Record<string, string> = { error, ...typed };
	// In one pass: a placeholder that a visitor typed stays text.
	return pages.refused.replace(/\{\{(error|email|ref)\}\}/g, (_, name) => escapeHtml(texts[name]!));
}
