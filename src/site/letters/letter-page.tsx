import { brand, emoji, words as said } from "#brand";
import { LEAVE_FIELD, LETTER_PATH, type LetterPageName, leaveActions } from "#shared/letters.ts";
import { Page } from "../pages/page.tsx";
import { EmailField } from "../waitlist/email-field.tsx";
import {
	comeBackButton,
	confirmButton,
	deleteChoices,
	invitationWords,
	leaveChoices,
	letterPageWords,
	tellAFriend,
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
				<div className="said block">
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
		case "confirmed":
			return (
				<>
					<Feast />
					<p>
						<a className="on" href={tellAFriend.href}>
							{tellAFriend.words}
						</a>
					</p>
				</>
			);
		case "asked":
		case "deleted":
			return (
				<p>
					<a className="on" href="/">
						{said.notFound.home}
					</a>
				</p>
			);
		case "leave":
			return (
				<form className="decision" method="post">
					<button
						className="return act"
						type="submit"
						name={LEAVE_FIELD}
						value={leaveActions.stop}
						aria-describedby="stop"
					>
						{leaveChoices.stop.button}
					</button>
					<p id="stop">{leaveChoices.stop.meaning}</p>
					<p id="delete">{leaveChoices.delete.meaning}</p>
					{/* Asks once more, which changes nothing: a GET. */}
					<button
						className="quiet"
						type="submit"
						formMethod="get"
						name={LEAVE_FIELD}
						value={leaveActions.delete}
						aria-describedby="delete"
					>
						{leaveChoices.delete.button}
					</button>
				</form>
			);
		case "delete":
			return (
				<form className="decision" method="post">
					{/* The same address without its query: the page before. */}
					<a className="return act" href="?">
						{deleteChoices.keep}
					</a>
					<button className="quiet" type="submit" name={LEAVE_FIELD} value={leaveActions.delete}>
						{deleteChoices.delete}
					</button>
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
						{/* The rule of our own form: browsers alone let foo@bar pass. */}
						<EmailField
							enterKeyHint="send"
							required
							pattern=".+@.+[.].+"
							title={said.messages.emailInvalid}
						/>
						<button className="join" type="submit">
							Send it
						</button>
					</form>
					<p className="aside">
						{`${writeToUs} `}
						<a href={`mailto:${brand.email}`}>{brand.email}</a>
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
	const { label, withoutCode, copy, copied, marked, signUp } = invitationWords;
	return (
		<>
			<div className="ticket" data-part="with-code" hidden>
				<p>
					<span className="visually-hidden">{`${label} `}</span>
					<span className="code" data-part="code" />
				</p>
				<button
					className="copy"
					type="button"
					title={copy}
					data-part="copy"
					data-copied={copied}
					data-marked={marked}
				>
					<svg viewBox="0 0 24 24" aria-hidden="true">
						<path d="M9 9h11v11H9zM15 9V4H4v11h5" />
					</svg>
				</button>
			</div>
			<p className="copied" role="status" data-part="status" />
			<p data-part="without-code">{withoutCode}</p>
			{brand.signUp && (
				<a className="return act" href={brand.signUp} data-part="sign-up">
					{signUp}
				</a>
			)}
		</>
	);
}

/** A still salute around the words, for whoever has just confirmed. */
function Feast() {
	return (
		<p className="feast" aria-hidden="true">
			{emoji.slice(0, 12).map((sign) => (
				<span key={sign}>{sign}</span>
			))}
		</p>
	);
}
