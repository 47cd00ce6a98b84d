import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../../bench/harness/built-site.ts";
import { temporaryFolder } from "../../../bench/harness/temporary.ts";
import { execForm, readDockerfile, type Stage, textsOf, variables } from "./dockerfile.ts";

const run = promisify(execFile);
const works = (program: string, ...args: string[]) =>
	run(program, args).then(
		() => true,
		() => false,
	);

/** A container that runs the image, with the volume of all its predecessors at /data. */
export interface Container {
	url: string;
	/** From the start of the container until the server answers, in ms. */
	startMs: number;
	/** Whether the image's health check says so. */
	isWell(): Promise<boolean>;
	/** Runs nightly.sh as the host's cron does, and gives what it says. */
	night(): Promise<string>;
	/** The number of the user that the server runs as. */
	user(): Promise<number>;
	/** Stops it as engines do, by SIGTERM, and gives the exit code. */
	stop(): Promise<number>;
}

/** An image that was built from our Dockerfile. */
export interface Image {
	bytes: number;
	/** How the bytes were measured. */
	measured: string;
	start(): Promise<Container>;
	remove(): Promise<void>;
}

/**
 * What builds and runs images here: Docker where its daemon runs, else overlays of this machine's own
 * files, which take root's rights. Undefined where neither does.
 */
export const engine = (await works("docker", "info"))
	? "Docker"
	: (await overlaysWork())
		? "overlays"
		: undefined;

async function overlaysWork(): Promise<boolean> {
	const { folder, remove } = await temporaryFolder("layer-");
	const mounts = await works("unshare", ...unshare(inRoot(folder, "true")));
	await remove();
	return mounts;
}

/** @param context the files that the build gets */
export async function buildImage(context: readonly string[]): Promise<Image | undefined> {
	if (engine === "Docker") return buildByDocker();
	return engine && buildByOverlays(context);
}

/** @returns how long that took, in ms */
async function waitUntilServing(url: string, process?: ChildProcess): Promise<number> {
	const began = performance.now();
	for (;;) {
		if (await fetch(new URL("/readyz", url)).catch(() => undefined)) {
			return performance.now() - began;
		}
		if (process?.exitCode != null) throw new Error(`The container ended with ${process.exitCode}.`);
		await new Promise((later) => setTimeout(later, 20));
	}
}

async function buildByDocker(): Promise<Image> {
	const docker = async (...args: string[]) => (await run("docker", args)).stdout.trim();
	const id = `waitlist-test-${process.pid}`;
	await docker("build", "--tag", id, ".");
	return {
		bytes: Number(await docker("image", "inspect", "--format", "{{.Size}}", id)),
		measured: "as Docker says",
		async start() {
			const name = await docker("run", "--detach", "--publish-all", "--volume", `${id}:/data`, id);
			const published = await docker("port", name, "3000/tcp");
			const url = `http://127.0.0.1:${/:(\d+)/.exec(published)![1]}`;
			const startMs = await waitUntilServing(url);
			const [check] = textsOf(readDockerfile("Dockerfile").at(-1)!, "HEALTHCHECK").map(execForm);
			return {
				url,
				startMs,
				isWell: () => works("docker", "exec", name, ...check!),
				night: () => docker("exec", name, "sh", "nightly.sh", "/data/backups"),
				user: async () => Number(await docker("exec", name, "id", "-u")),
				async stop() {
					await docker("stop", name);
					const code = await docker("inspect", "--format", "{{.State.ExitCode}}", name);
					await docker("rm", name);
					return Number(code);
				},
			};
		},
		async remove() {
			await docker("volume", "rm", id);
			await docker("image", "rm", id);
		},
	};
}

/**
 * The base on disk, for amd64. It is not measured: only an engine can fetch it. docker-library/repo-info
 * has 227 MB for `node:22-bookworm-slim`, and the program of Node 20 is about 22 MB smaller.
 */
const BASE_BYTES = 205e6;

/** The user that the base image has for us. */
const NODE_USER = 1000;

/**
 * Follows the Dockerfile without an engine. This machine's own files stand for the base image, so that
 * they must have the same Node; what an instruction writes goes into a layer above them.
 */
async function buildByOverlays(context: readonly string[]): Promise<Image> {
	const { folder, remove } = await temporaryFolder("image-");
	const sources = join(folder, "context");
	for (const file of context) await cp(file, join(sources, file));
	const layers = new Map<string, string>();
	const stages = readDockerfile("Dockerfile");
	let layer = "";
	for (const [n, stage] of stages.entries()) {
		layer = join(folder, `stage-${n}`);
		await buildStage(stage, layer, sources, layers);
		if (stage.name) layers.set(stage.name, layer);
	}
	const own = Number((await run("du", ["-sb", join(layer, "upper")])).stdout.split("\t")[0]);
	const volume = join(folder, "volume");
	// An engine gives a new volume the owner and mode that the image's folder has.
	await run("cp", ["-a", join(layer, "upper/data"), volume]);
	return {
		bytes: BASE_BYTES + own,
		measured: `${(own / 1e6).toFixed(1)} MB of its own, on a base of ${BASE_BYTES / 1e6} MB`,
		start: () => startContainer(stages.at(-1)!, layer, volume, join(folder, `c-${Math.random()}`)),
		remove: async () => remove(),
	};
}

