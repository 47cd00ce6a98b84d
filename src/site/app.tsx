import { useEffect, useLayoutEffect, useRef } from "react";
import { type AroundNavHandler, Router, useLocation } from "wouter";
import { applyHead } from "./head.ts";
import { loadPage, pageOf } from "./pages-loaded.ts";
import { watchQuietZone } from "./quiet-zone.ts";
import { routeAt } from "./routes.ts";
import { scene } from "./scene.ts";
import { Stage } from "./stage.tsx";

/** Fetches the next page's code first, so that the current page stays until the next one can stand. */
const loadThenGo: AroundNavHandler = (navigate, to, options) => {
	const { pathname } = new URL(to, location.href);
	loadPage(pathname).then(
		() => {
			navigate(to, options);
			scrollTo(0, 0);
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

	useLayoutEffect(() => scene.setState({ name: route.scene }), [route]);
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
			<Page key={route.path} />
		</>
	);
}
