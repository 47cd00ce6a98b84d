import { expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import { startServer, stopServer } from "../../server-process.ts";
import { openDesk, runCommand } from "../commands/desk.ts";
import { openEmailDesk, openOtherKind } from "../commands/email-desk.ts";
import { createDatabase } from "../registrations/databases.ts";

it(`a move from ${kind} waits for the server to stop, and for a database without people`, async () => {
	const desk = await openEmailDesk(kind);
	await desk.add("ada@example.com");
	const { to } = await openOtherKind(desk, kind);
	const server = await startServer(desk);
	await expect(desk.migrate(to)).rejects.toThrow(/ is in use: stop (the|every) server, and run/);
	await stopServer(server);
	expect(await desk.migrate(to)).toMatchObject({ rows: { registration: 1 } });
	const env = { ...desk.env, DATABASE_URL: to };
	const exported = await runCommand(desk.folder, ["export", "--format", "jsonl"], { env });
	expect(exported.stdout).toBe((await desk.run("export --format jsonl")).stdout);
	if (kind === "SQLite") {
		await expect(desk.migrate(to)).rejects.toThrow(/ is not empty: create a new database, /);
	}
});

it("takes the target from a variable, and prints no password", { tags: "slow" }, async () => {
	const { folder, env, add } = await openDesk("SQLite");
	await add("ada@example.com");
	const url = new URL(await createDatabase());
	url.password ||= "a-password";
	const run = (to: string) =>
		runCommand(folder, ["migrate"], { env: { ...env, TARGET_DATABASE_URL: to } });
	const moved = await run(url.href);
	expect(moved).toMatchObject({ code: 0, stderr: "" });
	expect(moved.stdout).not.toContain(url.password);
	expect(await run("mysql://x")).toMatchObject({
		code: 2,
		stderr: expect.stringContaining("TARGET_DATABASE_URL must be file:"),
	});
});
