import { getRequestListener } from "@hono/node-server";
import type { Plugin } from "vite";
import type * as devModule from "../../server/dev.ts";
import { importSource } from "./import-source.ts";

/**
 * In `vite dev`: serves the API from the present sources, in the same process. After an edit the
 * next request reopens the waitlist with the new code.
 */
export function devApi(): Plugin {
	let module: typeof devModule | undefined;
	let opened: ReturnType<typeof devModule.openDevApp> | undefined;

	const close = async () => (await opened?.catch(() => undefined))?.close();

	return {
		name: "dev-api",
		apply: (_, { command, mode }) => command === "serve" && mode !== "test",
		configureServer(viteServer) {
			const { server } = viteServer.environments;
			const answer = getRequestListener(
				async (request) => {
					const current = await importSource<typeof devModule>(server, "/src/server/dev.ts");
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
						viteServer.config.logger.error(message);
						return Response.json({ error: message }, { status: 500 });
					},
				},
			);
			viteServer.middlewares.use((request, response, next) => {
				const { pathname } = new URL(request.url ?? "/", "http://dev");
				if (/^\/(?:healthz|readyz|api|api\/.*)$/.test(pathname)) {
					answer(request, response).catch(next);
				} else next();
			});
		},
		closeBundle: close,
	};
}
