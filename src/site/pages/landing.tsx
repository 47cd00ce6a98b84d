import { useState } from "react";
import { Moon } from "../moon/moon.tsx";
import { type FormState, Waitlist } from "../waitlist/waitlist.tsx";
import { Headline } from "./headline.tsx";
import { Page } from "./page.tsx";

export { ShowAFriend } from "../moon/show-a-friend.tsx";

/** Only set on the response to a form sent without script. */
interface LandingProps {
	state?: FormState;
	email?: string;
	cameFrom?: string;
}

export function Landing({ state, ...typed }: LandingProps) {
	const [done, setDone] = useState(false);
	return (
		<Page name="landing" moving>
			<main className="center">
				<div className="offer block">
					<Headline rests={done} />
					<Waitlist {...(state && { initial: state })} {...typed} onDone={() => setDone(true)} />
				</div>
				<Moon />
			</main>
		</Page>
	);
}