/** A command in a root of its own: this machine's files under the layer, without the rest of /proc. */
function inRoot(layer: string, command: string): string {
	const root = join(layer, "root");
	return `set -e
		mkdir -p ${layer}/upper ${layer}/work ${root}
		mount -t overlay overlay -o lowerdir=/,upperdir=${layer}/upper,workdir=${layer}/work ${root}
		mount --rbind /dev ${root}/dev
		mount -t proc proc ${root}/proc
		${command.replaceAll("$ROOT", root)}`;
}

function unshare(script: string): string[] {
	return ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script];
}

async function buildStage(
	{ instructions }: Stage,
	layer: string,
	context: string,
	layers: ReadonlyMap<string, string>,
): Promise<void> {
	await mkdir(join(layer, "upper/etc"), { recursive: true });
	for (const [file, line] of [
		["/etc/passwd", `node:x:${NODE_USER}:${NODE_USER}::/home/node:/bin/sh`],
		["/etc/group", `node:x:${NODE_USER}:`],
	] as const) {
		const others = (await readFile(file, "utf8")).replace(/^node:.*\n/m, "");
		await writeFile(join(layer, "upper", file), `${others}${line}\n`);
	}
	let workdir = "/";
	let environment: Record<string, string> = {};
	const perform = (command: string) =>
		run("unshare", unshare(inRoot(layer, command)), {
			env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
			maxBuffer: 64e6,
		});
	for (const { name, text } of instructions) {
		switch (name) {
			case "WORKDIR":
				workdir = resolve(workdir, text);
				await perform(`mkdir -p $ROOT${workdir}`);
				break;
			case "ARG":
			case "ENV":
				environment = { ...environment, ...variables([text]) };
				break;
			case "COPY": {
				const [, from, what] = /^(?:--from=(\S+) )?(.*)$/.exec(text)!;
				const words = what!.split(/\s+/);
				const to = resolve(workdir, words.pop()!);
				const source = from ? `${layers.get(from)!}/upper` : context;
				for (const word of words) {
					const path = join(source, word);
					const isFolder = await works("test", "-d", path);
					// Of a folder, what is in it is copied.
					await perform(`mkdir -p $ROOT${isFolder ? to : dirname(join(to, "x"))}
						cp -a ${isFolder ? `${path}/.` : path} $ROOT${to}`);
				}
				break;
			}
			case "RUN":
				await perform(`exec chroot $ROOT sh -ec 'cd "$0"; eval "$1"' ${workdir} ${quoted(text)}`);
				break;
			case "USER":
			case "EXPOSE":
			case "HEALTHCHECK":
			case "CMD":
				break;
			default:
				throw new Error(`The Dockerfile has ${name}, which is not followed here.`);
		}
	}
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

async function startContainer(
	stage: Stage,
	image: string,
	volume: string,
	layer: string,
): Promise<Container> {
	// A fresh copy of the image for each container.
	await mkdir(layer);
	await run("cp", ["-a", join(image, "upper"), layer]);
	const port = await freePort();
	const environment = { ...variables(textsOf(stage, "ENV")), PORT: String(port) };
	const [command] = textsOf(stage, "CMD").map(execForm);
	const [check] = textsOf(stage, "HEALTHCHECK").map(execForm);
	const [user] = textsOf(stage, "USER");
	const workdir = textsOf(stage, "WORKDIR").at(-1)!;
	const asUser = (words: readonly string[]) =>
		`exec chroot --userspec=${user}:${user} $ROOT sh -c 'cd "$0"; exec "$@"' ${workdir} ${words.map(quoted).join(" ")}`;
	const env = { PATH: process.env.PATH, ...environment };
	const start = (words: readonly string[]) =>
		spawn(
			"unshare",
			unshare(inRoot(layer, `mount --bind ${volume} $ROOT/data\n${asUser(words)}`)),
			{ env, stdio: ["ignore", "inherit", "inherit"] },
		);
	const container = start(command!);
	const url = `http://127.0.0.1:${port}`;
	const startMs = await waitUntilServing(url, container);
	const children = await readFile(`/proc/${container.pid}/task/${container.pid}/children`, "utf8");
	const server = Number(children.trim());
	/** A command in the running container, in the folder and with the settings of its server. */
	const inside = async (words: readonly string[]) => {
		const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
		const { stdout } = await run("nsenter", [
			...["--target", String(server), "--mount", "--pid", "--root", "--wd"],
			...["--setuid", String(NODE_USER), "env", "-i", `PATH=${env.PATH}`, ...variables, ...words],
		]);
		return stdout;
	};
	return {
		url,
		startMs,
		isWell: () =>
			inside(check!).then(
				() => true,
				() => false,
			),
		night: () => inside(["sh", "nightly.sh", "/data/backups"]),
		async user() {
			const status = await readFile(`/proc/${server}/status`, "utf8");
			return Number(/^Uid:\s+(\d+)/m.exec(status)![1]);
		},
		async stop() {
			const ended = once(container, "exit");
			process.kill(server, "SIGTERM");
			const [code] = await ended;
			return code;
		},
	};
}
