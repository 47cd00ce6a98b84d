import type { ReactNode } from "react";
import { Link } from "wouter";
import { brand } from "#brand";
import { words } from "#words";
import { MotionSwitch } from "../stage/motion-switch.tsx";

interface PageProps {
	name: "landing" | "confirmation" | "not-found" | "link-page" | "legal";
	/** Adds the switch that stops motion. */
	moving?: boolean;
	children: ReactNode;
}

export function Page({ name, moving = false, children }: PageProps) {
	return (
		<div className={`page ${name}`}>
			<header className="masthead">
				<Link className="brand block" data-quiet href="/">
					{/* Low priority: otherwise React preloads the logo before the fonts. */}
					<img src="/mark.svg" alt="" fetchPriority="low" />
					{brand.product}
				</Link>
				{moving && <MotionSwitch />}
			</header>
			{children}
			<footer className="footer">
				<div className="imprint block" data-quiet>
					<p>{brand.company}</p>
					<nav aria-label={words.legal.label}>
						<Link href="/privacy">{words.legal.privacy}</Link>{" "}
						<Link href="/terms">{words.legal.terms}</Link>
					</nav>
				</div>
			</footer>
		</div>
	);
}
