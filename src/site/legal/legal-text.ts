import { brand } from "#brand";
import { words } from "#words";
import { type Block, type LegalDocument, type Prose, plainText } from "./legal-document.ts";

/** Plain text, with the page's date and section numbers. */
export function legalAsText({ title, intro, sections }: LegalDocument): string {
	const blocks = [
		title,
		`${words.legal.effective} ${brand.legalEffectiveDate}`,
		...intro.map(blockAsText),
		...sections.flatMap(({ title, body, parts = [] }, index) => [
			`${index + 1}. ${title}`,
			...body.map(blockAsText),
			...parts.flatMap((part) => [part.title, ...part.body.map(blockAsText)]),
		]),
	];
	return blocks.join("\n\n");
}

const blockAsText = (block: Block) =>
	isList(block) ? block.list.map((item) => `- ${plainText(item)}`).join("\n") : plainText(block);

const isList = (block: Block): block is { readonly list: readonly Prose[] } =>
	typeof block !== "string" && "list" in block;
