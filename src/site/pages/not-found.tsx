import { Link } from "wouter";
import { emoji } from "#brand";
import { words } from "#words";
import { Sentences } from "../waitlist/sentences.tsx";
import { Page } from "./page.tsx";

export function NotFound() {
	return (
		<Page name="not-found">
			<main className="center">
				<div className="nowhere block">
					<p className="stray" aria-hidden="true">
						{emoji[0]}
					</p>
					<h1 className="lost" tabIndex={-1}>
						<Sentences of={words.notFound.title} />
					</h1>
					{words.notFound.joke && <p className="remark">{words.notFound.joke}</p>}
					<Link className="return" href="/">
						{words.notFound.home}
					</Link>
				</div>
			</main>
		</Page>
	);
}
