import { Link } from "wouter";
import { Footer } from "./footer.tsx";
import { Masthead } from "./masthead.tsx";

export function NotFound() {
	return (
		<div className="page not-found">
			<Masthead />
			<main className="centre">
				<h1 className="lost lit" tabIndex={-1}>
					Oops! Page not found
				</h1>
				<Link className="return" href="/">
					Return to Home
				</Link>
			</main>
			<Footer />
		</div>
	);
}
