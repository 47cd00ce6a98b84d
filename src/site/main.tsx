import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startMotion } from "./motion.ts";
import { loadPage } from "./pages-loaded.ts";

const root = document.getElementById("root");
if (!root) throw new Error("The document has no #root to hydrate");
await loadPage(location.pathname);
hydrateRoot(
	root,
	<StrictMode>
		<App />
	</StrictMode>,
);
startMotion();
