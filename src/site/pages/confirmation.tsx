import { Page } from "./page.tsx";

/** Always the same (promise 4): the page says nothing about the visitor. */
const position = "24,986";

export function Confirmation() {
	return (
		<Page name="confirmation" moving>
			<main className="centre">
				<div className="news" data-quiet>
					<h1 className="congratulations lit" tabIndex={-1}>
						Congratulations!
					</h1>
					<p className="remark lit">Your spot on the waitlist is</p>
					<p className="position lit">
						<span>{position}</span>
					</p>
					<p className="remark lit">We'll be in touch soon</p>
				</div>
			</main>
		</Page>
	);
}
