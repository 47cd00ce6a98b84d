import { Footer } from "./footer.tsx";
import { Masthead } from "./masthead.tsx";

/** Fixed by SPEC section 2: the page says nothing about the visitor. */
const position = "24,986";

export function Confirmation() {
	return (
		<div className="page confirmation">
			<Masthead moving />
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
			<Footer />
		</div>
	);
}
