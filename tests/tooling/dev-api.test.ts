/** @module-tag slow */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readRegistrations } from "../read-rows.ts";
import { postJoin } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

it("the development server serves the API, and closes the waitlist at its end", async () => {
	const file = join(await temporaryFolder(), "waitlist.db");
	const { NODE_ENV: _, ...env } = process.env;
	const vite = spawn(process.execPath, ["node_modules/vite/bin/vite.js", "--port", "0"], {
		env: { ...env, DATABASE_URL: `file:${file}`, NO_COLOR: "1" },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const ended = once(vite, "close");
	onTestFinished(async () => {
		vite.kill("SIGKILL");
		await ended;
	});
	const url = await new Promise<string>((resolve) => {
		let output = "";
		vite.stdout.setEncoding("utf8").on("data", (text) => {
			output += text;
			const found = /Local: +(\S+)/.exec(output);
			if (found) resolve(found[1]!);
		});
	});
	expect((await postJoin(url, "ada@example.com")).status).toBe(201);
	expect((await postJoin(url, "ADA@example.com")).status).toBe(409);
	expect((await fetch(new URL("/api/nothing", url))).status).toBe(404);
	expect((await fetch(new URL("/healthz", url))).status).toBe(200);
	vite.kill("SIGTERM");
	await ended;
	expect(await readdir(dirname(file))).toEqual(["waitlist.db"]);
	expect(readRegistrations(file)).toHaveLength(1);
});
