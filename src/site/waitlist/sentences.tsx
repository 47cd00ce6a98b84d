import { Fragment } from "react";

/** An emoji stays with the sentence before it. */
export const splitSentences = (text: string): readonly string[] =>
	text.match(/.+?(?:[.!?…] +(?=[\p{L}\p{N}])|$)/gu) ?? [];

/** Prefers line breaks between sentences (pages.css). */
export function Sentences({ of }: { of: string }) {
	return splitSentences(of).map((sentence, place) => (
		<Fragment key={sentence}>
			{place > 0 && " "}
			<span className="sentence">{sentence.trim()}</span>
		</Fragment>
	));
}
