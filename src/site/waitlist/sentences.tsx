import { Fragment } from "react";

/** Of a text, each with what follows it up to the next one's first letter. */
export const sentencesOf = (text: string): readonly string[] =>
	text.match(/.+?(?:[.!?…] +(?=[\p{L}\p{N}])|$)/gu) ?? [];

/** A text whose lines break between two sentences rather than within one: the class is in pages.css. */
export function Sentences({ of }: { of: string }) {
	return sentencesOf(of).map((sentence, place) => (
		<Fragment key={sentence}>
			{place > 0 && " "}
			<span className="sentence">{sentence.trim()}</span>
		</Fragment>
	));
}
