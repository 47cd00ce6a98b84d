import { Link } from "wouter";
import { words } from "#brand";
import { Page } from "./page.tsx";

export function NotFound() {
	return (
		<Page name="not-found">
			<main className="centre">
				<h1 className="lost block" tabIndex={-1}>
					{words.notFound.title}
				</h1>
				<Link className="return" href="/">
					{words.notFound.home}
				</Link>
			</main>
		</Page>
	);
}
