import { Link } from "wouter";
import { brand } from "#brand";
import { MotionSwitch } from "../stage/motion-switch.tsx";

/** The top of every page: the way home and, where something moves, the way to stop it. */
export function Masthead({ moving = false }: { moving?: boolean }) {
	return (
		<header className="masthead">
			<Link className="brand lit" href="/">
				<span className="mark" />
				{brand.product}
			</Link>
			{moving && <MotionSwitch />}
		</header>
	);
}
