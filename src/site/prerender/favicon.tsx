import { renderToStaticMarkup } from "react-dom/server";
import { Mark } from "../pages/mark.tsx";

/** The icon of browsers that take SVG: the mark beside the name. */
export function favicon(): string {
	return renderToStaticMarkup(<Mark />);
}
