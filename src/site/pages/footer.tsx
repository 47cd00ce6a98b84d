import { Link } from "wouter";

/** The links to the legal texts, at the foot of every page. */
export function Footer() {
	return (
		<footer className="footer">
			<nav className="lit" data-quiet aria-label="Legal">
				<Link href="/privacy">Privacy Policy</Link>
				<Link href="/terms">Terms of Service</Link>
			</nav>
		</footer>
	);
}
