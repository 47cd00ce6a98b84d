/** @module-tag slow */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { findProgram } from "../../../bench/harness/browsers/find.ts";
import { start } from "../../../bench/harness/browsers/program.ts";
import { nginxProgram } from "../../../bench/harness/nginx.ts";
import { startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";

const run = promisify(execFile);

/**
 * Making networks takes root's rights, a Linux with pairs of network devices, and a root folder that is
 * a mount of its own, which it is not in every sandbox.
 */
const MAKE_NETWORK = `
	name=probe-$$
	ip netns add $name || exit 1
	ip -n $name link add one type veth peer name other && ip netns exec $name true
	made=$?
	ip netns del $name
	exit $made
`;
const mayMakeNetworks = await run("sh", ["-c", MAKE_NETWORK]).then(
	() => true,
	() => false,
);

/** Addresses for documentation (RFC 5737), of which nothing is on a real network. */
const VISITORS = ["198.51.100.1", "198.51.100.2"];
const PROXY = { outside: "198.51.100.254", inside: "10.0.0.1" };
const SERVER = "10.0.0.2";

/**
 * Three machines: visitors, a proxy, and a server that only the proxy reaches.
 *
 * @returns their names for `ip netns`; they go with the test
 */
async function makeNetworks() {
	const id = randomBytes(4).toString("hex");
	const [visitors, proxy, server] = ["visitors", "proxy", "server"].map((name) => `${name}-${id}`);
	const names = [visitors!, proxy!, server!];
	const ip = (args: string) => run("ip", args.split(" "));
	onTestFinished(async () => {
		for (const name of names) await ip(`netns del ${name}`).catch(() => {});
	});
	for (const name of names) await ip(`netns add ${name}`);
	const connect = async (name: string, device: string, ours: string[], proxys: string) => {
		await ip(`-n ${name} link add eth0 type veth peer name ${device} netns ${proxy}`);
		for (const address of ours) await ip(`-n ${name} addr add ${address}/24 dev eth0`);
		await ip(`-n ${proxy} addr add ${proxys}/24 dev ${device}`);
		await ip(`-n ${name} link set eth0 up`);
		await ip(`-n ${proxy} link set ${device} up`);
		await ip(`-n ${name} link set lo up`);
	};
	await connect(visitors!, "outside", VISITORS, PROXY.outside);
	await connect(server!, "inside", [SERVER], PROXY.inside);
	return { visitors: visitors!, proxy: proxy!, server: server! };
}

/** nginx as a proxy that appends the visitor's address, in a network of its own. */
async function startProxy(network: string): Promise<void> {
	const folder = await temporaryFolder();
	const file = join(folder, "nginx.conf");
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
	await writeFile(
		file,
		`daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr notice; events {}
		http {
			access_log off;
			${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}
			server {
				listen ${PROXY.outside}:80;
				location / {
					proxy_pass http://${SERVER}:3000;
					proxy_set_header Host $host;
					proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
				}
			}
		}`,
	);
	const nginx = await findProgram(nginxProgram);
	const args = ["netns", "exec", network, nginx, "-p", folder, "-c", file, "-g", "user root;"];
	const running = start("ip", args);
	onTestFinished(() => running.end());
	await running.waitFor(/start worker process \d+/);
}

/** A visitor's program: joins from an address, claims to have another one, and prints the status. */
const SEND = `
	const [from, n] = process.argv.slice(1);
	const headers = { "content-type": "application/json", "x-forwarded-for": "203.0.113." + n };
	const to = { host: "${PROXY.outside}", path: "${JOIN_PATH}", method: "POST", localAddress: from, headers };
	require("node:http").request(to, ({ statusCode }) => process.stdout.write(String(statusCode), process.exit))
		.end(JSON.stringify({ email: "visitor-" + from + "-" + n + "@example.com" }));
`;

it.runIf(mayMakeNetworks)(
	"behind a proxy on another address every visitor has a limit of their own, whatever they claim",
	async () => {
		const { visitors, proxy, server } = await makeNetworks();
		await startServer({
			folder: await temporaryFolder(),
			env: {
				HOST: "0.0.0.0",
				PORT: "3000",
				TRUSTED_PROXIES: "private",
				WAITLIST_ADDRESS_LIMIT: "1/10m",
				WAITLIST_CROWD_LIMIT: "1/10m",
			},
			before: `exec ip netns exec ${server} "$0" "$1"`,
		});
		await startProxy(proxy);
		const join = async (from: string, n: number) => {
			const args = ["netns", "exec", visitors, process.execPath, "-e", SEND, from, String(n)];
			return (await run("ip", args)).stdout;
		};
		const statuses: string[] = [];
		for (const from of VISITORS) {
			for (let n = 1; n <= 3; n++) statuses.push(await join(from, n));
		}
		expect(statuses).toEqual(["201", "201", "429", "201", "201", "429"]);
	},
);
