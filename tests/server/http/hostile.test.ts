import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { readRows } from "../../read-rows.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { createChance, makeHostile, sendHostile } from "./hostile.ts";

const REQUESTS = 50;
const STRANGERS = 50;
/** Joins that must be answered beside them, however slow the machine. */
const JOINS = 10;

/** HOSTILE_SEED replays one. */
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31);

async function memoryOf(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, "utf8");
	return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024;
}

it(`survives ${REQUESTS} hostile requests while a visitor joins (seed ${seed})`, async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const port = Number(new URL(server.url).port);
	const chance = createChance(seed);
	let joined = 0;
	const statuses = new Set<string>();
	let left = REQUESTS;
	const attack = async () => {
		while (left > 0 || joined < JOINS) {
			left -= 1;
			const received = await sendHostile(port, makeHostile(chance));
			statuses.add(/(?<=^HTTP\/1\.1 )\d+/.exec(received)?.[0] ?? "none");
		}
	};

	let attacked = false;
	const visitor = (async () => {
		while (!attacked) {
			const email = `visitor-${joined}@example.com`;
			expect((await postEmail(server.url, email)).status).toBe(201);
			joined += 1;
		}
	})();
	const before = await memoryOf(server.process.pid!);
	await Promise.all(Array.from({ length: STRANGERS }, attack));
	attacked = true;
	await visitor;
	const growth = (await memoryOf(server.process.pid!)) - before;
	expect([...statuses].filter((status) => status.startsWith("5"))).toEqual([]);
	expect(joined).toBeGreaterThanOrEqual(JOINS);
	expect(growth).toBeLessThan(50e6);
	const errors = server.logged().filter(({ level }) => level === "error");
	expect(errors.filter(({ event }) => event !== "proxy not trusted")).toEqual([]);
	const kept = new Set(readRows(server.file).map(({ email }) => email));
	for (let n = 0; n < joined; n++) expect(kept.has(`visitor-${n}@example.com`)).toBe(true);
	server.process.kill("SIGTERM");
	expect(await server.ended).toBe(0);
});
