import { describe, expect, it, onTestFinished } from "vitest";
import { createTx, sql } from "../../../src/server/database/sql.ts";
import { readDueEmails } from "../../../src/server/mail/claim-emails.ts";
import { openOutbox } from "../../../src/server/mail/outbox.ts";
import { EMAIL_QUEUES } from "../../../src/server/mail/rate/outbox-state.ts";
import { given, readEmails } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import {
	createTestDatabase,
	openDatabaseWithClock,
	openWaitlistDatabase,
} from "../registrations/databases.ts";
import { registrationOf } from "../registrations/waitlist-contract.ts";

const START = Date.parse("2026-11-22T10:00:00.000Z");
const MINUTE = 60_000;

describe(`the outbox on ${kind}`, () => {
	async function open() {
		const { clock, now, server, join } = await openDatabaseWithClock(kind);
		onTestFinished(() => server.close());
		const outboxOf = () => openOutbox(server, { now });
		return {
			clock,
			outboxOf,
			outbox: outboxOf(),
			join: (...emails: string[]) => join(emails),
			server,
			add: server.add,
			emails: (where = {}) => readEmails(server, where),
		};
	}

	it("queues an email for each join, except honeypot joins", async () => {
		const { add, outbox } = await open();
		expect(await outbox.look()).toEqual({ due: false, pause: null });
		const bob = registrationOf("bob@example.com");
		await add([
			registrationOf("Ada@example.com"),
			{ ...registrationOf("bot@x.org"), flag: "honeypot" },
			{ ...bob, flag: "burst" },
			bob,
		]);
		expect((await outbox.look()).due).toBe(true);
		const { emails } = await outbox.turn([], 5);
		const id = expect.stringMatching(/^[0-9a-f]{32}$/);
		const letter = { id, kind: "confirm", attempts: 1, recipient: id };
		expect(emails).toMatchObject([
			{ ...letter, key: "ada@example.com", email: "Ada@example.com" },
			{ ...letter, key: "bob@example.com" },
		]);
		expect((await outbox.look()).due).toBe(false);
	});

	it("gives each email to only one sender", async () => {
		const { join, outboxOf } = await open();
		await join(...Array.from({ length: 50 }, (_, n) => `visitor-${n}@example.com`));
		const turns = await Promise.all(Array.from({ length: 12 }, () => outboxOf().turn([], 5)));
		const emails = turns.flatMap(({ emails }) => emails.map(({ email }) => email));
		expect(emails).toHaveLength(50);
		expect(new Set(emails).size).toBe(50);
	});

	it("makes an email unknown if its sender is gone, and never resends it automatically", async () => {
		const { clock, emails, join, outbox, outboxOf } = await open();
		await join("ada@example.com");
		const [taken] = (await outbox.turn([], 5)).emails;
		clock.ms += 6 * MINUTE;
		expect((await outboxOf().look()).due).toBe(true);
		expect(await outboxOf().turn([], 5)).toMatchObject({ emails: [], lost: 1 });
		expect(await emails()).toMatchObject([{ state: "unknown" }]);
		// A slow sender's late result replaces `unknown`.
		await outbox.turn([{ id: taken!.id, state: "accepted", code: "250", version: "v1" }], 5);
		expect(await emails()).toMatchObject([{ state: "accepted", code: "250" }]);
	});

	it("resends the confirmation to a duplicate after 15 minutes, at most three in total", async () => {
		const { clock, join, outbox } = await open();
		const sent = async () => {
			const { emails } = await outbox.turn([], 5);
			await outbox.turn(
				emails.map(({ id }) => ({ id, state: "accepted", code: "250", version: "v1" })),
				0,
			);
			return emails.length;
		};
		await join("ada@example.com");
		clock.ms += 60 * MINUTE;
		await join("ada@example.com");
		expect(await sent()).toBe(1);
		clock.ms += 14 * MINUTE;
		await join("ada@example.com");
		expect(await sent()).toBe(0);
		clock.ms += MINUTE;
		await Promise.all(Array.from({ length: 20 }, () => join("ada@example.com")));
		expect(await sent()).toBe(1);
		clock.ms += 15 * MINUTE;
		await join("ada@example.com");
		expect(await sent()).toBe(1);
		clock.ms += 24 * 60 * MINUTE;
		await join("ada@example.com");
		expect(await sent()).toBe(0);
	});
});

it("the outbox on PostgreSQL scans few emails to claim five of many", async () => {
	const { settings } = await createTestDatabase("PostgreSQL");
	const server = await openWaitlistDatabase(settings);
	onTestFinished(() => server.close());
	const people = Array.from({ length: 20_000 }, (_, n) => `${n}@example.com`);
	await given.people(server, people);
	await given.emails(server, people);
	await server.all(sql`ANALYZE email`);
	await server.all(sql`ANALYZE registration`);
	for (const queue of EMAIL_QUEUES) {
		let plan: object[] = [];
		const explain = createTx(async (statement) => {
			plan = await server.all(sql`EXPLAIN ${statement}`);
			return [];
		});
		const due = { now: new Date(START).toISOString(), most: 5 };
		await readDueEmails(explain, queue, due);
		const text = JSON.stringify(plan);
		expect(text).toMatch(/email_to_send/);
		expect(text).not.toMatch(/Seq Scan on (?:email|registration)/);
	}
});
