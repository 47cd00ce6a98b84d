import { describe, expect, it } from "vitest";
import { change, peopleOf } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { openEmailDesk } from "./letter-desk.ts";

const cluster = usePostgres();

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";
const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/;

const bounced = { state: "refused", code: "550 5.1.1", bounced: true } as const;
const accepted = { state: "accepted", code: "250" } as const;

describe(`blocked people on ${kind}`, () => {
	async function open(...emails: string[]) {
		const desk = await openEmailDesk(kind, cluster());
		await desk.join(...emails);
		const taken = await desk.take();
		const idOf = (email: string) => taken.find((letter) => letter.email === email)!.id;
		const end = (how: typeof bounced | typeof accepted, emails: readonly string[]) =>
			desk.tell(...emails.map((email) => ({ id: idOf(email), ...how })));
		return {
			...desk,
			refuse: (...emails: string[]) => end(bounced, emails),
			accept: (...emails: string[]) => end(accepted, emails),
		};
	}

	it("have the flag `operator`, unless they have another, and none once unblocked", async () => {
		const desk = await openEmailDesk(kind, cluster());
		await desk.join("Ada@Example.com", BOB);
		await change(desk, "people", { flag: "honeypot" }, { key: BOB });
		const flags = async () => (await peopleOf(desk)).map(({ flag }) => flag);
		expect(await desk.json(`block ADA@example.com ${BOB}`)).toEqual({
			blocked: 1,
			unchanged: [{ email: BOB, reason: "they have a flag already." }],
			notFound: [],
		});
		expect(await flags()).toEqual(["operator", "honeypot"]);
		expect(await desk.json("stats")).toMatchObject({ flagged: 2, burst: 0 });
		const { code, stdout } = await desk.run(`unblock ${ADA} ${BOB} nobody@example.com`);
		expect(stdout).toContain("Unblocked: 2");
		expect(stdout).toContain("Not on the waitlist: nobody@example.com");
		expect(code).toBe(3);
		expect(await flags()).toEqual(["", ""]);
	});

	it("are not asked to confirm until unblocked and confirmed, whatever is resumed", async () => {
		const { join, json, run, send } = await openEmailDesk(kind, cluster());
		await join(ADA, BOB, EVE);
		await run(`block ${ADA} ${BOB}`);
		await json("pause");
		await json("resume");
		expect(await send()).toEqual([EVE]);
		await run(`unblock ${ADA}`);
		expect(await send()).toEqual([]);
		expect(await json(`confirm ${ADA}`)).toMatchObject({ confirmations: 1 });
		expect(await send()).toEqual([ADA]);
	});

	it("are also those whose address bounced: unblocked, `resend` sends again what was refused", async () => {
		const desk = await open(ADA, BOB, EVE);
		await desk.refuse(ADA, BOB);
		await desk.accept(EVE);
		await desk.leave(BOB);
		const { code, stdout } = await desk.run(`unblock Ada@example.com ${BOB} ${EVE} x@example.com`);
		expect(code).toBe(3);
		expect(stdout.trim().split("\n")).toEqual([
			"Unblocked: 2",
			"`waitlist confirm` asks them to confirm, `waitlist resend` sends again what bounced.",
			"Nothing done for eve@example.com: they have no flag and have not bounced; every email was accepted.",
			"Not on the waitlist: x@example.com",
		]);
		expect(await desk.take()).toEqual([]);
		expect(await desk.json("stats")).toMatchObject({ people: { bounced: 0, left: 1 } });
		const resent = await desk.json(`resend ${ADA} ${BOB}`);
		expect(resent).toMatchObject({ resent: 1, unchanged: [{ email: BOB }] });
		expect(await desk.send()).toEqual([ADA]);
		expect(await desk.send()).toEqual([]);
	});

	it("and everybody else whom `resend` cannot help are named with the cure", async () => {
		const refusals = {
			cancelled: "was canceled: another wave can invite them.",
			invited: "another wave has invited them.",
		};
		const refused = Object.keys(refusals).map((_, n) => `a${n}@example.com`);
		const held = "held@example.com";
		const sending = "new@example.com";
		const desk = await open(ADA, BOB, EVE, sending, held, ...refused);
		await desk.refuse(ADA);
		await desk.accept(BOB, EVE, ...refused);
		for (const [n, reason] of Object.keys(refusals).entries()) {
			await change(desk, "people", { confirmed: true }, { key: refused[n]! });
			await change(
				desk,
				"emails",
				{ kind: "invitation", wave: "w", state: "refused", reason },
				{ to: refused[n]! },
			);
		}
		await desk.confirm(EVE);
		await desk.leave(BOB);
		await change(desk, "emails", { state: "waiting", held: true }, { to: held });
		const reasons: Record<string, string> = {
			[ADA]: "bounced on … (550 5.1.1): `waitlist unblock ada@example.com` if that was wrong.",
			[BOB]: "unsubscribed on …, and only they can undo that.",
			[EVE]: "confirmed on …, and every email was accepted.",
			[sending]: "an email is being sent.",
			[held]: "an email waits: `waitlist resume`.",
		};
		const people = Object.keys(reasons);
		const { unchanged } = await desk.json(`resend ${people.join(" ")}`);
		expect(unchanged).toHaveLength(people.length);
		for (const { email, reason } of unchanged) {
			expect(reason.replace(TIME, "…"), email).toContain(reasons[email]);
		}
	});

	it("get their confirmation again by `resend`, three in all", async () => {
		const desk = await open(ADA);
		await desk.accept(ADA);
		const ago = new Date(Date.now() - 16 * 60_000);
		for (const resent of [1, 1, 0]) {
			await change(desk, "emails", { queued: ago, ended: ago });
			expect(await desk.json(`resend ${ADA}`)).toMatchObject({ resent });
			expect(await desk.send()).toHaveLength(resent);
		}
	});
});
