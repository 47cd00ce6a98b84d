import type { Sky } from "./routes.ts";

/**
 * What stands behind the words: the sky and the sphere, painted by the style sheet, so that the
 * page is already beautiful before, and without, the engine.
 */
export function Stage({ sky }: { sky: Sky }) {
	return (
		<div className="stage" data-sky={sky} aria-hidden="true">
			<div className="morning" />
			<div className="night" />
			<div className="sphere" />
		</div>
	);
}
