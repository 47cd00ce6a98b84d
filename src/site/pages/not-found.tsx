import { Link } from "wouter";
import { Page } from "./page.tsx";

export function NotFound() {
	return (
		<Page name="not-found">
			<main className="centre">
				<h1 className="lost lit" tabIndex={-1}>
					Oops! Page not found
				</h1>
				<Link className="return" href="/">
					Return to Home
				</Link>
			</main>
		</Page>
	);
}
