import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresCluster, startPostgres } from "../../../bench/harness/postgres-cluster.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { runCommand } from "./operator-process.ts";

let cluster: PostgresCluster;

beforeAll(async () => {
	cluster = await startPostgres();
}, 600_000);

afterAll(() => cluster?.remove());

const KEY = "0123456789abcdef0123456789abcdef";

/** A folder with a waitlist of its own, and the command for it. */
async function openDesk(kind: "SQLite" | "PostgreSQL") {
	const folder = await temporaryFolder();
	const env: Record<string, string> =
		kind === "SQLite"
			? {}
			: { DATABASE_URL: await cluster.createDatabase(), WAITLIST_ERASURE_KEY: KEY };
	const run = (args: string, input = "") => runCommand(folder, args.split(" "), { env, input });
	/** Runs a command that has to succeed, and reads what it says. */
	const json = async (args: string, input = "") => {
		const { code, stdout, stderr } = await run(`${args} --json`, input);
		if (code !== 0) throw new Error(`${args} ended with ${code}: ${stdout}${stderr}`);
		return JSON.parse(stdout);
	};
	const add = (...lines: string[]) => json("import - --format text", lines.join("\n"));
	return { folder, env, run, json, add };
}

const people = [
	'{"email":"Ada@Bücher.example","source":"landing-page","createdAt":"2026-11-19T23:30:00.000Z","terms":"2026-11-01","flags":""}',
	'{"email":"bob@example.com","source":"fair","createdAt":"2026-11-20T09:00:00.000Z","terms":"2026-11-01","flags":"trap"}',
	'{"email":"eve@example.com","source":"landing-page","createdAt":"2026-11-21T09:30:00.500Z","terms":"2026-11-21","flags":""}',
].join("\n");

