import { scene } from "./scene.ts";

/** Tells the engine whether the visitor's system is dark, as long as the page is open (promise 100). */
export function followScheme(): void {
	const darkness = matchMedia("(prefers-color-scheme: dark)");
	const follow = () => scene.setState({ dark: darkness.matches });
	darkness.addEventListener("change", follow);
	follow();
}
