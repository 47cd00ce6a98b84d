import type { Playground } from "./state.ts";

export function makeJank(playground: Playground): void {
	let request = 0;
	function burn(): void {
		const { jank } = playground.getState();
		const until = performance.now() + jank;
		while (performance.now() < until);
		request = jank > 0 ? requestAnimationFrame(burn) : 0;
	}
	const follow = () => {
		if (request === 0 && playground.getState().jank > 0) request = requestAnimationFrame(burn);
	};
	playground.subscribe(follow);
	follow();
}
