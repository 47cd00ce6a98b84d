import { brand } from "#brand";

/** SPEC section 1, in its order. The first one stands in the static page. */
const words = ["smart", "beautiful", "useful", "personal", "curated"] as const;

/**
 * "Email, but make it Orbit" and a word that changes, each line in a light of its own. All words lie
 * on top of each other, so that the longest keeps the space and nothing shifts; CSS turns them, and
 * only while motion is on. Assistive technology hears one sentence with all of them.
 */
export function Headline() {
	return (
		<h1 className="headline" tabIndex={-1} data-quiet>
			<span className="visually-hidden">
				Email, but make it {brand.product} {words.slice(0, -1).join(", ")} and {words.at(-1)}
			</span>
			<span aria-hidden="true">
				<span className="line lit">Email, but</span>{" "}
				<span className="line lit">make it {brand.product}</span>{" "}
				<span className="words">
					{words.map((word) => (
						<span className="word lit" key={word}>
							<span className="ink">{word}</span>
						</span>
					))}
				</span>
			</span>
		</h1>
	);
}
