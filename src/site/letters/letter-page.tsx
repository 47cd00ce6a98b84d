import { brand } from "#brand";
import { LEAVE_FIELD, LETTER_PATH, type LetterPageName, leaveActions } from "#shared/letters.ts";
import { Page } from "../pages/page.tsx";
import { EmailField } from "../waitlist/email-field.tsx";
import {
	comeBackButton,
	confirmButton,
	invitationWords,
	leaveChoices,
	letterPageWords,
	writeToUs,
} from "./words.ts";

/**
 * A page behind a link of our letters. Its address is the visitor's secret: the page is a file that
 * is the same for everybody, and its form posts to the address that it was opened at. Only the page of
 * an invitation has a script.
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
		case "left":
			return (
				<form className="decision" method="post">
					<button
						className="return act"
						type="submit"
						name={LEAVE_FIELD}
						value={leaveActions.comeBack}
					>
						{comeBackButton}
					</button>
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
		case "invitation":
			return <InvitationCode />;
		default:
			return null;
	}
}

/** What the script of the page finds by its part: see invitation.ts. */
function InvitationCode() {
	const { withoutCode, copy, copied, marked, signUp } = invitationWords;
	return (
		<>
			<div className="with-code" data-part="with-code" hidden>
				<p className="code" data-part="code" />
				<button
					className="return act copy"
					type="button"
					data-part="copy"
					data-copied={copied}
					data-marked={marked}
				>
					{copy}
				</button>
				<p className="visually-hidden" role="status" data-part="status" />
			</div>
			<p data-part="without-code">{brand.signUp && withoutCode}</p>
			{brand.signUp && (
				<a className="return act" href={brand.signUp} data-part="sign-up">
					{signUp}
				</a>
			)}
		</>
	);
}
