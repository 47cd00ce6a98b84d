/**
 * The only script in the HTML, one file without imports when built: the page is readable and its
 * form works without it. It fetches the application when the page is idle, or at the first sign of
 * interest.
 */
import { keepPage, renewPage } from "./reload-after-deploy.ts";

const signs = ["pointerdown", "keydown", "focusin", "touchstart"];
const { main } = document.querySelector<HTMLElement>("script[data-main]")?.dataset ?? {};

function start(): void {
	for (const sign of signs) removeEventListener(sign, start, true);
	if (!main) return;
	import(/* @vite-ignore */ main)
		.then(keepPage, () => renewPage(main))
		.catch((error: unknown) => console.info(`boot: ${error}`));
}

for (const sign of signs) addEventListener(sign, start, { capture: true, passive: true });

addEventListener("load", () => {
	// Safari has no requestIdleCallback.
	if ("requestIdleCallback" in window) requestIdleCallback(start, { timeout: 2000 });
	else setTimeout(start, 200);
});
