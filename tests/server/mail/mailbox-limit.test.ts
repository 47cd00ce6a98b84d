import { describe, expect, it } from "vitest";
import { openOutbox } from "../../../src/server/mail/outbox.ts";
import { mailboxOf } from "../../../src/server/registrations/mailbox.ts";
import { changeRows, given, readEmails, readPeople } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { addressesOf, openEmailSetup } from "../commands/email-setup.ts";

const HOUR_MS = 60 * 60_000;

it.each([
	["ada+1+2@example.com", "ada@example.com"],
	["+ada@example.com", "+ada@example.com"],
	["a.d.a@example.com", "a.d.a@example.com"],
	["a.d.a+1.2@gmail.com", "ada@gmail.com"],
	["a.da@googlemail.com", "ada@gmail.com"],
])("%s arrives in the mailbox %s", (key, mailbox) => {
	expect(mailboxOf(key)).toBe(mailbox);
});

describe(`emails to one mailbox on ${kind}`, () => {
	async function open() {
		const setup = await openEmailSetup(kind);
		const { inDatabase } = setup;
		const clock = { aheadMs: 0 };
		const now = () => Date.now() + clock.aheadMs;
		const database = await inDatabase(async (opened) => opened);
		const sender = () => openOutbox(database, { now });
		return {
			...setup,
			clock,
			database,
			sender,
			async send(by = sender()) {
				const { emails } = await by.turn([], 100);
				const tried = { state: "accepted", code: "250", version: "v1" } as const;
				await by.turn(
					emails.map(({ id }) => ({ id, ...tried })),
					0,
				);
				return addressesOf(emails);
			},
			people: () => readPeople(setup),
			emails: (state: string) => readEmails(setup, { state }),
		};
	}

	it("are limited to three per day, and all addresses are on the list", async () => {
		const { emails, join, people, send } = await open();
		const victims = Array.from({ length: 20 }, (_, n) => `vic.tim+${n}@gmail.com`);
		await join(...victims, "other@gmail.com");
		const sent = await send();
		expect(sent).toHaveLength(3 + 1);
		expect(sent).toContain("other@gmail.com");
		expect(await people()).toHaveLength(21);
		expect(await emails("refused")).toMatchObject(
			Array(20 - 3).fill({ reason: "limited", attempts: 0, ended: "" }),
		);
		expect(await send()).toEqual([]);
	});

	it("are counted across servers, and once for all their attempts", async () => {
		const { join, sender, tell } = await open();
		const [one, other] = [sender(), sender()];
		await join("ada+1@example.com", "ada+2@example.com", "ada+3@example.com");
		const emails = [...(await one.turn([], 2)).emails, ...(await other.turn([], 2)).emails];
		expect(emails).toHaveLength(3);
		const later = { state: "deferred", nextAt: Date.now(), code: "450" } as const;
		await tell(...emails.map(({ id }) => ({ id, ...later })));
		expect((await one.turn([], 5)).emails).toHaveLength(3);
		await join("ada+4@example.com");
		expect(await other.turn([], 5)).toMatchObject({ emails: [], refused: 1 });
	});

	it("are counted at each request, until a day later", async () => {
		const { clock, database, join, send } = await open();
		await join("ada@example.com", "ada+1@example.com");
		expect(await send()).toHaveLength(2);
		const ago = new Date(Date.now() - HOUR_MS);
		await changeRows(database, "emails", { queued: ago, ended: ago });
		await join("ada@example.com");
		expect(await send()).toEqual(["ada@example.com"]);
		await join("ada+2@example.com");
		expect(await send()).toEqual([]);
		clock.aheadMs += 24 * HOUR_MS;
		await join("ada+3@example.com");
		expect(await send()).toEqual(["ada+3@example.com"]);
	});

	it("are counted with wave emails to unconfirmed people", async () => {
		const { database, emails, join, unsubscribe, send } = await open();
		const spellings = [1, 2, 3, 4, 5].map((n) => `vic.tim+${n}@gmail.com`);
		await join(...spellings.slice(0, 2), "ada@gmail.com");
		expect(await send()).toHaveLength(3);
		await unsubscribe("ada@gmail.com");
		await given.people(database, [...spellings.slice(2), "a.da@gmail.com"]);
		await given.wave(database, { kind: "news", subject: "Hi", message: "Hello." });
		const news = { kind: "news", wave: "beta-1", queue: "unconfirmed" };
		await given.emails(database, [...spellings, "a.da@gmail.com"], news);
		expect(await send()).toHaveLength(1);
		const reasons = (await emails("refused")).map(({ reason }) => reason);
		expect(reasons.sort()).toEqual([...Array(4).fill("limited"), "unsubscribed"]);
	});

	it("beyond the limit do not count toward a person's three requests", async () => {
		const { clock, database, join, send } = await open();
		await join("ada+1@example.com", "ada+2@example.com", "ada+3@example.com");
		expect(await send()).toHaveLength(3);
		for (let n = 0; n < 4; n++) {
			await join("ada@example.com");
			expect(await send()).toEqual([]);
			await changeRows(database, "emails", { queued: new Date(Date.now() - HOUR_MS) });
		}
		clock.aheadMs += 24 * HOUR_MS;
		await join("ada@example.com");
		expect(await send()).toEqual(["ada@example.com"]);
	});

	it("are not sent to any spelling of an unsubscribed mailbox until it resubscribes", async () => {
		const { confirm, emails, join, unsubscribe, send, sender, tell } = await open();
		const later = { state: "deferred", nextAt: Date.now(), code: "450" } as const;
		await join("ada@gmail.com", "ada+tried@gmail.com");
		for (const { id } of (await sender().turn([], 5)).emails) await tell({ id, ...later });
		await unsubscribe("ada@gmail.com");
		await join("a.da@gmail.com", "ada@example.com");
		expect(await send()).toEqual(["ada@example.com"]);
		expect(await emails("refused")).toMatchObject([
			{ to: "a.da@gmail.com", reason: "unsubscribed", code: "", attempts: 0 },
			{ to: "ada+tried@gmail.com", reason: "unsubscribed", code: "450", attempts: 1 },
			{ to: "ada@gmail.com", reason: "unsubscribed", code: "450", attempts: 1 },
		]);
		await confirm("ada@gmail.com", new Date(Date.now() + 1));
		await join("ada+back@gmail.com");
		expect(await send()).toEqual(["ada+back@gmail.com"]);
	});
});
