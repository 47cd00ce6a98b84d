import type { ReactNode } from "react";
import { Link } from "wouter";
import { brand } from "#brand";
import { MotionSwitch } from "../stage/motion-switch.tsx";

interface PageProps {
	/** The class that the style sheets know the page by. */
	name: "landing" | "confirmation" | "not-found" | "letter" | "legal";
	/** Something moves on this page: it gets the switch that stops it. */
	moving?: boolean;
	children: ReactNode;
}

/** What every page has: the way home at the top, who runs the site and the links to the legal texts at the foot. */
export function Page({ name, moving = false, children }: PageProps) {
	return (
		<div className={`page ${name}`}>
			<header className="masthead">
				<Link className="brand block" data-quiet href="/">
					{/* React preloads other images before the fonts. */}
					<img src="/mark.svg" alt="" fetchPriority="low" />
					{brand.product}
				</Link>
				{moving && <MotionSwitch />}
			</header>
			{children}
			<footer className="footer">
				<div className="imprint block" data-quiet>
					<p>{brand.company}</p>
					<nav aria-label="Legal">
						<Link href="/privacy">Privacy Policy</Link> <Link href="/terms">Terms of Service</Link>
					</nav>
				</div>
			</footer>
		</div>
	);
}