describe.each(["SQLite", "PostgreSQL"] as const)("the operator's command on %s", (kind) => {
	const open = () => openDesk(kind);
	const openWithPeople = async () => {
		const desk = await open();
		await desk.json("import - --format jsonl", people);
		return desk;
	};

	it("works beside the running server", async () => {
		const { folder, env, json } = await open();
		const server = await startServer({ folder, env });
		expect((await postEmail(server.url, "Ada@Example.com")).status).toBe(201);
		expect(await json("find ada@example.com")).toMatchObject({
			registration: { key: "ada@example.com", email: "Ada@Example.com", source: "landing-page" },
		});
		await json("erase ADA@example.com");
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
		expect(await json("stats")).toMatchObject({ total: 1, erased: 1, flagged: 0 });
		expect((await json("check")).findings.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
	});

	it("counts by day, hour and source, in the time of a zone", async () => {
		const { json, run } = await openWithPeople();
		const stats = await json("stats --days 1000 --hours 1");
		expect(stats).toMatchObject({
			total: 3,
			flagged: 1,
			erased: 0,
			first: "2026-11-19T23:30:00.000Z",
			latest: "2026-11-21T09:30:00.500Z",
			sources: [
				{ name: "landing-page", count: 2 },
				{ name: "fair", count: 1 },
			],
		});
		const counted = (days: { name: string; count: number }[]) =>
			Object.fromEntries(
				days.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]),
			);
		expect(stats.days.length).toBe(1000);
		expect(counted(stats.days)).toEqual({ "2026-11-19": 1, "2026-11-20": 1, "2026-11-21": 1 });
		const berlin = await json("stats --days 1000 --tz Europe/Berlin");
		expect(counted(berlin.days)).toEqual({ "2026-11-20": 2, "2026-11-21": 1 });
		const { stdout } = await run("stats --by source");
		expect(stdout).toMatch(/^3 on the waitlist, from 2026-11-19/);
		expect(stdout).toContain(
			`  landing-page  ${"█".repeat(40)} 2\n  fair          ${"█".repeat(20)} 1\n`,
		);
	});

	it("exports CSV that no spreadsheet runs, and takes it back to the letter", async () => {
		const { run, json, add } = await open();
		const odd = [
			"=1+1@example.com",
			"+tag@example.com",
			"-x@example.com",
			"'=quoted@example.com",
			'a"b,c@example.com',
			"＝wide@example.com",
			"plain@example.com",
		];
		expect(await add(...odd)).toMatchObject({ added: odd.length, refused: 0 });
		const { stdout: csv } = await run("export");
		const [header, ...lines] = csv.trimEnd().split("\r\n");
		expect(header).toBe("email,source,createdAt,terms,flags,key");
		expect(lines.map((line) => line.split(",import,")[0]).sort()).toEqual(
			[
				"'=1+1@example.com",
				"'+tag@example.com",
				"'-x@example.com",
				"''=quoted@example.com",
				'"a""b,c@example.com"',
				"'＝wide@example.com",
				"plain@example.com",
			].sort(),
		);
		const { stdout: raw } = await run("export --raw");
		expect(raw).toContain("\r\n=1+1@example.com,");

		const other = await open();
		expect(await other.json("import - --format csv", csv)).toMatchObject({ added: odd.length });
		const jsonl = async (run: typeof other.run) => (await run("export --json")).stdout;
		expect(await jsonl(other.run)).toBe(await jsonl(run));
		expect(await json("stats")).toMatchObject({ total: odd.length });
	});

	it("exports what is asked for, oldest first", async () => {
		const { run, folder } = await openWithPeople();
		const emails = async (args: string) =>
			(await run(`export --json ${args}`)).stdout
				.split("\n")
				.filter(Boolean)
				.map((line) => JSON.parse(line).email);
		expect(await emails("--raw")).toEqual([
			"Ada@Bücher.example",
			"bob@example.com",
			"eve@example.com",
		]);
		expect(await emails("--since 2026-11-20")).toEqual(["bob@example.com", "eve@example.com"]);
		expect(await emails("--since 2026-11-21T09:30:00.500Z")).toEqual(["eve@example.com"]);
		expect(await emails("--until 2026-11-20T09:00Z")).toEqual(["Ada@Bücher.example"]);
		expect(await emails("--source fair")).toEqual(["bob@example.com"]);
		expect(await emails("--flagged")).toEqual(["bob@example.com"]);
		expect(await emails("--no-flagged")).toEqual(["Ada@Bücher.example", "eve@example.com"]);
		const written = await run("export --output list.csv");
		expect(written).toEqual({ code: 0, stdout: "", stderr: "3 written to list.csv.\n" });
		expect((await stat(join(folder, "list.csv"))).mode & 0o777).toBe(0o600);
		expect((await readFile(join(folder, "list.csv"), "utf8")).split("\r\n")).toHaveLength(5);
		expect((await run("export --output list.csv")).code).toBe(1);
	});

	it("finds and erases by any spelling, and keeps a proof without the address", async () => {
		const { json, run } = await openWithPeople();
		expect((await json("find ADA@xn--bcher-kva.example")).registration.email).toBe(
			"Ada@Bücher.example",
		);
		const { receipts } = await json("erase ada@BÜCHER.example. --reason GDPR");
		expect(receipts).toEqual([
			{
				email: "ada@BÜCHER.example.",
				code: expect.stringMatching(/^[0-9a-f]{64}$/),
				erasedAt: expect.stringMatching(/^\d{4}-.*Z$/),
				reason: "GDPR",
			},
		]);
		const again = await run("find ada@bücher.example");
		expect(again.code).toBe(3);
		expect(again.stdout).toBe(`Not on the waitlist.\nErased on ${receipts[0].erasedAt}: GDPR.\n`);
		expect(await run("erase ada@bücher.example")).toMatchObject({
			code: 3,
			stdout: "Not on the waitlist: ada@bücher.example\n",
		});
		const receipt = await run("erase bob@example.com eve@example.com");
		expect(receipt.code).toBe(0);
		expect(receipt.stdout.match(/^Receipt$/gm)).toHaveLength(2);
		expect(receipt.stdout).toContain("may hold it for up to 35 days");
		expect(await json("stats")).toMatchObject({ total: 0, erased: 3 });
	});

	it("erases who joined too long ago", async () => {
		const { json } = await open();
		const ago = (months: number) =>
			new Date(Date.now() - months * 30.5 * 86_400_000).toISOString().slice(0, 10);
		await json(
			"import - --format csv",
			`Email,created_at\nold@example.com,${ago(25)}\nnew@example.com,${ago(23)}\n`,
		);
		expect(await json("erase --older-than 24 --reason retention")).toMatchObject({ erased: 1 });
		expect(await json("find new@example.com")).toMatchObject({ erasures: [] });
		expect(await json("stats")).toMatchObject({ total: 1, erased: 1 });
	});

	it("imports by the site's rule, and says what it refused and why", async () => {
		const { run, json, add } = await open();
		await add("ada@example.com");
		await json("erase ada@example.com");
		const { code, stdout } = await run(
			"import - --format csv",
			[
				"\ufeffSource,Email,joined",
				'fair,"Bob@Example.com",2026-01-02',
				"fair,bob@example.com,2026-01-03",
				"fair,nobody,2026-01-02",
				',carol@example.com,"2026-01-02T03:04:05+01:00"',
				"fair,dan@example.com,yesterday",
				`${"x".repeat(65)},erin@example.com,`,
				"fair,ada@example.com,",
				'fair,"multi\nline",',
				"fair,,",
			].join("\r\n"),
		);
		expect(code).toBe(1);
		expect(stdout.split("\n")).toEqual([
			"2 added, 1 already there, 6 refused",
			"  line 4: Please enter a valid email address",
			'  line 6: "yesterday" is not a date or time.',
			"  line 7: The source must be 1 to 64 printable characters.",
			expect.stringMatching(/^ {2}line 8: This address was erased on \d{4}-.*Z\.$/),
			"  line 10: Please enter a valid email address",
			"  line 11: Please enter your email address",
			"",
		]);
		expect(await json("find carol@example.com")).toMatchObject({
			registration: { source: "import", createdAt: "2026-01-02T02:04:05.000Z", terms: "" },
		});
		expect(await json("find bob@example.com")).toMatchObject({
			registration: { email: "Bob@Example.com", createdAt: "2026-01-02T00:00:00.000Z" },
		});
	});

	it("backs up into one file, and restores it anywhere without bringing back who was erased", async () => {
		const { folder, json, run } = await openWithPeople();
		const { rows, hash } = await json("backup list.backup");
		expect({ rows, hash }).toEqual({ rows: 3, hash: expect.stringMatching(/^[0-9a-f]{32}$/) });
		expect((await stat(join(folder, "list.backup"))).mode & 0o777).toBe(0o600);
		expect((await run("backup list.backup")).stderr).toBe(
			"list.backup is already there, and is not overwritten.\n",
		);
		await json("erase bob@example.com");
		await json("import - --format text", "zoe@example.com");
		expect(await json("restore list.backup")).toMatchObject({
			added: 0,
			erased: 1,
			comparison: { source: { rows: 2 }, target: { rows: 2 }, onlyInTarget: 1, same: true },
		});
		expect((await run("find bob@example.com")).code).toBe(3);

		const fresh = await open();
		const file = join(folder, "list.backup");
		expect(await fresh.json(`restore ${file}`)).toMatchObject({
			added: 3,
			comparison: { same: true },
		});
		expect((await fresh.run("export --json")).stdout).toContain(
			JSON.stringify("Ada@Bücher.example"),
		);
	});

	it("refuses a damaged backup, and one that is none", async () => {
		const { folder, json, run, add } = await open();
		await add(...Array.from({ length: 3000 }, (_, n) => `visitor-${n}@example.com`));
		await json("backup whole.db");
		const bytes = await readFile(join(folder, "whole.db"));
		bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 20_000);
		await writeFile(join(folder, "damaged.db"), bytes);
		await writeFile(join(folder, "none.db"), "Dear diary, ".repeat(1000));
		const damaged = await run("restore damaged.db");
		expect({ code: damaged.code, stderr: damaged.stderr }).toEqual({
			code: 1,
			stderr: expect.stringMatching(/damaged|malformed/),
		});
		const none = await run("restore none.db");
		expect(none.stderr).toBe("The waitlist none.db cannot be opened: file is not a database.\n");
		expect((await run("restore missing.db")).stderr).toBe("There is no file missing.db.\n");
		expect(await json("stats")).toMatchObject({ total: 3000 });
	});
});

