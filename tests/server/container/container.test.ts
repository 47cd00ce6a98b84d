/** @module-tag slow */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { postEmail } from "../../server-process.ts";
import { execForm, readDockerfile, textsOf } from "./dockerfile.ts";

/** Bytes of an image at most, the base included. */
const MOST_BYTES = 250e6;

const run = promisify(execFile);
const docker = async (...args: string[]) => (await run("docker", args)).stdout.trim();
const works = (...args: string[]) =>
	docker(...args).then(
		() => true,
		() => false,
	);
const hasDocker = await works("info");
const id = `waitlist-test-${process.pid}`;

beforeAll(async () => {
	if (hasDocker) await docker("build", "--tag", id, ".");
});
afterAll(async () => {
	if (!hasDocker) return;
	await works("volume", "rm", id);
	await docker("image", "rm", id);
});

/** Starts a container with the volume of its predecessors. */
async function start() {
	const name = await docker("run", "--detach", "--publish-all", "--volume", `${id}:/data`, id);
	const published = await docker("port", name, "3000/tcp");
	const url = `http://127.0.0.1:${/:(\d+)/.exec(published)![1]}`;
	await expect.poll(() => fetch(new URL("/readyz", url)).catch(() => {})).toBeDefined();
	return {
		url,
		exec: (...words: string[]) => docker("exec", name, ...words),
		async stop() {
			await docker("stop", name);
			const code = await docker("inspect", "--format", "{{.State.ExitCode}}", name);
			await docker("rm", name);
			return code;
		},
	};
}

it.runIf(hasDocker)("an image is not too large", async () => {
	const bytes = Number(await docker("image", "inspect", "--format", "{{.Size}}", id));
	expect(bytes).toBeLessThan(MOST_BYTES);
});

it.runIf(hasDocker)(
	"a container joins, is well, has its nights, keeps its list over a replacement, and stops",
	async () => {
		const first = await start();
		expect((await fetch(first.url)).status).toBe(200);
		expect((await postEmail(first.url, "ada@example.com")).status).toBe(201);
		const [check] = textsOf(readDockerfile("Dockerfile").at(-1)!, "HEALTHCHECK").map(execForm);
		await first.exec(...check!);
		expect(await first.exec("id", "-u")).toBe("1000");
		const night = () => first.exec("sh", "nightly.sh", "/data/backups");
		expect(await night()).toMatch(/^1 rows in \/data\/backups\/.*\.db, verified/);
		expect(await night()).toMatch(/ is there already\.\n0 deleted: all who joined before/);
		expect(await first.stop()).toBe("0");
		const second = await start();
		expect((await postEmail(second.url, "ada@example.com")).status).toBe(409);
		expect(await second.stop()).toBe("0");
	},
);
