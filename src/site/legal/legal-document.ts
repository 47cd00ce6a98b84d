import { brand } from "#brand";
import { service } from "../../service.ts";

/** A phrase that leads somewhere: a section (`#id`), a page (`/path`) or a mailbox (`mailto:`). */
export interface Link {
	readonly text: string;
	readonly href: string;
}

/** One paragraph or list item: plain words, or words and links in turn. */
export type Prose = string | readonly (string | Link)[];

/** What a section is made of, from top to bottom: a paragraph, or a bulleted list. */
export type Block = Prose | { readonly list: readonly Prose[] };

/** A titled sub-section; it has no anchor of its own. */
export interface Part {
	readonly title: string;
	readonly body: readonly Block[];
}

export interface Section {
	/** Kebab-case anchor. Other sites link to it: it stays when the title changes. */
	readonly id: string;
	/** Without its number, which the page adds. */
	readonly title: string;
	readonly body: readonly Block[];
	/** Shown after the body. */
	readonly parts?: readonly Part[];
}

/** A legal text. The page adds the effective date, the numbers and the table of contents. */
export interface LegalDocument {
	readonly title: string;
	readonly intro: readonly Block[];
	readonly sections: readonly Section[];
}

/** What in the legal texts depends on the law of a place: a file each in `places/`. */
export interface Place {
	/** Years. */
	readonly minimumAge: number;
	readonly privacy: {
		/** Where data is processed, and on what grounds. */
		readonly abroad: Section;
		/** What the law gives to the people of a place. */
		readonly residents: readonly Section[];
	};
	readonly terms: {
		/** Before the first section: what to read with care. */
		readonly careful: Prose;
		/** How to tell us of an infringement. */
		readonly copyright: Prose;
		/** The topics of `sections` that last when an access ends, behind "those on intellectual property,". */
		readonly lasting: string;
		/** What holds when a part of the terms does not. */
		readonly severability: string;
		/** From what is not promised to the law that governs. */
		readonly sections: readonly Section[];
	};
}

/** What a legal text says of the future product: nothing while src/service.ts describes another one. */
export function ofService<Item>(
	say: (described: NonNullable<typeof service>) => readonly Item[],
): readonly Item[] {
	return service ? say(service) : [];
}

/**
 * A link that writes to us. Its text is the address: it survives on paper.
 * Spaces in the subject become `%20`, as RFC 6068 section 5 asks, not `+`.
 */
export function mailLink(subject?: string): Link {
	const query = subject === undefined ? "" : `?subject=${encodeURIComponent(subject)}`;
	return { text: brand.email, href: `mailto:${brand.email}${query}` };
}

const companyLines = [brand.postalAddress, ...brand.imprint].filter((line) => line !== "");

/** What the law of some countries wants to be read of the company; nothing where the brand has nothing. */
export const imprint: readonly Block[] = companyLines.length
	? [`${[brand.company, ...companyLines].join(", ")}.`]
	: [];

/** The words alone, without their links. */
export function plain(prose: Prose): string {
	if (typeof prose === "string") return prose;
	return prose.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}