describe("moving to PostgreSQL", () => {
	it("copies while the server runs, can be repeated, and compares row for row", async () => {
		const desk = await openDesk("SQLite");
		const server = await startServer({ folder: desk.folder });
		const joined: string[] = [];
		let joining = true;
		const visitors = Array.from({ length: 4 }, async (_, visitor) => {
			for (let n = 0; joining; n++) {
				const email = `visitor-${visitor}-${n}🦄@example.com`;
				expect((await postEmail(server.url, email)).status).toBe(201);
				joined.push(email);
			}
		});
		await expect.poll(() => joined.length).toBeGreaterThan(50);
		const url = await cluster.createDatabase();
		const first = await desk.json(`migrate --to ${url}`);
		expect(first.comparison.same).toBe(true);
		expect(first.comparison.source).toEqual(first.comparison.target);
		await desk.json(`erase ${joined[0]}`);
		joining = false;
		await Promise.all(visitors);
		server.process.kill("SIGTERM");
		await server.ended;

		const second = await desk.json(`migrate --to ${url}`);
		expect(second.comparison).toMatchObject({
			same: true,
			onlyInTarget: 0,
			source: { rows: joined.length - 1 },
		});
		expect(second.erased).toBe(1);
		const moved = await runCommand(desk.folder, ["export", "--json"], {
			env: { DATABASE_URL: url },
		});
		expect(moved.stdout).toBe((await desk.run("export --json")).stdout);
	}, 30_000);

	it("says when the other database has something else", async () => {
		const desk = await openDesk("SQLite");
		await desk.add("ada@example.com");
		const env = { DATABASE_URL: await cluster.createDatabase() };
		await runCommand(desk.folder, ["import", "-", "--source", "fair"], {
			env,
			input: "ada@example.com\nbob@example.com",
		});
		const moved = await desk.run(`migrate --to ${env.DATABASE_URL} --json`);
		expect(moved.code).toBe(1);
		expect(JSON.parse(moved.stdout)).toMatchObject({
			added: 0,
			comparison: { same: false, different: 1, onlyInTarget: 1 },
		});
	});
});

