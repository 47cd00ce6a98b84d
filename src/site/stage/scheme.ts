import { scene } from "./scene.ts";

/** Keeps the engine informed of the system's color scheme. */
export function followScheme(): void {
	const darkness = matchMedia("(prefers-color-scheme: dark)");
	const follow = () => scene.setState({ dark: darkness.matches });
	darkness.addEventListener("change", follow);
	follow();
}
