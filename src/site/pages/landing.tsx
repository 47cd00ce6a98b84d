import { type FormState, Waitlist } from "../waitlist/waitlist.tsx";
import { Footer } from "./footer.tsx";
import { Headline } from "./headline.tsx";
import { Masthead } from "./masthead.tsx";

/** What the page starts from when it answers a form that was sent without script. */
interface LandingProps {
	state?: FormState;
	email?: string;
}

export function Landing({ state, email }: LandingProps) {
	return (
		<div className="page landing">
			<Masthead moving />
			<main className="centre">
				<Headline />
				<Waitlist {...(state && { initial: state })} {...(email && { email })} />
			</main>
			<Footer />
		</div>
	);
}
