/** @module-tag slow */
import { describe, expect, it } from "vitest";
import { readLetter } from "../../../bench/harness/mail-server.ts";
import type { PoolMode } from "../../../bench/harness/pgbouncer.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { each } from "../each.ts";
import { startCopies } from "../kills.ts";
import { placeOf } from "../waitlist/databases.ts";
import { openMailDesk } from "../waves/mail-desk.ts";
import { usePoolers } from "./pooled.ts";

const { behind, cluster } = usePoolers();
const patience = { interval: 50 };

const emails = Array.from({ length: 300 }, (_, n) => `visitor-${n}@example.com`);

describe.each<PoolMode>(["session", "transaction"])("behind PgBouncer, by %s", (mode) => {
	it("servers start, people join and are written to, a wave is sent, and codes are redeemed", async () => {
		const desk = await openMailDesk("PostgreSQL", behind(mode));
		const { arrived, json, kept, redeem } = desk;
		const { running } = await startCopies(desk.start, 2);
		const serverOf = (n: number) => running[n % running.length]!.url;
		await each(emails, async (email, n) => {
			expect((await postEmail(serverOf(n), email)).status).toBe(201);
		});
		await expect.poll(() => kept.length, patience).toBe(emails.length);
		expect(arrived()).toBe(emails.length);
		const asking = await Promise.all(kept.splice(0).map(readLetter));
		const click = async (
			link: RegExp,
			{ text = "" }: Awaited<ReturnType<typeof readLetter>>,
			n: number,
		) => {
			const [, path = ""] = link.exec(text)!;
			expect((await fetch(new URL(path, serverOf(n)), { method: "POST" })).status).toBe(200);
		};
		const confirm = /https:\/\/orbit\.example(\/confirm\/\S+)/;
		const leave = /https:\/\/orbit\.example(\/leave\/\S+)/;
		await each(asking.slice(0, 100), (email, n) => click(confirm, email, n));
		await each(asking.slice(290), (email, n) => click(leave, email, n));
		await json("invite 50 --wave beta-1 --yes");
		await expect.poll(() => kept.length, patience).toBe(50);
		const codes = [...(await desk.codes())];
		await each(codes, async (code, n) => {
			expect(await redeem(serverOf(n), code)).toMatchObject({ status: "redeemed" });
			expect(await redeem(serverOf(n + 1), code)).toMatchObject({ status: "used" });
		});
		const numbers = { total: 300, people: { confirmed: 100, left: 10 } };
		expect(await json("stats")).toMatchObject(numbers);
		expect(await json("erase visitor-8@example.com")).toBeDefined();
		const { code, stdout } = await desk.run("check");
		expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("PostgreSQL") });

		// A backup is whole while people join, and comes back through the pooler.
		const joining = each(emails, async (email, n) => {
			expect((await postEmail(serverOf(n), `later-${email}`)).status).toBe(201);
		});
		await json("backup today.db");
		await joining;
		for (const server of running) {
			server.process.kill("SIGTERM");
			expect(await server.ended).toBe(0);
			expect(server.logged().filter(({ level }) => level === "error")).toEqual([]);
		}
		await desk.lose();
		await desk.restore("today.db");
		const { total } = (await json("stats")) as { total: number };
		expect(total).toBeGreaterThanOrEqual(299);
	});

	it("a server takes joins again after a crash of PostgreSQL", async () => {
		const { folder, env, emails } = await placeOf("PostgreSQL", behind(mode));
		const { url } = await startServer({ folder, env });
		expect((await postEmail(url, "ada@example.com")).status).toBe(201);
		await cluster().stop("SIGQUIT");
		expect((await postEmail(url, "bob@example.com")).status).toBe(503);
		await cluster().start();
		// PgBouncer tries every 15 s by default to sign in again.
		// A join whose visitor was asked to try again may be kept: each time somebody else joins.
		let tries = 0;
		const again = async () => (await postEmail(url, `eve-${++tries}@example.com`)).status;
		await expect.poll(again, { interval: 500 }).toBe(201);
		const kept = await emails();
		expect([kept.has("ada@example.com"), kept.has(`eve-${tries}@example.com`)]).toEqual([
			true,
			true,
		]);
	});
});