describe("an erasure in SQLite", () => {
	it("leaves no byte of the address in any file", async () => {
		const { folder, json, add } = await openDesk("SQLite");
		await add("someone-unforgettable@example.com", "other@example.com");
		const server = await startServer({ folder });
		const bytes = async () => {
			const files = ["waitlist.db", "waitlist.db-wal", "waitlist.db.erasure-key"];
			const read = files.map((name) => readFile(join(folder, "data", name)).catch(() => ""));
			return (await Promise.all(read)).map(String).join("");
		};
		await postEmail(server.url, "later@example.com");
		expect(await bytes()).toContain("someone-unforgettable");
		await json("erase someone-unforgettable@example.com");
		expect(await bytes()).not.toContain("someone-unforgettable");
		expect(await bytes()).toContain("other@example.com");
	});
});

describe("the command line", () => {
	it("explains itself and every command", async () => {
		const folder = await temporaryFolder();
		const { code, stdout } = await runCommand(folder, ["--help"]);
		expect(code).toBe(0);
		const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)]
			.map((match) => match[1]!)
			.filter((name) => name !== "help");
		expect(names).toEqual(
			expect.arrayContaining(
				"stats export find erase import backup restore migrate check".split(" "),
			),
		);
		for (const name of names) {
			expect(await runCommand(folder, [name, "--help"])).toMatchObject({
				code: 0,
				stdout: expect.stringMatching(new RegExp(`^Usage: waitlist ${name}`)),
			});
		}
	});

	it.each([
		["", "Usage"],
		["nonsense", "unknown command"],
		["find", "missing required argument"],
		["stats --days x", "It must be a whole number"],
		["stats --tz Moon/Base", "It must be the name of a time zone"],
		["export --since yesterday", "It must be a day or a time"],
		["erase", "name the addresses to erase"],
		["erase a@b.c --reason a@b.c", "no address"],
		["migrate --to mysql://x", "--to must be file:"],
	])("ends with 2 after wrong use: %s", async (args, sentence) => {
		const run = await runCommand(await temporaryFolder(), args.split(" ").filter(Boolean));
		expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(sentence) });
	});

	it("ends with 1 and a sentence where there is no waitlist, no setting, or no database", async () => {
		const folder = await temporaryFolder();
		expect(await runCommand(folder, ["stats"])).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^There is no waitlist at .*\/data\/waitlist\.db: run this/),
		});
		expect(await runCommand(folder, ["stats"], { env: { PORT: "x" } })).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^PORT must be/),
		});
		const env = { DATABASE_URL: "postgres://orbit:secret@127.0.0.1:1/x" };
		const { code, stderr } = await runCommand(folder, ["stats"], { env });
		expect({ code, stderr }).toEqual({
			code: 1,
			stderr: expect.stringMatching(
				/^The waitlist in PostgreSQL at 127\.0\.0\.1:1, database x cannot be/,
			),
		});
	});

	it("shows the settings in force without a secret, and what is wrong", async () => {
		const desk = await openDesk("PostgreSQL");
		const { stdout } = await desk.run("check");
		expect(stdout).toContain("✓ synchronous_commit: on");
		expect(stdout).toContain("✓ rows: 0, all keys right");
		expect(stdout).toContain("WAITLIST_ERASURE_KEY: set (hidden)");
		expect(stdout).not.toContain(KEY);
	});
});
