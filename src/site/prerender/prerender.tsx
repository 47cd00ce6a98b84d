import { type ReactNode, StrictMode } from "react";
import { prerender } from "react-dom/static";
import { Router } from "wouter";
import { brand } from "#brand";

import { type LinkPageName, linkPageNames } from "#shared/links.ts";
import { linkPages, words } from "#words";
import { App } from "../client/app.tsx";
import { loadPage } from "../client/load-page.ts";
import { LinkPage } from "../link-pages/link-page.tsx";
import { type Route, routeAt, routes } from "../routes.ts";
import { Stage } from "../stage/stage.tsx";
import type { JoinResult } from "../waitlist/join.ts";
import { type PageAssets, type PageScript, renderDocument } from "./document.ts";
import { listSiteFiles } from "./site-files.ts";

export { renderShownWordsFile } from "./shown-words.ts";

/** `file` is the path in `dist`. */
export interface BuiltFile {
	file: string;
	content: string;
}

export async function renderPage(
	path: string,
	assets: PageAssets,
): Promise<{ status: number; html: string }> {
	const route = routeAt(path);
	await loadPage(route.path);
	const markup = await renderMarkup(<App ssrPath={route.path} />);
	return { status: route.status, html: renderDocument(route, markup, assets) };
}

/** Pages for `dist/site`. */
export async function renderPages(assets: PageAssets): Promise<BuiltFile[]> {
	return Promise.all(
		routes.map(async (route) => ({
			file: `site/${route.file}.html`,
			content: (await renderPage(route.path, assets)).html,
		})),
	);
}

/** Files for crawlers and browsers, in `dist/site`. */
export function renderSiteFiles(now: Date): BuiltFile[] {
	return listSiteFiles(now).map(({ path, content }) => ({ file: `site${path}`, content }));
}

/**
 * Responses to a form sent without script, for `dist/outcomes`. The server fills in `{{confirm}}`,
 * `{{error}}`, `{{email}}` and `{{ref}}`.
 */
export async function renderFormResponses(assets: PageAssets): Promise<BuiltFile[]> {
	const { Landing } = await import("../pages/landing.tsx");
	const landing = routeAt("/");
	const answer: Route = { ...landing, interactive: false, indexed: false };
	const results: [result: JoinResult, sentence: string][] = [
		[{ status: "registered", confirm: "{{confirm}}" }, words.messages.joined],
		[{ status: "duplicate" }, words.messages.duplicate],
		[{ status: "refused", error: "{{error}}" }, "{{error}}"],
	];
	return Promise.all(
		results.map(async ([result, sentence]) => {
			const markup = await renderMarkup(
				<Router ssrPath={landing.path}>
					<Stage sky={landing.sky} />
					<Landing state={result} email="{{email}}" cameFrom="{{ref}}" />
				</Router>,
			);
			// Without script, only the title can announce the result: screen readers read titles first.
			const title = `${sentence} · ${brand.product}`;
			const content = renderDocument({ ...answer, title }, markup, assets);
			return { file: `outcomes/${result.status}.html`, content };
		}),
	);
}

/**
 * Pages for `dist/link-pages`.
 * @param scripts by page name
 */
export async function renderLinkPages(
	assets: PageAssets,
	scripts: Partial<Record<LinkPageName, PageScript>>,
): Promise<BuiltFile[]> {
	// Their URLs are personal, so these pages have no canonical URL and no sharing card.
	const unlisted = routeAt("*");
	return Promise.all(
		linkPageNames.map(async (name) => {
			const { heading, words: description } = linkPages[name];
			const markup = await renderMarkup(
				<Router ssrPath={unlisted.path}>
					<Stage sky={unlisted.sky} />
					<LinkPage name={name} />
				</Router>,
			);
			const title = `${heading} · ${brand.product}`;
			const content = renderDocument(
				{ ...unlisted, title, description },
				markup,
				assets,
				scripts[name],
			);
			return { file: `link-pages/${name}.html`, content };
		}),
	);
}

async function renderMarkup(site: ReactNode): Promise<string> {
	const { prelude } = await prerender(<StrictMode>{site}</StrictMode>);
	return new Response(prelude).text();
}
