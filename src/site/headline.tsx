import { brand } from "#brand";

/** SPEC section 1, in its order. The first one stands in the static page. */
const words = ["smart", "beautiful", "useful", "personal", "curated"] as const;

/**
 * "Email, but make it Orbit" and a word that changes. All words lie on top of each other, so that
 * the longest one keeps the space and nothing shifts; CSS turns them, and only while motion is on.
 * Assistive technology hears one sentence with all of them.
 */
export function Headline() {
	return (
		<h1 className="headline lit" tabIndex={-1}>
			<span className="visually-hidden">
				Email, but make it {brand.product} {words.slice(0, -1).join(", ")} and {words.at(-1)}
			</span>
			<span aria-hidden="true">
				Email, but make it&nbsp;{brand.product}{" "}
				<span className="words lit">
					{words.map((word) => (
						<span className="word" key={word}>
							{word}
						</span>
					))}
				</span>
			</span>
		</h1>
	);
}
