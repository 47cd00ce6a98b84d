import { brand } from "#brand";
import { service } from "../../service.ts";

/** A link to a section (`#id`), a page (`/path`) or a mailbox (`mailto:`). */
export interface Link {
	readonly text: string;
	readonly href: string;
}

export type Prose = string | readonly (string | Link)[];

export type Block = Prose | { readonly list: readonly Prose[] };

/** A titled subsection without an anchor. */
export interface Subsection {
	readonly title: string;
	readonly body: readonly Block[];
}

export interface Section {
	/** Kebab-case anchor. Other sites link to it, so it stays when the title changes. */
	readonly id: string;
	/** Without a number: the page adds it. */
	readonly title: string;
	readonly body: readonly Block[];
	readonly parts?: readonly Subsection[];
}

/** The page adds the effective date, the numbers and the table of contents. */
export interface LegalDocument {
	readonly title: string;
	readonly intro: readonly Block[];
	readonly sections: readonly Section[];
}

/** The parts that depend on local law: one file per place in `places/`. */
export interface LocalLaw {
	readonly minimumAge: number;
	readonly privacy: {
		/** Where data is processed, and on what legal basis. */
		readonly abroad: Section;
		readonly residents: readonly Section[];
	};
	readonly terms: {
		readonly careful: Prose;
		readonly copyright: Prose;
		/** Names the sections that survive termination. Follows "those on intellectual property,". */
		readonly lasting: string;
		readonly severability: string;
		/** The terms' sections from the disclaimer of warranties to the governing law. */
		readonly sections: readonly Section[];
	};
}

/** Text about the future product; empty unless src/service.ts describes `brand.product`. */
export function ifServiceDescribed<Item>(
	say: (described: NonNullable<typeof service>) => readonly Item[],
): readonly Item[] {
	return service ? say(service) : [];
}

/**
 * The link's text is the address, so it survives in print. Spaces in the subject become `%20`, not
 * `+` (RFC 6068, section 5).
 */
export function contactLink(subject?: string): Link {
	const query = subject === undefined ? "" : `?subject=${encodeURIComponent(subject)}`;
	return { text: brand.email, href: `mailto:${brand.email}${query}` };
}

const companyLines = [brand.postalAddress, ...brand.imprint].filter((line) => line !== "");

/** Company details that some countries require; empty if the brand has none. */
export const imprint: readonly Block[] = companyLines.length
	? [`${[brand.company, ...companyLines].join(", ")}.`]
	: [];

export function plainText(prose: Prose): string {
	if (typeof prose === "string") return prose;
	return prose.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}
