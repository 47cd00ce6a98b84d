import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { BEFORE_TRY_MS } from "../../../src/server/events/outgoing.ts";
import { erasePeople } from "../../../src/server/letters/erasing.ts";
import { proofPlacesOf } from "../../../src/server/secret.ts";
import { openOrMakeProofs } from "../../../src/server/waitlist/proofs/open-proofs.ts";
import { everythingIn } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { add, rowsOf } from "../../given/rows.ts";
import { temporaryFolder } from "../../temporary.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { ERASURE_SECRET, type Message, openEventsDesk, verify } from "./events-desk.ts";
import type { Answer } from "./receiver.ts";

const cluster = usePostgres();
const eventually = { interval: 5 };

type Desk = Awaited<ReturnType<typeof openEventsDesk>>;

/** Erases people as the command does, from a connection of its own. */
async function erase({ settings }: Desk, ...keys: string[]): Promise<void> {
	const database = await openDatabase(settings, { create: false });
	const places = proofPlacesOf(
		{ erasureKey: ERASURE_SECRET, erasures: `${await temporaryFolder()}/erasures` },
		settings,
	);
	const proofs = await openOrMakeProofs(database, places);
	await erasePeople(database, proofs, keys, { now: new Date(), reason: "on request" });
	await database.close();
}

