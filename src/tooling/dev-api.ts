import { getRequestListener } from "@hono/node-server";
import { isRunnableDevEnvironment, type Plugin } from "vite";
import type * as devModule from "../server/dev.ts";

/**
 * `vite dev`: answers the API from the server's sources as they are now, in the same process.
 * An edit closes the waitlist and opens it with the new code at the next request.
 */
export function devApi(): Plugin {
	let module: typeof devModule | undefined;
	let dev: ReturnType<typeof devModule.openDevApp> | undefined;

	async function close(): Promise<void> {
		const last = await dev?.catch(() => undefined);
		dev = undefined;
		await last?.close();
	}

	return {
		name: "dev-api",
		apply: (_, { command, mode }) => command === "serve" && mode !== "test",
		configureServer(viteServer) {
			const { server } = viteServer.environments;
			if (!server || !isRunnableDevEnvironment(server)) {
				throw new Error("vite.config.ts lacks the server environment");
			}
			const answer = getRequestListener(
				async (request) => {
					const current: typeof devModule = await server.runner.import("/src/server/dev.ts");
					if (current !== module) {
						await close();
						module = current;
						dev = current.openDevApp(process.env);
						// What cannot start is tried again by the next request, not kept.
						dev.catch(() => {
							module = undefined;
						});
					}
					const { fetch } = await dev!;
					return fetch(request);
				},
				{ overrideGlobalObjects: false },
			);
			viteServer.middlewares.use((request, response, next) => {
				const { pathname } = new URL(request.url ?? "/", "http://dev");
				if (pathname === "/healthz" || pathname === "/api" || pathname.startsWith("/api/")) {
					answer(request, response).catch(next);
				} else next();
			});
		},
		closeBundle: close,
	};
}
