import { getRequestListener } from "@hono/node-server";
import { getMimeType } from "hono/utils/mime";
import {
	type DevEnvironment,
	isRunnableDevEnvironment,
	type Plugin,
	type ViteDevServer,
} from "vite";
import type * as apiModule from "../server/dev.ts";
import type * as prerenderModule from "../site/prerender/prerender.tsx";

/** In `vite dev`: renders pages and serves the API from the current sources, in the same process. */
export function devServer(): Plugin {
	let closeApi: (() => Promise<void>) | undefined;
	return {
		name: "dev-server",
		apply: (_, { command, mode }) => command === "serve" && mode !== "test",
		configureServer(server) {
			closeApi = serveApi(server);
			return () => servePages(server);
		},
		closeBundle: () => closeApi?.(),
	};
}

function importSource<Module>(environment: DevEnvironment | undefined, path: string) {
	if (environment && isRunnableDevEnvironment(environment))
		return environment.runner.import<Module>(path);
	throw new Error(`vite.config.ts lacks the environment of ${path}`);
}

/**
 * Reopens the waitlist with the new code at the first request after an edit.
 * @returns a function that closes it
 */
function serveApi({ config, environments, middlewares }: ViteDevServer) {
	let module: typeof apiModule | undefined;
	let opened: ReturnType<typeof apiModule.openDevApp> | undefined;

	const close = async () => (await opened?.catch(() => undefined))?.close();

	const answer = getRequestListener(
		async (request) => {
			const current = await importSource<typeof apiModule>(
				environments.server,
				"/src/server/dev.ts",
			);
			if (current !== module) {
				module = current;
				opened = close().then(() => current.openDevApp(process.env));
				// A failed start is not cached: the next request retries.
				opened.catch(() => {
					module = undefined;
				});
			}
			const { fetch } = await opened!;
			return fetch(request);
		},
		{
			overrideGlobalObjects: false,
			errorHandler(error) {
				const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
				config.logger.error(message);
				return Response.json({ error: message }, { status: 500 });
			},
		},
	);
	middlewares.use((request, response, next) => {
		const { pathname } = new URL(request.url ?? "/", "http://dev");
		if (/^\/(?:healthz|readyz|api|api\/.*)$/.test(pathname)) {
			answer(request, response).catch(next);
		} else next();
	});
	return close;
}

function servePages(server: ViteDevServer): void {
	server.middlewares.use(async (request, response, next) => {
		if (request.method !== "GET" && request.method !== "HEAD") return next();
		try {
			const url = request.originalUrl ?? "/";
			const { renderSiteFiles, renderPage } = await importSource<typeof prerenderModule>(
				server.environments.prerender,
				"/src/site/prerender/prerender.tsx",
			);
			const { pathname } = new URL(url, "http://dev");
			const file = renderSiteFiles(new Date()).find(({ file }) => file === `site${pathname}`);
			if (file) {
				response.setHeader("content-type", getMimeType(pathname) ?? "text/plain");
				return void response.end(file.content);
			}
			const { status, html } = await renderPage(pathname, {
				stylesUrl: "/src/site/styles/index.css",
				bootUrl: "/src/site/client/boot.ts",
				mainUrl: "/src/site/client/main.tsx",
				fonts: [],
			});
			response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
			response.end(await server.transformIndexHtml(url, html));
		} catch (error) {
			next(error);
		}
	});
}
