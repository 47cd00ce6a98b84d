import { spawn } from "node:child_process";
import { join } from "node:path";
import { addressSaid } from "./address-said.ts";
import { atExit, temporaryFolder } from "./temporary.ts";

/** The built site, served by its own server on a port of its own. */
export interface BuiltSite {
	readonly url: string;
	stop(): Promise<void>;
}

/** @throws Error with what the server said when it ended instead */
export async function serveBuiltSite(tree: string): Promise<BuiltSite> {
	const { folder, remove } = await temporaryFolder("bench-site-");
	const server = spawn(process.execPath, [join(tree, "dist/server/main.js")], {
		cwd: folder,
		env: { PATH: process.env.PATH, PORT: "0" },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const kill = atExit(() => server.kill());
	const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
	const url = await addressSaid(server);
	return {
		url,
		async stop() {
			kill();
			await ended;
			remove();
		},
	};
}
