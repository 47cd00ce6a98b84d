import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { expect, it } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { freePort } from "../../bench/harness/built-site.ts";
import type { Nginx } from "../../bench/harness/nginx.ts";
import { type ServerProcess, startServer, stopServer } from "../server-process.ts";
import { documentedNginx } from "./deploying/documented-nginx.ts";
import { placeOf } from "./registrations/databases.ts";

const ROLLS = 3;
const VISITORS = 16;

function sendVisitors({ httpsPort }: Nginx, ca: Buffer) {
	const agent = new Agent({ keepAlive: true, ca });
	const tally = new Map<string, number>();
	const onList: string[] = [];
	let going = true;

	const ask = (method: string, path: string, body?: string) =>
		new Promise<number | string>((resolve) => {
			const headers = body ? { "content-type": "application/json" } : {};
			const options = { agent, method, path, host: "localhost", port: httpsPort, headers };
			request(options, (response) =>
				response.resume().once("end", () => resolve(response.statusCode!)),
			)
				.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
				.end(body);
		});
	const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
	const gone = Promise.all(
		Array.from({ length: VISITORS }, async (_, visitor) => {
			for (let n = 0; going; n++) {
				count(`GET ${await ask("GET", "/")}`);
				const email = `visitor-${visitor}-${n}@example.com`;
				const status = await ask("POST", JOIN_PATH, JSON.stringify({ email }));
				count(`POST ${status}`);
				// 409: nginx sent it to the second copy as well, after the first had kept it.
				if (status === 201 || status === 409) onList.push(email);
			}
		}),
	);
	return {
		tally,
		onList,
		async stop() {
			going = false;
			await gone;
			agent.destroy();
		},
	};
}

it(`no visitor fails while two copies behind the README's nginx restart in turns, ${ROLLS} times`, {
	tags: "slow",
}, async () => {
	const { folder, env, emails } = await placeOf("PostgreSQL");
	const ports = [await freePort(), await freePort()];
	const start = (port: number): Promise<ServerProcess> =>
		startServer({
			folder,
			env: {
				...env,
				PORT: String(port),
				TRUSTED_PROXIES: "127.0.0.1",
				WAITLIST_ADDRESS_LIMIT: "0",
			},
		});
	const copies = await Promise.all(ports.map(start));
	const nginx = await documentedNginx(ports);
	const visitors = sendVisitors(nginx, await readFile(nginx.certificate));
	for (let roll = 0; roll < ROLLS; roll++) {
		for (const [n, port] of ports.entries()) {
			await stopServer(copies[n]!);
			copies[n] = await start(port);
		}
	}
	await visitors.stop();
	const kinds = [...visitors.tally.keys()].filter(
		(what) => !/^(GET 200|POST 201|POST 409)$/.test(what),
	);
	expect(kinds).toEqual([]);
	expect(visitors.tally.get("POST 201")).toBeGreaterThan(10 * VISITORS);
	const kept = await emails();
	expect(kept.size).toBe(visitors.onList.length);
	expect(visitors.onList.filter((email) => !kept.has(email))).toEqual([]);
});
