import { useEffect, useLayoutEffect, useRef } from "react";
import { type AroundNavHandler, Router, useLocation } from "wouter";
import { routeAt } from "../routes.ts";
import { watchQuietZone } from "../stage/quiet-zone.ts";
import { isMoving, scene } from "../stage/scene.ts";
import { Stage } from "../stage/stage.tsx";
import { applyHead } from "./apply-head.ts";
import { getLoadedPage, loadPage } from "./load-page.ts";
import { withViewTransition } from "./view-transition.ts";

let latestMove = 0;

/**
 * Navigates without a reload once the next page's code has arrived. After two clicks, the last one
 * wins.
 * Links to pages without script load a new document: such a page could be reloaded, and would then
 * have no script to handle the back button.
 */
const loadThenGo: AroundNavHandler = (navigate, to, options) => {
	const { href, pathname } = new URL(to, location.href);
	if (!routeAt(pathname).interactive) return location.assign(to);
	const move = ++latestMove;
	loadPage(pathname).then(
		() => {
			if (move !== latestMove) return;
			withViewTransition(() => {
				// Navigating to the current URL replaces the history entry, as in browsers.
				navigate(to, { ...options, replace: options?.replace ?? href === location.href });
				scrollTo(0, 0);
			});
		},
		// The chunk is gone, most likely after a deploy: load the page from the server.
		() => location.assign(to),
	);
};

/** `ssrPath` selects the page during prerendering, where there is no location. */
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
	const Page = getLoadedPage(route);
	const shownBefore = useRef(route);

	// The visitor went back or forward to a page whose code is not loaded.
	useEffect(() => {
		if (!Page) location.reload();
	}, [Page]);
	useLayoutEffect(() => scene.setState({ scene: route.scene }), [route]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: each page has its own blocks of words.
	useEffect(watchQuietZone, [route]);
	useEffect(() => {
		if (shownBefore.current === route) return;
		shownBefore.current = route;
		applyHead(route);
		// CSS shows the new words only after the sky has changed, unless motion is off.
		document.documentElement.toggleAttribute("data-turned", isMoving(scene.getState()));
		document.querySelector("h1")?.focus({ preventScroll: true });
	}, [route]);

	return (
		<>
			<Stage sky={route.sky} />
			{Page && <Page key={route.path} />}
		</>
	);
}
