/** @module-tag slow */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { startDocumentedNginx } from "../../documented-nginx.ts";
import { fetchMetrics } from "../../server-process.ts";
import { openMailSetup } from "../waves/mail-setup.ts";

/** More than nginx's default of 512 connections. */
const VISITORS = 600;
const JOINS = 200;
/** Emails that the mail server accepts before it refuses the rest, like SES over its quota. */
const QUOTA = 100;

function openVisitor(port: number, ca: Buffer, n: number) {
	const localAddress = `127.100.${n >> 8}.${n & 255}`;
	const place = { host: "127.0.0.1", port, ca, servername: "localhost", localAddress };
	const agent = new Agent({ ...place, keepAlive: true, maxSockets: 1 });
	onTestFinished(() => agent.destroy());
	return async function ask(
		path: string,
		body?: string,
	): Promise<{ status: number; body: string }> {
		const type = body ? { "content-type": "application/json" } : {};
		const headers = { host: "orbit.example", ...type };
		const sent = request({ agent, path, method: body ? "POST" : "GET", headers }).end(body);
		try {
			const [response] = await once(sent, "response");
			return { status: response.statusCode, body: String(Buffer.concat(await response.toArray())) };
		} catch (error) {
			// Browsers reconnect after nginx has closed an idle connection.
			if (!sent.reusedSocket) throw error;
			return ask(path, body);
		}
	};
}

it(`nobody is refused while ${VISITORS} visitors are on the page and ${JOINS} join`, async () => {
	const accepted = new Set<string>();
	const setup = await openMailSetup("SQLite", {
		answer(step, to) {
			if (step !== "message" || accepted.has(to)) return undefined;
			if (accepted.size >= QUOTA) return "454 Throttling failure: Daily message quota exceeded";
			accepted.add(to);
			return undefined;
		},
	});
	setup.env.TRUSTED_PROXIES = "127.0.0.1";
	const server = await setup.start();
	const nginx = await startDocumentedNginx([Number(new URL(server.url).port)]);
	onTestFinished(nginx.close);
	const ca = await readFile(nginx.certificate);
	const visitors = Array.from({ length: VISITORS }, (_, n) => openVisitor(nginx.httpsPort, ca, n));

	const pages = await Promise.all(visitors.map((visit) => visit("/")));
	const files = [...new Set(pages[0]?.body.match(/\/assets\/[\w-]+\.(?:js|woff2)/g))];
	expect(files.length).toBeGreaterThan(2);
	const loaded = visitors.flatMap((visit) => files.map((file) => visit(file)));
	const statuses = [...pages, ...(await Promise.all(loaded))].map(({ status }) => status);
	expect(new Set(statuses)).toEqual(new Set([200]));
	const joined = await Promise.all(
		visitors.slice(0, JOINS).map((visit, n) => {
			const email = `visitor-${n}@site-${n}.example`;
			return visit(JOIN_PATH, JSON.stringify({ email, source: "launch" }));
		}),
	);
	expect(new Set(joined.map(({ status }) => status))).toEqual(new Set([201]));

	const log = await readFile(join(nginx.folder, "error.log"), "utf8");
	expect(log).not.toContain("worker_connections are not enough");
	expect(await setup.json("stats")).toMatchObject({ total: JOINS });
	const counts = async () => {
		const { emails } = (await setup.json("emails")) as {
			emails: { state: string; count: number }[];
		};
		const inStates = (...states: string[]) =>
			emails.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0);
		return [inStates("accepted"), inStates("waiting", "deferred")];
	};
	await expect.poll(counts, { interval: 200 }).toEqual([QUOTA, JOINS - QUOTA]);
	expect(setup.arrived()).toBe(QUOTA);
	const waiting = `waitlist_emails_waiting{kind="confirm"} ${JOINS - QUOTA}\n`;
	expect(await fetchMetrics(server)).toContain(waiting);
});
