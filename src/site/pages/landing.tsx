import { type FormState, Waitlist } from "../waitlist/waitlist.tsx";
import { Headline } from "./headline.tsx";
import { Page } from "./page.tsx";

/** What the page starts from when it answers a form that was sent without script. */
interface LandingProps {
	state?: FormState;
	email?: string;
}

export function Landing({ state, email }: LandingProps) {
	return (
		<Page name="landing" moving>
			<main className="centre">
				<Headline />
				<Waitlist {...(state && { initial: state })} {...(email && { email })} />
			</main>
		</Page>
	);
}
