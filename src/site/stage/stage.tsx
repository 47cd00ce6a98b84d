import { useEffect, useRef } from "react";
import type { Sky } from "../routes.ts";
import { play } from "./play.ts";

/**
 * What stands behind the words. The sky and a still sphere are painted by the style sheet, so that
 * the page is already beautiful before, and without, the engine; the engine's picture fades in over
 * them. `data-way` on the stage says how it is drawn.
 */
export function Stage({ sky }: { sky: Sky }) {
	const stage = useRef<HTMLDivElement>(null);
	useEffect(() => (stage.current ? play(stage.current) : undefined), []);
	return (
		<div className="stage" data-sky={sky} aria-hidden="true" ref={stage}>
			<div className="morning" />
			<div className="night" />
			<div className="sphere" />
			<div className="picture" />
		</div>
	);
}
