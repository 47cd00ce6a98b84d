import { brand } from "#brand";
import { LEAVE_FIELD, LETTER_PATH, type LetterPageName, leaveActions } from "#shared/letters.ts";
import { Page } from "../pages/page.tsx";
import { EmailField } from "../waitlist/email-field.tsx";
import { confirmButton, leaveChoices, letterPageWords, writeToUs } from "./words.ts";

/**
 * A page behind a link of our letters. Its address is the visitor's secret: the page is a file that
 * is the same for everybody, and its form posts to the address that it was opened at.
 */
export function LetterPage({ name }: { name: LetterPageName }) {
	const { heading, words } = letterPageWords[name];
	return (
		<Page name="letter">
			<main className="centre">
				<div className="said">
					<h1>{heading}</h1>
					<p>{words}</p>
					<Decision name={name} />
				</div>
			</main>
		</Page>
	);
}

/** The one thing to decide on a page; some have none. */
function Decision({ name }: { name: LetterPageName }) {
	switch (name) {
		case "confirm":
			return (
				<form className="decision" method="post">
					<button className="return act" type="submit">
						{confirmButton}
					</button>
				</form>
			);
		case "leave":
			return (
				<form className="decision choices" method="post">
					{(["stop", "delete"] as const).map((choice) => (
						<div className="choice" key={choice}>
							<button
								className="return act"
								type="submit"
								name={LEAVE_FIELD}
								value={leaveActions[choice]}
								aria-describedby={choice}
							>
								{leaveChoices[choice].button}
							</button>
							<p id={choice}>{leaveChoices[choice].meaning}</p>
						</div>
					))}
				</form>
			);
		case "expired":
			return (
				<>
					<form className="form" action={LETTER_PATH} method="post">
						<EmailField enterKeyHint="send" required />
						<button className="join" type="submit">
							Send it
						</button>
					</form>
					<p className="aside">
						{writeToUs} <a href={`mailto:${brand.email}`}>{brand.email}</a>
					</p>
				</>
			);
		default:
			return null;
	}
}
