import { describe, expect, it } from "vitest";
import { postEmail, startServer } from "../../server-process.ts";
import { openDesk, runCommand } from "../commands/desk.ts";
import { usePostgres } from "../registrations/databases.ts";

const cluster = usePostgres();

describe("migrate", () => {
	it("copies while the server runs, can be repeated, and compares row for row", async () => {
		const desk = await openDesk("SQLite", cluster());
		const url = await cluster().createDatabase();
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
	});

	it("takes the target from a variable, and warns of a password that anybody can read", {
		tags: "slow",
	}, async () => {
		const { folder, env, add } = await openDesk("SQLite", cluster());
		await add("ada@example.com");
		const url = new URL(await cluster().createDatabase());
		url.password ||= "a-password";
		const inVariable = await runCommand(folder, ["migrate", "--json"], {
			env: { ...env, TARGET_DATABASE_URL: url.href },
		});
		expect(inVariable).toMatchObject({ code: 0, stderr: "" });
		expect(JSON.parse(inVariable.stdout)).toMatchObject({ added: 1, comparison: { same: true } });
		const inOption = await runCommand(folder, ["migrate", "--to", url.href], { env });
		expect(inOption).toMatchObject({
			code: 0,
			stderr: expect.stringMatching(/^Every user of .* TARGET_DATABASE_URL\.\n$/),
		});
		expect(inOption.stdout + inOption.stderr + inVariable.stdout).not.toContain(url.password);
		const wrong = { env: { ...env, TARGET_DATABASE_URL: "mysql://x" } };
		expect(await runCommand(folder, ["migrate"], wrong)).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("TARGET_DATABASE_URL must be file:"),
		});
	});

	it("says when the other database differs", async () => {
		const desk = await openDesk("SQLite", cluster());
		await desk.add("ada@example.com");
		const env = { DATABASE_URL: await cluster().createDatabase() };
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
