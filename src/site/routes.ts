import type { ComponentType } from "react";
import { brand, inks, sky } from "#brand";
import type { Scene } from "#engine";
import { words } from "#words";

export interface Route {
	path: string;
	/** File in `dist/site`, without its extension. */
	file: string;
	title: string;
	/** For search results, which show up to 155 characters. Indexed pages have at least 110. */
	description: string;
	sky: Sky;
	scene: Scene;
	/** Whether the page ships the boot script. Other pages are text and links. */
	interactive: boolean;
	indexed: boolean;
	status: 200 | 404;
	load: () => Promise<ComponentType>;
}

/** Morning on the landing page, night on the confirmation, paper for legal texts. */
export type Sky = "morning" | "night" | "paper";

/** Color of the browser's frame: the top of the sky. */
export const themeColors: Record<Sky, string> = {
	morning: sky.morning.colors[0] ?? "",
	night: sky.night.colors[0] ?? "",
	paper: inks.paper.ground,
};

export const darkThemeColors: Record<Sky, string> = {
	morning: themeColors.night,
	night: themeColors.night,
	paper: inks.darkPaper.ground,
};

const notFound: Route = {
	path: "*",
	file: "404",
	title: `${words.notFound.tab} · ${brand.product}`,
	description: words.notFound.description,
	sky: "morning",
	scene: "none",
	interactive: false,
	indexed: false,
	status: 404,
	load: () => import("./pages/not-found.tsx").then((page) => page.NotFound),
};

/** In matching order; the last route matches any path. */
export const routes: readonly Route[] = [
	{
		path: "/",
		file: "index",
		title: words.title,
		description: words.description,
		sky: "morning",
		scene: "drift",
		interactive: true,
		indexed: true,
		status: 200,
		load: () => import("./pages/landing.tsx").then((page) => page.Landing),
	},
	{
		path: "/confirmation",
		file: "confirmation",
		title: `${words.confirmation.title} · ${brand.product}`,
		description: words.confirmation.description,
		sky: "night",
		scene: "fireworks",
		interactive: true,
		indexed: false,
		status: 200,
		load: () => import("./pages/confirmation.tsx").then((page) => page.Confirmation),
	},
	{
		path: "/privacy",
		file: "privacy",
		title: `${words.legal.privacy} · ${brand.product}`,
		description: words.legal.privacyDescription,
		sky: "paper",
		scene: "none",
		interactive: false,
		indexed: true,
		status: 200,
		load: () => import("./legal/privacy.tsx").then((page) => page.Privacy),
	},
	{
		path: "/terms",
		file: "terms",
		title: `${words.legal.terms} · ${brand.product}`,
		description: words.legal.termsDescription,
		sky: "paper",
		scene: "none",
		interactive: false,
		indexed: true,
		status: 200,
		load: () => import("./legal/terms.tsx").then((page) => page.Terms),
	},
	notFound,
];

export function routeAt(path: string): Route {
	return routes.find((route) => route.path === path) ?? notFound;
}

export function robotsContent(route: Route): string {
	return route.indexed ? "index, follow" : "noindex";
}
