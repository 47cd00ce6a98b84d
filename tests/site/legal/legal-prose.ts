import {
	type Block,
	type LegalDocument,
	type Link,
	type Prose,
	plainText,
	type Section,
} from "../../../src/site/legal/legal-document.ts";

export function findSection(document: LegalDocument, id: string): Section {
	const found = document.sections.find((candidate) => candidate.id === id);
	if (!found) throw new Error(`${document.title} has no section "${id}"`);
	return found;
}

function proseOf(block: Block): readonly Prose[] {
	return typeof block === "object" && "list" in block ? block.list : [block];
}

function sectionBlocks({ body, parts = [] }: Section): readonly Block[] {
	return [...body, ...parts.flatMap((part) => part.body)];
}

export function documentProse({ intro, sections }: LegalDocument): readonly Prose[] {
	return [...intro, ...sections.flatMap(sectionBlocks)].flatMap(proseOf);
}

function linksOf(prose: Prose): readonly Link[] {
	return typeof prose === "string" ? [] : prose.filter((piece) => typeof piece !== "string");
}

export function blocksText(blocks: readonly Block[]): string {
	return blocks.flatMap(proseOf).map(plainText).join("\n");
}

export function sectionText(of: Section): string {
	return blocksText(sectionBlocks(of));
}

export function documentText(document: LegalDocument): string {
	return documentProse(document).map(plainText).join("\n");
}

export function blockLinks(blocks: readonly Block[]): readonly Link[] {
	return blocks.flatMap(proseOf).flatMap(linksOf);
}

export function sectionLinks(of: Section): readonly Link[] {
	return blockLinks(sectionBlocks(of));
}

export function documentLinks(document: LegalDocument): readonly Link[] {
	return documentProse(document).flatMap(linksOf);
}
