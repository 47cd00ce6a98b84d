import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMailServer } from "../../../bench/harness/mail-server.ts";
import { change, emailsOf, everythingIn, given, peopleOf, remove } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { runCommand } from "./desk.ts";
import { addressesOf, openLetterDesk } from "./letter-desk.ts";

const cluster = usePostgres();

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

/** Where a desk keeps its proofs, for another one. */
async function proofsOf({ folder, env }: { folder: string; env: Record<string, string> }) {
	const file = join(folder, "data/waitlist.db");
	const { WAITLIST_ERASURES = `${file}.erasures`, WAITLIST_SECRET: key } = env;
	const secret = key ?? (await readFile(`${file}.erasure-key`, "utf8")).trim();
	return { WAITLIST_ERASURES, WAITLIST_SECRET: secret };
}

describe(`letters on ${kind}`, () => {
	it("are not sent by a restore, which brings nobody back who has left since", {
		tags: "slow",
	}, async () => {
		const old = "old@example.com";
		const lost = await openLetterDesk(kind, cluster());
		await lost.add(ADA, BOB, old);
		await lost.json(`release ${ADA} ${BOB}`);
		await lost.take();
		await lost.json("backup yesterday.db");
		await lost.json(`release ${old}`);
		await lost.take();
		for (const key of [ADA, old]) expect(await lost.leave(key)).toEqual([key]);

		const fresh = await openLetterDesk(kind, cluster());
		Object.assign(fresh.env, await proofsOf(lost));
		await fresh.close();
		await fresh.json(`restore ${join(lost.folder, "yesterday.db")}`);
		expect(await fresh.left()).toEqual([ADA, old]);
		expect(await fresh.take()).toEqual([]);
		// Only the operator sends again what may have gone out, and to nobody who has left.
		await fresh.json("retry --unknown");
		expect(await fresh.send()).toEqual([BOB]);
	});

	it("are gone with their person, by address and by age", async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA, BOB, EVE);
		await desk.send();
		await desk.json(`erase ${ADA}`);
		await change(desk, "people", { joined: "2020-01-01" }, { key: BOB });
		await desk.json("erase --older-than 24");
		expect(await emailsOf(desk)).toMatchObject([{ to: EVE }]);
		expect(await peopleOf(desk)).toMatchObject([{ key: EVE }]);
	});

	it("end when their person unsubscribes, and none follows when somebody types their address", async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA);
		const [taken] = await desk.take();
		expect(await desk.leave(ADA)).toEqual([ADA]);
		// Its sender hears only now that the mail server wants it later.
		await desk.tell({ id: taken!.id, state: "deferred", nextAt: Date.now(), code: "450" });
		expect(await desk.letters()).toEqual(["ada@example.com refused"]);
		expect(await desk.leave(ADA)).toEqual([]);
		expect(await desk.leave("nobody@example.com")).toEqual([]);
		expect(await desk.json(`find ${ADA}`)).toMatchObject({
			erasures: [],
			leavings: [{ at: ISO, by: "button" }],
		});
		expect((await desk.run("stats")).stdout).toContain("0 confirmed, 1 left, 0 bounced\n");

		const ago = new Date(Date.now() - 16 * 60_000);
		await change(desk, "emails", { queued: ago, ended: ago });
		await desk.join(ADA);
		expect(await desk.take()).toEqual([]);
		await desk.confirm(ADA);
		await desk.leave(ADA);
		await desk.join(ADA);
		expect(await desk.take()).toEqual([]);
		expect(await desk.left()).toEqual([ADA]);
		await desk.json(`erase ${ADA}`);
		expect(await desk.json("stats")).toMatchObject({ total: 0, erased: 1 });
	});

	it("leave one proof of a person who unsubscribed several times", {
		tags: "slow",
	}, async () => {
		const desk = await openLetterDesk(kind, cluster());
		const proofs = async () => (await everythingIn(desk)).suppressions.map(({ at }) => at);
		await desk.join(ADA);
		for (const day of [1, 2]) {
			await desk.leave(ADA, new Date(`2026-11-0${day}T12:00:00.000Z`));
			expect(await proofs()).toEqual([`2026-11-0${day}T12:00:00.000Z`]);
			await desk.confirm(ADA, new Date(`2026-11-0${day}T13:00:00.000Z`));
		}
		expect(await desk.left()).toEqual([]);
	});

	it("go to nobody who unsubscribed before an import or by it, also after their record was lost", async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA, BOB, EVE);
		const leftAt = new Date().toISOString();
		await desk.json("import - --format jsonl", JSON.stringify({ email: EVE, leftAt }));
		expect(await desk.send()).toEqual([ADA, BOB]);
		await desk.leave(ADA);
		await remove(desk, "emails");
		await remove(desk, "people");
		await desk.json("import - --format text", `${ADA}\n${BOB}`);
		expect(await desk.left()).toEqual([ADA]);
		expect(await desk.json("release --source import")).toMatchObject({ asked: 1 });
		expect(await desk.send()).toEqual([BOB]);
	});

	it("are released for whom the operator chooses, and for nobody who wants none", {
		tags: "slow",
	}, async () => {
		const desk = await openLetterDesk(kind, cluster());
		await given.people(desk, [
			{ email: ADA, source: "fair" },
			{ email: BOB, source: "fair", flag: "honeypot" },
			{ email: EVE, source: "other" },
			{ email: "left@example.com", source: "fair" },
			{ email: "bounced@example.com", source: "fair", bounced: true },
			{ email: "confirmed@example.com", source: "fair", confirmed: true },
		]);
		await desk.leave("left@example.com");
		expect(await desk.json("release --source fair --dry-run")).toMatchObject({ asked: 1 });
		expect(await desk.take()).toEqual([]);
		expect(await desk.json("release --source fair")).toMatchObject({ letGo: 0, asked: 1 });
		expect(await desk.send()).toEqual([ADA]);
		expect(await desk.json("release --source fair")).toMatchObject({ letGo: 0, asked: 0 });
		expect(await desk.json("release --flagged --since 2026-01-02")).toMatchObject({ asked: 0 });
		expect(await desk.json("release --flagged")).toMatchObject({ asked: 1 });
		expect(await desk.send()).toEqual([BOB]);
		const named = await desk.run(`release EVE@example.com left@example.com nobody@example.com`);
		expect(named).toMatchObject({
			code: 3,
			stdout: expect.stringMatching(
				/^let go: 0 .*\nasked to confirm: 1\nNothing done for left@.*\nNot on the waitlist: nobody@.*\n$/,
			),
		});
		expect(addressesOf(await desk.take())).toEqual([EVE]);
	});

	it("wait while the operator holds them, and are counted", async () => {
		const desk = await openLetterDesk(kind, cluster());
		expect((await desk.run("import -")).code).toBe(0);
		expect((await desk.run("letters")).stdout).toBe("No letters.\n");
		await desk.join(ADA, BOB, EVE);
		await desk.json("hold");
		expect(await desk.take()).toEqual([]);
		expect(await desk.json("letters")).toMatchObject({
			letters: [{ kind: "confirm", state: "waiting", count: 3 }],
			held: 0,
			waiting: { letters: 3, kinds: [{ kind: "confirm", letters: 3, oldest: ISO }] },
			pause: { until: expect.stringMatching(/^9999/), cause: "operator" },
		});
		expect((await desk.json("stats")).pause).toMatchObject({ cause: "operator" });
		expect((await desk.run("letters")).stdout).toContain(
			"Nothing is sent until `waitlist release`. The operator said `waitlist hold`.",
		);
		expect(await desk.json(`hold ${ADA}`)).toEqual({ held: 1, unchanged: [], notFound: [] });
		expect(await desk.json("release")).toMatchObject({ ended: true, held: 1 });
		expect(await desk.json("release")).toMatchObject({ ended: false, slowed: [] });
		expect(await desk.send()).toEqual([BOB, EVE]);
		expect(await desk.json("letters")).toMatchObject({ held: 1, oldestWaiting: null, pause: null });
		expect(await desk.json("release --held")).toMatchObject({ letGo: 1, asked: 0 });
		expect(await desk.send()).toEqual([ADA]);
	});

	it("are named while the mail server puts them off, when they were given up, and when unknown", {
		tags: "slow",
	}, async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA, BOB, EVE);
		const taken = await desk.take();
		const idOf = (email: string) => taken.find((letter) => letter.email === email)!.id;
		const nextAt = Date.parse("2026-11-22T10:00:00.000Z");
		await change(desk, "emails", { attempts: 11 }, { to: BOB });
		await desk.tell(
			{ id: idOf(ADA), state: "deferred", nextAt, code: "ECONNECTION" },
			{ id: idOf(BOB), state: "refused", code: "550 5.7.1" },
			{ id: idOf(EVE), state: "unknown", code: "ECONNECTION" },
		);
		const { stdout } = await desk.run("letters");
		expect(stdout).toMatch(/^confirm to bob@.*: 550 5\.7\.1, 11 tries, given up on 2026-.*Z$/m);
		expect(stdout).toContain(
			`confirm to ${ADA}: ECONNECTION, 1 try, tried again on 2026-11-22T10:00:00.000Z\n`,
		);
		const { letters } = await desk.json("letters --unknown");
		expect(letters).toEqual([{ email: EVE, kind: "confirm", time: ISO }]);
		expect(await desk.json("retry --unknown")).toMatchObject({ retried: 1 });
		const again = (await desk.take()).find(({ email }) => email === EVE);
		expect(again).toMatchObject({ id: idOf(EVE), attempts: 1 });
	});

	it("say what stops them: the operator, the rate, or the mail server", {
		tags: "slow",
	}, async () => {
		const desk = await openLetterDesk(kind, cluster());
		const mailServer = await startMailServer();
		onTestFinished(mailServer.stop);
		const send = (SMTP_URL: string, WAITLIST_MAIL_RATE: string) =>
			runCommand(desk.folder, ["send"], {
				env: {
					...desk.env,
					SMTP_URL,
					WAITLIST_MAIL_RATE,
					WAITLIST_MAIL_FROM: "hello@orbit.example",
					SITE_ORIGIN: "https://orbit.example",
				},
			});
		await desk.join(ADA, BOB);
		await desk.json("hold");
		expect((await send(mailServer.url, "1/1h")).stdout).toBe(
			"Nothing is sent until `waitlist release`. The operator said `waitlist hold`.\n",
		);
		await desk.json("release");
		expect((await send(mailServer.url, "1/1h")).stdout).toBe(
			"1 accepted\nStill to be sent, as WAITLIST_MAIL_RATE allows: 1\n",
		);
		await mailServer.stop();
		expect(await send(mailServer.url, "0")).toMatchObject({
			code: 1,
			stdout: expect.stringMatching(
				/\nNothing is sent until [-\d]{10} [\d:]{5} UTC\. .* See `waitlist check --mail`/,
			),
		});
	});
});
