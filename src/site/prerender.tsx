import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { App } from "./app.tsx";
import { type Assets, renderDocument } from "./document.ts";
import { loadPage } from "./pages-loaded.ts";
import { type Route, routeAt, routes } from "./routes.ts";

/** A file of the build: its path in `dist` and what stands in it. */
export interface BuiltFile {
	file: string;
	content: string;
}

/** One page as a visitor without scripts meets it. */
export async function renderPage(
	path: string,
	assets: Assets,
): Promise<{ status: number; html: string }> {
	const route = routeAt(path);
	return { status: route.status, html: renderDocument(route, await renderMarkup(route), assets) };
}

/** Every page of the site, for `dist/site`. */
export async function renderPages(assets: Assets): Promise<BuiltFile[]> {
	return Promise.all(
		routes.map(async (route) => ({
			file: `site/${route.file}.html`,
			content: (await renderPage(route.path, assets)).html,
		})),
	);
}

async function renderMarkup(route: Route): Promise<string> {
	await loadPage(route.path);
	const { prelude } = await prerender(
		<StrictMode>
			<App ssrPath={route.path} />
		</StrictMode>,
	);
	return new Response(prelude).text();
}
