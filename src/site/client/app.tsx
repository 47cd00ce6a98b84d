import { useEffect, useLayoutEffect, useRef } from "react";
import { type AroundNavHandler, Router, useLocation } from "wouter";
import { applyHead } from "../head.ts";
import { routeAt } from "../routes.ts";
import { watchQuietZone } from "../stage/quiet-zone.ts";
import { scene } from "../stage/scene.ts";
import { Stage } from "../stage/stage.tsx";
import { loadPage, pageOf } from "./load-page.ts";
import { fadeOver } from "./view-transition.ts";

let latestMove = 0;

/**
 * Moves to another page without a reload. Its code is fetched first, so that the current page stays
 * until the next one can stand; of two clicks the last one counts.
 *
 * Pages without script are loaded as documents: one that was reached without a reload and is then
 * reloaded has nobody to listen when the visitor goes back.
 */
const loadThenGo: AroundNavHandler = (navigate, to, options) => {
	const { href, pathname } = new URL(to, location.href);
	if (!routeAt(pathname).interactive) return location.assign(to);
	const move = ++latestMove;
	loadPage(pathname).then(
		() => {
			if (move !== latestMove) return;
			fadeOver(() => {
				// As browsers do: who goes where she is adds no step to the way back.
				navigate(to, { ...options, replace: options?.replace ?? href === location.href });
				scrollTo(0, 0);
			});
		},
		// The chunk is gone, most likely after a deploy: the server has the page.
		() => location.assign(to),
	);
};

/** The whole site. `ssrPath` names the page when there is no browser to ask. */
export function App({ ssrPath }: { ssrPath?: string }) {
	return (
		<Router aroundNav={loadThenGo} {...(ssrPath === undefined ? {} : { ssrPath })}>
			<CurrentPage />
		</Router>
	);
}

function CurrentPage() {
	const [path] = useLocation();
	const route = routeAt(path);
	const Page = pageOf(route);
	const shownBefore = useRef(route);

	// Back or forward to a page that this document has not loaded: the server has it.
	useEffect(() => {
		if (!Page) location.reload();
	}, [Page]);
	useLayoutEffect(() => scene.setState({ scene: route.scene }), [route]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: another route has other words.
	useEffect(watchQuietZone, [route]);
	useEffect(() => {
		if (shownBefore.current === route) return;
		shownBefore.current = route;
		applyHead(route);
		document.querySelector("h1")?.focus({ preventScroll: true });
	}, [route]);

	return (
		<>
			<Stage sky={route.sky} />
			{Page && <Page key={route.path} />}
		</>
	);
}