describe(`events on ${kind}`, () => {
	const open = (options: Parameters<typeof openEventsDesk>[2] = {}) =>
		openEventsDesk(kind, cluster(), options);

	it("keep their id through ten tries of the specification's schedule, each with a signature of its own", async () => {
		const desk = await open({ answer: (_, n) => ({ status: n < 9 ? 500 : 200 }) });
		await desk.start();
		await desk.join("ada@example.com");
		for (const [n, beforeMs] of BEFORE_TRY_MS.entries()) {
			if (n > 0) {
				desk.pass(beforeMs - 1000);
				expect(await desk.count({ state: "waiting" })).toBe(1);
				desk.pass(1000);
			}
			await expect.poll(() => desk.received.length, eventually).toBe(n + 1);
			// The official library refuses what was signed five minutes ago.
			verify(desk.secret, desk.received[n]!);
			await expect.poll(() => desk.count({ state: "sending" }), eventually).toBe(0);
		}
		const header = (name: string) => new Set(desk.received.map(({ headers }) => headers[name]));
		expect(header("webhook-id").size).toBe(1);
		expect(header("webhook-signature").size).toBe(10);
		expect(new Set(desk.received.map(({ body }) => body)).size).toBe(1);
		expect(await desk.count()).toBe(0);
		expect(desk.log.mock.calls).toEqual([
			["error", "events not taken", { code: "500" }],
			["info", "events taken again"],
		]);
	});

	it("are given up after ten tries", async () => {
		const desk = await open({ answer: () => ({ status: 404, body: "hidden" }) });
		await desk.start();
		await desk.join("ada@example.com");
		for (const [n, beforeMs] of BEFORE_TRY_MS.entries()) {
			desk.pass(beforeMs);
			await expect.poll(() => desk.received.length, eventually).toBe(n + 1);
			await expect.poll(() => desk.count({ state: "sending" }), eventually).toBe(0);
		}
		expect(await desk.count({ state: "failed", code: "404" })).toBe(1);
		expect(desk.log.mock.calls).toEqual([["error", "events given up", { events: 1 }]]);
		expect(JSON.stringify(desk.log.mock.calls)).not.toMatch(/ada|hidden/);
	});

	it("hold no address where they are thin, and the address where they are full", async () => {
		for (const body of ["thin", "full"] as const) {
			const desk = await open({ body });
			await desk.start();
			await desk.join("Ada@Example.com");
			await expect.poll(desk.messages, eventually).toEqual([
				{
					type: "registration.joined",
					timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
					data: {
						id: expect.stringMatching(/^[\da-f]{32}$/),
						...(body === "full" && { email: "Ada@Example.com" }),
					},
				},
			]);
			const { headers, body: text } = desk.received[0]!;
			if (body === "thin") expect(JSON.stringify([headers, text])).not.toMatch(/@|example/);
		}
	});

	it("wait as long as a receiver asks, which is sent one at a time until it takes them", async () => {
		const answers: Answer[] = [{ status: 429, headers: { "retry-after": "3600" } }];
		const desk = await open({ answer: () => answers.pop() ?? { status: 200 } });
		await desk.join("nobody@example.com");
		await desk.start();
		await desk.join("first@example.com");
		await expect.poll(() => desk.received.length, eventually).toBe(1);
		await desk.join("ada@example.com", "bob@example.com");
		desk.pass(3590_000);
		await desk.idle();
		expect(desk.received).toHaveLength(1);
		desk.pass(11_000);
		await expect.poll(() => desk.count(), eventually).toBe(0);
		// Nobody was told of before there was an address.
		expect(desk.received).toHaveLength(4);
	});

	it("follow no redirect", async () => {
		const desk = await open({
			answer: ({ path }) => ({
				status: path === "/hook" ? 307 : 200,
				headers: { location: "/elsewhere" },
			}),
		});
		await desk.start();
		await desk.join("ada@example.com");
		await expect.poll(() => desk.count({ state: "waiting", code: "307" }), eventually).toBe(1);
		expect(desk.received.map(({ path }) => path)).toEqual(["/hook"]);
	});

	it("of a person come in their order, also of one who was erased and joined again", async () => {
		let failing = true;
		const desk = await open({
			body: "full",
			answer: () => ({ status: failing ? 503 : 200 }),
		});
		await desk.start();
		await desk.join("ada@example.com", "bob@example.com");
		await expect.poll(() => desk.received.length, eventually).toBe(2);
		await expect.poll(() => desk.count({ state: "sending" }), eventually).toBe(0);
		await erase(desk, "ada@example.com");
		await desk.join("ada@example.com");
		failing = false;
		desk.received.length = 0;
		for (let n = 0; n < 5; n++) {
			desk.pass(60_000);
			await desk.idle();
		}
		desk.pass(7200_000);
		await expect.poll(() => desk.count(), eventually).toBe(0);
		const bodies = desk.received.map(({ body }) => JSON.parse(body) as Message);
		const ofAda = bodies.filter(({ data }) => data.email === "ada@example.com");
		// That she had joined before was not told, and now never is.
		expect(ofAda.map(({ type }) => type)).toEqual(["registration.erased", "registration.joined"]);
		expect(new Set(ofAda.map(({ data }) => data.id)).size).toBe(1);
	});

	it("of an erased person hold no address here where they are thin", async () => {
		const desk = await open({ answer: () => ({ status: 503 }) });
		await desk.start();
		await desk.join("ada@example.com");
		await expect.poll(() => desk.received.length, eventually).toBe(1);
		// These wait in a batch, which stays as it is while the receiver rests.
		await desk.join("bob@example.com", "eve@example.com");
		await erase(desk, "ada@example.com", "bob@example.com");
		await erase(desk, "eve@example.com");
		expect(await rowsOf(desk.server, "eventBatches")).toMatchObject([
			{ kind: "joined", size: 0 },
			{ kind: "erased", size: 2 },
			{ kind: "erased", size: 1 },
		]);
		expect(await desk.count()).toBe(3);
		const { events, eventBatches } = await everythingIn(desk.server);
		expect(JSON.stringify([events, eventBatches])).not.toMatch(/ada|bob|eve@|example/);
	});

	it("are sent once by several copies, and again by another one where the first was killed", async () => {
		const desk = await open();
		await Promise.all([desk.start(), desk.start(), desk.start()]);
		await desk.join(...Array.from({ length: 100 }, (_, n) => `visitor-${n}@example.com`));
		await expect.poll(() => desk.count(), eventually).toBe(0);
		const ids = desk.received.map(({ headers }) => headers["webhook-id"]);
		expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
		// As a killed process leaves it.
		const gone = { id: "msg_gone", kind: "left", who: "ada@example.com" };
		await add(desk.server, "events", [{ seq: 1000, ...gone, state: "sending", claim: "gone" }]);
		await expect.poll(() => desk.count(), eventually).toBe(0);
		expect(desk.messages()).toHaveLength(101);
	});
});
