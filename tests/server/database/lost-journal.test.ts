import { rename, rm, stat, writeFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { type KeptLetter, startMailServer } from "../../../bench/harness/mail-server.ts";
import { peopleOf } from "../../given/given.ts";
import { connect, readRows } from "../../read-rows.ts";
import { postEmail, type ServerProcess, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { fractions, seed } from "../chance.ts";
import { kill } from "../kills.ts";
import { readBeside } from "../waitlist/foreign-readers.ts";
import { sendVisitors } from "../waitlist/visitors.ts";
import { lettersBy, linkToLeave } from "../waitlist/with-letters.ts";

const ROUNDS = 12;

/** Waits until somebody can join. Who was asked to try again may be kept: each time it is another one. */
async function joinOnceReady({ url }: ServerProcess): Promise<string> {
	let tries = 0;
	const join = async () => (await postEmail(url, `eve-${++tries}@example.com`)).status;
	await expect.poll(join, { interval: 20 }).toBe(201);
	return `eve-${tries}@example.com`;
}

const remove = (...paths: string[]) => Promise.all(paths.map((path) => rm(path, { force: true })));

/** What may happen to the journal of a database while its server runs. */
const losses: Record<string, (file: string) => Promise<unknown>> = {
	"its journal is deleted": (file) => remove(`${file}-wal`),
	"its journal is moved": (file) => rename(`${file}-wal`, `${file}-wal.moved`).catch(() => {}),
};

it.each(Object.entries(losses))("opens the database anew when %s", async (_, lose) => {
	const folder = await temporaryFolder();
	const server = await startServer({ folder });
	expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
	await lose(server.file);
	const eve = await joinOnceReady(server);
	expect((await postEmail(server.url, "ada@example.com")).status).toBe(409);
	await expect.poll(async () => (await fetch(new URL("/readyz", server.url))).status).toBe(200);
	for (const { error } of server.logged("waitlist unavailable")) {
		expect(error).toMatch(/is not the file that was opened: the database is opened anew/);
	}
	await kill(server);
	expect(readRows(server.file).map(({ key }) => key)).toEqual(
		expect.arrayContaining(["ada@example.com", eve]),
	);
});

it("acknowledges nobody while another program may write to the journal that was deleted", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const other = connect(server.file);
	other.exec("PRAGMA application_id");
	other.prepare("SELECT count(*) FROM sqlite_schema").get();
	await remove(`${server.file}-wal`);
	expect((await postEmail(server.url, "ada@example.com")).status).toBe(503);
	expect((await postEmail(server.url, "bob@example.com")).status).toBe(503);
	await expect.poll(() => server.logged("waitlist unavailable")).toHaveLength(1);
	other.close();
	await joinOnceReady(server);
});

it("moves no rows into the file when another program has written to a new journal", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
	const before = (await stat(server.file)).mtimeMs;
	// At once: what the server finds first, it saves.
	await writeFile(`${server.file}.other`, "a journal of another program");
	await rename(`${server.file}.other`, `${server.file}-wal`);
	expect((await postEmail(server.url, "bob@example.com")).status).toBe(503);
	await expect
		.poll(() => server.logged("waitlist unavailable"))
		.toMatchObject([
			{ error: expect.stringContaining("has written to a new one: copy the deleted") },
		]);
	server.process.kill("SIGTERM");
	await server.ended;
	expect((await stat(server.file)).mtimeMs).toBe(before);
});

it(`loses nobody who joined or left through ${ROUNDS} lost journals and kills, beside readers (seed ${seed})`, {
	tags: "slow",
}, async () => {
	const folder = await temporaryFolder();
	const mailServer = await startMailServer();
	onTestFinished(() => mailServer.stop());
	const start = () => startServer({ folder, env: lettersBy(mailServer) });
	const chance = fractions(seed);
	const kinds = Object.values(losses);
	let server = await start();
	const leaving = await askForLinks(server, mailServer.kept, ROUNDS);
	const reading = await readBeside(server.file);
	const acknowledged: string[] = [];
	let refused = 0;
	for (let round = 0; round < ROUNDS; round++) {
		const visitors = sendVisitors(server.url, 8, `round-${round}`);
		const moment = 5 + chance.next().value * 50;
		await expect.poll(() => visitors.acknowledged.length, { interval: 1 }).toBeGreaterThan(moment);
		await kinds[Math.floor(chance.next().value * kinds.length)]!(server.file);
		const before = visitors.acknowledged.length;
		await expect.poll(() => visitors.acknowledged.length).toBeGreaterThan(before + 20);
		await expect.poll(() => leave(server, leaving[round]!), { interval: 20 }).toBe(200);
		if (round % 2 === 1) {
			await kill(server);
			await visitors.stop();
			server = await start();
		} else await visitors.stop();
		expect(visitors.broken).toEqual([]);
		acknowledged.push(...visitors.acknowledged);
		refused += visitors.statuses.get(503) ?? 0;
	}
	await reading.stop();
	server.process.kill("SIGTERM");
	expect(await server.ended).toBe(0);
	const kept = new Set(readRows(server.file).map(({ email }) => email));
	expect(acknowledged.filter((email) => !kept.has(email))).toEqual([]);
	const people = await peopleOf(server);
	expect(people.filter(({ unsubscribed }) => unsubscribed)).toHaveLength(ROUNDS);
	console.log(
		`${ROUNDS} lost journals: ${acknowledged.length} acknowledged, none lost, ${refused} refused`,
	);
});

/** So many people join, and wait for their letters. Gives the paths by which they leave. */
async function askForLinks(
	server: ServerProcess,
	kept: readonly KeptLetter[],
	people: number,
): Promise<string[]> {
	for (let n = 0; n < people; n++) {
		expect((await postEmail(server.url, `leaving-${n}@example.com`)).status).toBe(201);
	}
	await expect.poll(() => kept.length).toBe(people);
	return Promise.all(kept.slice(0, people).map(linkToLeave));
}

const leave = async ({ url }: ServerProcess, link: string) =>
	(await fetch(new URL(link, url), { method: "POST" })).status;
