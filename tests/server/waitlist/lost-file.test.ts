import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connect, readRows } from "../../read-rows.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";

const statusOf = async (url: string, path: string) => (await fetch(new URL(path, url))).status;

it("a database file that is deleted takes no join: 503, not ready, and no new file", async () => {
	const folder = await temporaryFolder();
	const server = await startServer({ folder });
	expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
	await rm(server.file);
	for (let n = 0; n < 20; n++) {
		expect((await postEmail(server.url, `visitor-${n}@example.com`)).status).toBe(503);
	}
	await expect.poll(() => statusOf(server.url, "/readyz"), { timeout: 5000 }).toBe(503);
	await expect(stat(server.file)).rejects.toThrow("ENOENT");
	expect(server.logged("waitlist unavailable")).toMatchObject([
		{ error: expect.stringContaining("was deleted or moved: put it back") },
	]);
});

it("a database file that is moved holds every join, and takes joins again when it is back", async () => {
	const folder = await temporaryFolder();
	const server = await startServer({ folder });
	expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
	const moved = join(folder, "moved.db");
	await rename(server.file, moved);
	expect((await postEmail(server.url, "bob@example.com")).status).toBe(503);
	await expect.poll(async () => (await stat(`${server.file}-wal`)).size).toBe(0);
	await rename(moved, server.file);
	expect((await postEmail(server.url, "bob@example.com")).status).toBe(201);
	server.process.kill("SIGTERM");
	expect(await server.ended).toBe(0);
	expect(readRows(server.file).map(({ key }) => key)).toEqual([
		"ada@example.com",
		"bob@example.com",
	]);
});

it("a foreign file in its place takes no join either", async () => {
	const folder = await temporaryFolder();
	const server = await startServer({ folder });
	await rename(server.file, join(folder, "moved.db"));
	connect(server.file).exec("CREATE TABLE contact (name TEXT)");
	expect((await postEmail(server.url, "ada@example.com")).status).toBe(503);
	await expect.poll(() => statusOf(server.url, "/readyz"), { timeout: 5000 }).toBe(503);
});
