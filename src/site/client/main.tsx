import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { routeAt } from "../routes.ts";
import { followMotionPreference } from "../stage/motion.ts";
import { followColorScheme } from "../stage/scheme.ts";
import { addLateStyles } from "../styles/late-styles.ts";
import { App } from "./app.tsx";
import { loadPage } from "./load-page.ts";

const root = document.getElementById("root");
if (!root) throw new Error("The document has no #root to hydrate");
const path = location.pathname;
// Compiling React has just blocked the thread: handle pending input first.
await new Promise((resolve) => setTimeout(resolve));
await loadPage(path);
if (path === location.pathname && routeAt(path).path === root.dataset.path) {
	// A transition hydrates in slices of 5 ms, so clicks and typing are handled in between.
	startTransition(() => {
		hydrateRoot(
			root,
			<StrictMode>
				<App />
			</StrictMode>,
		);
	});
	followMotionPreference();
	followColorScheme();
	addLateStyles();
} else {
	// The visitor went back or forward before this ran: the URL belongs to another page now.
	location.reload();
}
