import { getMimeType } from "hono/utils/mime";
import type { Plugin } from "vite";
import type * as prerenderModule from "../../site/prerender/prerender.tsx";
import { importSource } from "./import-source.ts";

/** In `vite dev`: renders each page from the present sources, like the build. */
export function devPages(): Plugin {
	return {
		name: "dev-pages",
		apply: (_, { command, mode }) => command === "serve" && mode !== "test",
		configureServer: (server) => () => {
			server.middlewares.use(async (request, response, next) => {
				if (request.method !== "GET" && request.method !== "HEAD") return next();
				try {
					const url = request.originalUrl ?? "/";
					const { renderFiles, renderPage } = await importSource<typeof prerenderModule>(
						server.environments.prerender,
						"/src/site/prerender/prerender.tsx",
					);
					const { pathname } = new URL(url, "http://dev");
					const file = renderFiles(new Date()).find(({ file }) => file === `site${pathname}`);
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
		},
	};
}
