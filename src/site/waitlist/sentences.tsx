import { Fragment } from "react";

/** Splits a text after each sentence and the space or emoji that follows. */
export const sentencesOf = (text: string): readonly string[] =>
	text.match(/.+?(?:[.!?…] +(?=[\p{L}\p{N}])|$)/gu) ?? [];

/** Prefers line breaks between sentences (pages.css). */
export function Sentences({ of }: { of: string }) {
	return sentencesOf(of).map((sentence, place) => (
		<Fragment key={sentence}>
			{place > 0 && " "}
			<span className="sentence">{sentence.trim()}</span>
		</Fragment>
	));
}
