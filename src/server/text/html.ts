/** Only {@link html} creates this, so no text becomes markup by mistake. */
export interface Html {
	readonly markup: string;
}

type Value = string | Html | readonly Html[];

/** Escapes strings for elements and quoted attributes, not for styles or scripts. */
export function html(words: TemplateStringsArray, ...values: Value[]): Html {
	const markup = words.map(
		(word, index) => word + (index < values.length ? of(values[index]!) : ""),
	);
	return { markup: markup.join("") };
}

function of(value: Value): string {
	if (typeof value === "string") return escapeHtml(value);
	return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}

const entities: Record<string, string> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};

export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
