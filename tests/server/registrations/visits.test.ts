import { expect, it, onTestFinished, vi } from "vitest";
import { isVisit } from "../../../src/server/app.ts";
import { startVisitCounter } from "../../../src/server/registrations/visits.ts";
import { kind } from "../../given/kind.ts";
import { openSqliteFile } from "../../read-rows.ts";
import { postJoin, type ServerProcess, startServer, stopServer } from "../../server-process.ts";
import { openCommandSetup } from "../commands/command-setup.ts";

const opening = {
	accept: "text/html",
	"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
};

async function open(server: ServerProcess, times = 1, path = "/", headers = {}): Promise<number[]> {
	const statuses: number[] = [];
	for (let n = 0; n < times; n++) {
		const response = await fetch(new URL(path, server.url), {
			headers: { ...opening, ...headers },
			redirect: "manual",
		});
		await response.arrayBuffer();
		statuses.push(response.status);
	}
	return statuses;
}

const today = () => new Date().toISOString().slice(0, 10);

it(`visits on ${kind} are counted by day, across restarts and servers, and shown with that day's joins`, async () => {
	const setup = await openCommandSetup(kind);
	const start = () => startServer({ folder: setup.folder, env: setup.env });
	const first = await start();
	expect(await setup.json("stats")).not.toHaveProperty("visits");
	const day = today();
	expect(await open(first, 8)).toEqual(Array(8).fill(200));
	await open(first, 1, "/?ref=newsletter");
	const { headers } = await fetch(first.url);
	expect(await open(first, 1, "/", { "if-none-match": headers.get("etag") })).toEqual([304]);
	await open(first, 3, "/privacy");
	await postJoin(first.url, "ada@example.com");
	const second = kind === "PostgreSQL" ? await start() : undefined;
	await stopServer(first);
	const another = second ?? (await start());
	await open(another, 10);
	await stopServer(another);

	const { visits, days } = await setup.json("stats");
	expect(visits).toEqual({ since: day, count: 20 });
	expect(days.at(-1)).toEqual({ name: day, count: 1, visits: 20 });
	expect((await setup.run("stats")).stdout).toMatch(new RegExp(`^ {2}${day} +1 +20$`, "m"));
});

it("a locked database delays no page, and delays shutdown only briefly", {
	tags: "slow",
}, async () => {
	const setup = await openCommandSetup("SQLite");
	const server = await startServer({ folder: setup.folder });
	const other = openSqliteFile(server.file);
	onTestFinished(() => other.close());
	other.exec("BEGIN IMMEDIATE");
	expect(await open(server, 50)).toEqual(Array(50).fill(200));
	await stopServer(server);
	expect(server.logged("visits not written")).toMatchObject([{ level: "error" }]);
	other.exec("ROLLBACK");
	expect(await setup.json("stats")).not.toHaveProperty("visits");
});

const MINUTE_MS = 60_000;
const rows = (run: ReturnType<typeof vi.fn>) =>
	run.mock.calls.flatMap(([, additions]) =>
		additions.map(({ parameters }: { parameters: unknown }) => parameters),
	);

it("counted visits are written together every minute, and nothing is written without visits", async () => {
	vi.useFakeTimers({ now: new Date("2026-11-21T23:59:30Z") });
	onTestFinished(() => void vi.useRealTimers());
	const run = vi.fn();
	const visits = startVisitCounter({ transact: run }, () => {});
	await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
	vi.setSystemTime("2026-11-21T23:59:30Z");
	for (let n = 0; n < 1000; n++) visits.count();
	await vi.advanceTimersByTimeAsync(MINUTE_MS / 2 + 1);
	visits.count();
	expect(run).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
	expect(run).toHaveBeenCalledOnce();
	expect(rows(run)).toEqual([
		["2026-11-21", 1000],
		["2026-11-22", 1],
	]);
});

const CHROME =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36";
const navigation = {
	"user-agent": CHROME,
	accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
};

const asked = (headers: Record<string, string>, method = "GET") =>
	isVisit(new Request("http://localhost/", { method, headers: { ...navigation, ...headers } }));

it.each<[string, Record<string, string>, string?]>([
	["asks for its head only", {}, "HEAD"],
	["asks for anything", { accept: "*/*" }],
	["shows it in a frame", { "sec-fetch-dest": "iframe" }],
	["prefetches it", { "sec-purpose": "prefetch" }],
	["does not say what it is", { "user-agent": "" }],
	["is curl", { "user-agent": "curl/8.5.0" }],
	["is Google's crawler", { "user-agent": `${CHROME} (compatible; Googlebot/2.1)` }],
	["makes the card of a link", { "user-agent": `${CHROME} facebookexternalhit/1.1 Facebot` }],
	["has no window", { "user-agent": CHROME.replace("Chrome/", "HeadlessChrome/") }],
])("a request does not count as a visit if its program %s", (_, headers, method) => {
	expect(asked(headers, method)).toBe(false);
});
