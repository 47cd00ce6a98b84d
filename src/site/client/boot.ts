/**
 * The only script in the HTML. Fetches the application when the page is idle, or at the first
 * touch, key or focus. Until then the page is readable and its form works.
 */
import { allowNextReload, reloadAfterDeploy } from "./reload-after-deploy.ts";

const signs = ["pointerdown", "keydown", "focusin", "touchstart"];
const { main } = document.querySelector<HTMLElement>("script[data-main]")?.dataset ?? {};

function start(): void {
	for (const sign of signs) removeEventListener(sign, start, true);
	if (!main) return;
	import(/* @vite-ignore */ main)
		.then(allowNextReload, () => reloadAfterDeploy(main))
		.catch((error: unknown) => console.info(`boot: ${error}`));
}

for (const sign of signs) addEventListener(sign, start, { capture: true, passive: true });

addEventListener("load", () => {
	// Safari has no requestIdleCallback.
	if ("requestIdleCallback" in window) requestIdleCallback(start, { timeout: 2000 });
	else setTimeout(start, 200);
});
