/** @module-tag slow */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { postEmail, type ServerProcess, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";

/** Three joins and a look into the memory take less. */
const PERIOD_SECONDS = 6;

const VISITOR = "203.0.113.77";

/** Whether the text is anywhere in the memory of the server's JavaScript. */
async function isInMemory(server: ServerProcess, folder: string, text: string): Promise<boolean> {
	const snapshots = async () =>
		(await readdir(folder)).filter((name) => name.endsWith(".heapsnapshot"));
	const known = await snapshots();
	server.process.kill("SIGUSR2");
	let content = "";
	await expect
		.poll(async () => {
			const [name] = (await snapshots()).filter((name) => !known.includes(name));
			content = name ? await readFile(join(folder, name), "utf8") : "";
			return content.trimEnd().endsWith("}");
		})
		.toBe(true);
	return content.includes(text);
}

it("the visitor's IP address is in memory while it is limited, and gone afterwards", async () => {
	const folder = await temporaryFolder();
	const server = await startServer({
		folder,
		env: {
			TRUSTED_PROXIES: "127.0.0.1",
			WAITLIST_ADDRESS_LIMIT: `1/${PERIOD_SECONDS}s`,
			NODE_OPTIONS: "--heapsnapshot-signal=SIGUSR2",
		},
	});
	for (const status of [201, 201]) {
		const headers = { "x-forwarded-for": VISITOR, connection: "close" };
		const email = `visitor-${Math.random()}@example.com`;
		expect((await postEmail(server.url, email, headers)).status).toBe(status);
	}
	expect(await isInMemory(server, folder, VISITOR)).toBe(true);
	// Nobody joins meanwhile: only a timer can have turned the page.
	const isKept = () => isInMemory(server, folder, VISITOR);
	await expect.poll(isKept, { interval: 1000 }).toBe(false);
	expect(server.output()).not.toContain(VISITOR);
});
