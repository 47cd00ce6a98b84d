import { renderToStaticMarkup } from "react-dom/server";
import { sphere } from "#brand";
import { Mark } from "../pages/mark.tsx";

/** The icon of home screens and app lists: the mark beside the name. */
export function appIcon(): string {
	return renderToStaticMarkup(<Mark />);
}

/**
 * The icon of tabs, drawn for 16 px: there the mark's ring would be one pale px wide, and its gap and its
 * moon specks. In px of that size: a ring of 2, closed, and a moon of 5.
 */
export function favicon(): string {
	const [first, second] = sphere.mark;
	return renderToStaticMarkup(
		<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" aria-hidden="true">
			<circle cx="8" cy="8" r="6.5" fill="none" stroke={second} strokeWidth="2" />
			<circle cx="8" cy="8" r="3.5" fill={second} />
			<circle cx="13" cy="3" r="2.5" fill={first} />
		</svg>,
	);
}
