import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { freePort } from "../../bench/harness/built-site.ts";
import { type PostgresCluster, startPostgres } from "../../bench/harness/postgres-cluster.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { sized } from "../sized.ts";
import { type Nginx, type NginxPlaces, runNginx } from "../tooling/nginx.ts";
import { placeOf } from "./waitlist/databases.ts";

/** Where operators copy nginx's configuration from. */
const README = "src/server/deploying/server.md";

const ROLLS = sized(3, 10);
const VISITORS = 16;

let cluster: PostgresCluster;

beforeAll(async () => {
	cluster = await startPostgres();
});

afterAll(() => cluster?.remove());

/** The README's configuration, with the ports, certificates and files of this test in their places. */
async function documentedNginx(copies: readonly number[]): Promise<Nginx> {
	const documented = /```nginx\n([\s\S]+?)```/.exec(await readFile(README, "utf8"))![1]!;
	const configure = ({ httpPort, httpsPort, certificate, key, folder }: NginxPlaces) => {
		let text = documented;
		const replace = (pattern: RegExp, replacement: string) => {
			expect(text).toMatch(pattern);
			text = text.replace(pattern, replacement);
		};
		replace(/listen 443 ssl;\s+listen \[::\]:443 ssl;/, `listen 127.0.0.1:${httpsPort} ssl;`);
		replace(/listen 80;\s+listen \[::\]:80;/, `listen 127.0.0.1:${httpPort};`);
		// Debian 12 has nginx 1.22, which knows it as an option of `listen` only.
		replace(/http2 on;/, "");
		replace(/(ssl_certificate +)\S+;/, `$1${certificate};`);
		replace(/(ssl_certificate_key +)\S+;/, `$1${key};`);
		replace(/\/var\/log\/nginx\//, `${folder}/`);
		const upstreams = copies.map((port) => `server 127.0.0.1:${port}$1;`);
		replace(/server 127\.0\.0\.1:3000(.*?);/, upstreams.join("\n"));
		return text;
	};
	const nginx = await runNginx(configure);
	onTestFinished(nginx.close);
	return nginx;
}

/** Visitors who read the page and join, one after the other, until they are stopped. */
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

it(`no visitor fails while two copies behind the README's nginx restart in turns, ${ROLLS} times`, async () => {
	const { folder, env, emails } = await placeOf("PostgreSQL", cluster);
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
			copies[n]!.process.kill("SIGTERM");
			expect(await copies[n]!.ended).toBe(0);
			copies[n] = await start(port);
		}
	}
	await visitors.stop();
	console.log(
		`${ROLLS} rolls: ${[...visitors.tally].map(([what, n]) => `${what}: ${n}`).join(", ")}`,
	);
	const kinds = [...visitors.tally.keys()].filter(
		(what) => !/^(GET 200|POST 201|POST 409)$/.test(what),
	);
	expect(kinds).toEqual([]);
	expect(visitors.tally.get("POST 201")).toBeGreaterThan(10 * VISITORS);
	const kept = await emails();
	expect(kept.size).toBe(visitors.onList.length);
	expect(visitors.onList.filter((email) => !kept.has(email))).toEqual([]);
}, 300_000);
