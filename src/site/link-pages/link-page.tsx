import type { ComponentProps } from "react";
import { brand, emoji } from "#brand";
import {
	ACTION_FIELD,
	type LinkPageName,
	linkActions,
	NEW_LINK_PATH,
	UNSUBSCRIBE_PATH,
} from "#shared/links.ts";
import { linkPages, words as said } from "#words";
import { Page } from "../pages/page.tsx";
import { absoluteUrl } from "../site-urls.ts";
import { EmailField } from "../waitlist/email-field.tsx";

/** Email draft for people who have just confirmed; contains the site's URL. */
const tellAFriend = `mailto:?subject=${encodeURIComponent(said.title)}&body=${encodeURIComponent(absoluteUrl("/"))}`;

/**
 * A page behind an email link, whose URL is the visitor's secret. The file is the same for
 * everyone, and its form posts to the URL it was opened at.
 */
export function LinkPage({ name }: { name: LinkPageName }) {
	const { heading, words } = linkPages[name];
	return (
		<Page name="link-page">
			<main className="center">
				<div className="said block">
					<h1>{heading}</h1>
					<p>{words}</p>
					<Decision name={name} />
				</div>
			</main>
		</Page>
	);
}

function Decision({ name }: { name: LinkPageName }) {
	switch (name) {
		case "confirm":
			return (
				<form className="decision" method="post">
					<Submit className="return act" words={linkPages.confirm.button} />
				</form>
			);
		case "confirmed":
			return (
				<>
					<Feast />
					<p>
						<a className="on" href={tellAFriend}>
							{linkPages.confirmed.tellAFriend}
						</a>
					</p>
				</>
			);
		case "link-sent":
		case "deleted":
			return (
				<>
					<p>
						<a className="on" href="/">
							{said.notFound.home}
						</a>
					</p>
					{name === "link-sent" && <Aside words={linkPages["unsubscribe-sent"].write} />}
				</>
			);
		case "unsubscribe":
			return (
				<div className="decision">
					<form method="post">
						<Submit
							className="return act"
							action="stop"
							words={linkPages.unsubscribe.unsubscribe}
							aria-describedby="stop"
						/>
					</form>
					<p id="stop">{linkPages.unsubscribe.unsubscribeMeans}</p>
					<p id="delete">{linkPages.unsubscribe.deleteMeans}</p>
					{/* A GET, because it only asks for confirmation. */}
					<form method="get">
						<Submit
							className="quiet"
							action="delete"
							words={linkPages.unsubscribe.delete}
							aria-describedby="delete"
						/>
					</form>
				</div>
			);
		case "delete":
			return (
				<form className="decision" method="post">
					{/* `?` removes the query, which leads to the previous page. */}
					<a className="return act" href="?">
						{linkPages.delete.keep}
					</a>
					<Submit className="quiet" action="delete" words={linkPages.delete.button} />
				</form>
			);
		case "unsubscribed":
			return (
				<form className="decision" method="post">
					<Submit className="return act" action="comeBack" words={linkPages.unsubscribed.button} />
				</form>
			);
		case "expired":
			return (
				<>
					<AddressForm action={NEW_LINK_PATH} button={linkPages.expired.button} />
					<p className="aside">
						<a href={UNSUBSCRIBE_PATH}>{linkPages.expired.unsubscribe}</a>
					</p>
					<Aside words={linkPages.expired.write} />
				</>
			);
		case "unsubscribe-form":
			return (
				<AddressForm action={UNSUBSCRIBE_PATH} button={linkPages["unsubscribe-form"].button} />
			);
		case "unsubscribe-sent":
			return <Aside words={linkPages["unsubscribe-sent"].write} />;
		case "invitation":
			return <InvitationCode />;
		default:
			return null;
	}
}

interface SubmitProps extends ComponentProps<"input"> {
	words: string;
	action?: keyof typeof linkActions;
}

/** An `<input>`, because text browsers show no `<button>`. A hidden field sends the action. */
function Submit({ words, action, ...props }: SubmitProps) {
	return (
		<>
			{action && <input type="hidden" name={ACTION_FIELD} value={linkActions[action]} />}
			<input type="submit" value={words} {...props} />
		</>
	);
}

function AddressForm({ action, button }: { action: string; button: string }) {
	return (
		<form className="form" action={action} method="post">
			{/* Uses the join form's pattern: by default browsers accept foo@bar. */}
			<EmailField
				enterKeyHint="send"
				required
				pattern=".+@.+[.].+"
				title={said.messages.emailInvalid}
			/>
			<Submit className="join" words={button} />
		</form>
	);
}

function Aside({ words }: { words: string }) {
	return (
		<p className="aside">
			{`${words} `}
			<a href={`mailto:${brand.email}`}>{brand.email}</a>
		</p>
	);
}

/** The script finds these parts by `data-part` (invitation.ts). */
function InvitationCode() {
	const { label, withoutCode, once, copy, copied, marked, signUp } = linkPages.invitation;
	return (
		<>
			<div data-part="with-code" hidden>
				<div className="ticket">
					<p>
						<span className="visually-hidden">{`${label} `}</span>
						<span className="code" data-part="code" />
					</p>
					<button
						className="copy"
						type="button"
						data-part="copy"
						data-copied={copied}
						data-marked={marked}
					>
						{copy}
					</button>
				</div>
				<p className="once">{once}</p>
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

/** A ring of emoji around the sphere. */
function Feast() {
	return (
		<p className="feast" aria-hidden="true">
			{emoji.slice(0, 12).map((sign) => (
				<span key={sign}>{sign}</span>
			))}
		</p>
	);
}
