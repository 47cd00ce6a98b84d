import { scene } from "./scene.ts";

export function followColorScheme(): void {
	const darkness = matchMedia("(prefers-color-scheme: dark)");
	const follow = () => scene.setState({ dark: darkness.matches });
	darkness.addEventListener("change", follow);
	follow();
}
