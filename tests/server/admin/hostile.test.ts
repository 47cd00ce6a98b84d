import { expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import {
	createRandomPicker,
	hostilePaths,
	makeHostileRequest,
	sendHostileRequest,
} from "../http/hostile.ts";
import { openSignedInAdmin } from "./open-admin.ts";

const REQUESTS = 600;
const STRANGERS = 20;

/** Set HOSTILE_SEED to repeat a failed run. */
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31);

const PATHS = [
	...["/", "/emails/resume", "/activity", "/activity?before=x", "/people.csv", "/people"],
	...["/people.csv?state=unsubscribed", "/people?source=%00&wave='--"],
	...["/people?state=confirmed&after=%FF", "/people?since=9e9", "/people/%00", "/people/%"],
	"/people/a%40b.c?did=__proto__",
	...["/people/a%40b.c/delete", "/people/%F0%9F%92%8C/block", `/people/${"%40".repeat(3000)}`],
	...["/emails", "/waves/new/%00", "/waves/new?step=send", "/waves/cancel?wave=x"],
	...["/emails/unknown", "/sign-out-everyone/", "/sign-in/x"],
	...[`/sign-in/${"A".repeat(64)}`, "/%2e%2e/files.json", "/sign-out/"],
	`/activity?before=${"2026-11-23T12:00:00.000Z_".repeat(300)}`,
];

it(`admin pages on ${kind} survive ${REQUESTS} hostile requests, half of them with a session (seed ${seed})`, async () => {
	const { get, host, log, origin, port, session } = await openSignedInAdmin(kind);
	const target = {
		host,
		paths: [...PATHS, ...hostilePaths],
		lines: `Cookie: ${session.cookie}\r\nOrigin: ${origin}\r\nSec-Fetch-Site: same-origin\r\n`,
	};
	const chance = createRandomPicker(seed);
	const statuses = new Map<string, number>();
	let left = REQUESTS;
	await Promise.all(
		Array.from({ length: STRANGERS }, async () => {
			while (left > 0) {
				left -= 1;
				const hostile = makeHostileRequest(chance, target);
				// Ends incomplete requests early: http/hostile.test.ts tests that the server times them out.
				const answer = await sendHostileRequest(port, hostile, { cut: true });
				const [status = "none"] = /(?<=^HTTP\/1\.1 )\d+/.exec(answer) ?? [];
				statuses.set(status, (statuses.get(status) ?? 0) + 1);
			}
		}),
	);
	expect([...statuses.keys()].filter((status) => /^5(?!05)/.test(status))).toEqual([]);
	// Only signed-in requests get a 404, so the session was valid.
	expect(statuses.get("404")).toBeGreaterThan(0);
	expect(statuses.get("403")).toBeGreaterThan(0);
	expect(log.mock.calls.filter(([, event]) => event === "request failed")).toEqual([]);
	expect((await get("/")).status).toBe(200);
});
