import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMailServer } from "../../../bench/harness/mail-server.ts";
import { kind } from "../../given/kind.ts";
import { connect } from "../../read-rows.ts";
import { usePostgres } from "../waitlist/databases.ts";
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
	const { WAITLIST_ERASURES = `${file}.erasures`, WAITLIST_ERASURE_KEY: key } = env;
	const secret = key ?? (await readFile(`${file}.erasure-key`, "utf8")).trim();
	return { WAITLIST_ERASURES, WAITLIST_ERASURE_KEY: secret };
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
		for (const key of [ADA, old]) expect(await lost.leave(key)).toBe("now");

		const fresh = await openLetterDesk(kind, cluster());
		Object.assign(fresh.env, await proofsOf(lost));
		// And once more, beside what has happened since.
		for (let n = 0; n < 2; n++) {
			await fresh.json(`restore ${join(lost.folder, "yesterday.db")}`);
			expect(await fresh.left()).toEqual([ADA, old]);
			expect(await fresh.take()).toEqual([]);
		}
		// Only the operator sends again what may have gone out, and to nobody who has left.
		await fresh.json("retry --unknown");
		expect(await fresh.send()).toEqual([BOB]);
	});

	it("are gone with their person, by address and by age", async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA, BOB, EVE);
		await desk.send();
		await desk.json(`erase ${ADA}`);
		await desk.read("UPDATE registration SET created_at = '2020-01-01' WHERE email_key = $1", BOB);
		await desk.json("erase --older-than 24");
		for (const table of ["registration", "letter", "recipient"]) {
			expect(await desk.read(`SELECT email_key FROM ${table}`)).toEqual([{ email_key: EVE }]);
		}
	});

	it("end when their person leaves, and none follows when somebody types their address", async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA);
		const [taken] = await desk.take();
		expect(await desk.leave(ADA)).toBe("now");
		// Its sender hears only now that the mail server wants it later.
		await desk.tell({ id: taken!.id, state: "deferred", nextAt: Date.now(), code: "450" });
		expect(await desk.letters()).toEqual(["ada@example.com refused"]);
		expect(await desk.leave(ADA)).toBe("before");
		expect(await desk.leave("nobody@example.com")).toBe(undefined);
		expect((await desk.json(`find ${ADA}`)).leavings).toEqual([{ at: ISO, by: "button" }]);
		// As a proof of an earlier version says it.
		await desk.read("UPDATE erasure SET reason = 'left'");
		expect((await desk.json(`find ${ADA}`)).leavings).toEqual([{ at: ISO, by: "unknown" }]);

		const ago = new Date(Date.now() - 16 * 60_000).toISOString();
		await desk.read("UPDATE letter SET asks = 1, asked_at = $1, ended_at = $1", ago);
		await desk.join(ADA);
		expect(await desk.take()).toEqual([]);
		await desk.confirm(ADA);
		await desk.leave(ADA);
		await desk.join(ADA);
		expect(await desk.take()).toEqual([]);
		expect(await desk.left()).toEqual([ADA]);
	});

	it("leave one proof of a person who left several times, and each restore knows it", {
		tags: "slow",
	}, async () => {
		const desk = await openLetterDesk(kind, cluster());
		const proofs = () => desk.read("SELECT erased_at FROM erasure WHERE reason = 'left by button'");
		const backups: string[] = [];
		await desk.join(ADA);
		for (const day of [1, 2, 3]) {
			await desk.leave(ADA, new Date(`2026-11-0${day}T12:00:00.000Z`));
			expect(await proofs()).toEqual([{ erased_at: `2026-11-0${day}T12:00:00.000Z` }]);
			backups.push(join(desk.folder, `${day}.db`));
			await desk.json(`backup ${backups.at(-1)}`);
			await desk.confirm(ADA, new Date(`2026-11-0${day}T13:00:00.000Z`));
		}
		for (const backup of backups) await desk.json(`restore ${backup}`);
		expect(await proofs()).toEqual([{ erased_at: "2026-11-03T12:00:00.000Z" }]);
		expect((await desk.json(`find ${ADA}`)).leavings).toHaveLength(1);
		// They came back on the third day, after they had left.
		expect(await desk.left()).toEqual([]);
	});

	it("tell leaving from erasure", { tags: "slow" }, async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA, BOB);
		await desk.leave(ADA);
		const backup = join(desk.folder, "left.db");
		await desk.json(`backup ${backup}`);
		expect(await desk.json("stats")).toMatchObject({
			erased: 0,
			people: { confirmed: 0, left: 1, bounced: 0 },
		});
		expect((await desk.run("stats")).stdout).toContain("0 confirmed, 1 left, 0 bounced\n");
		const found = await desk.json(`find ${ADA}`);
		expect(found).toMatchObject({
			registration: { key: ADA },
			recipient: { leftAt: ISO, id: expect.stringMatching(/^[0-9a-f]{32}$/) },
			letters: [{ kind: "confirm", state: "refused", code: "left" }],
			erasures: [],
			leavings: [{ at: found.recipient.leftAt, by: "button" }],
		});
		expect((await desk.run(`find ${ADA}`)).stdout).toContain(
			`Left on ${found.recipient.leftAt}, by the button of the page.`,
		);
		expect(await desk.run(`erase ${ADA} --reason left`)).toMatchObject({ code: 2, stdout: "" });
		expect(await desk.json(`restore ${backup}`)).toMatchObject({ erased: 0 });
		await desk.json(`erase ${ADA}`);
		expect(await desk.json("stats")).toMatchObject({ total: 1, erased: 1 });
		const gone = await desk.run(`find ${ADA}`);
		expect(gone).toMatchObject({ code: 3, stdout: expect.stringMatching(/^Not .*\nLeft on .*\n/) });
	});

	it("that wait end when an import says that their person has left", async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA, BOB);
		const leftAt = new Date().toISOString();
		await desk.json("import - --format jsonl", JSON.stringify({ email: ADA, leftAt }));
		expect(await desk.send()).toEqual([BOB]);
	});

	it("go to nobody by an import who left before, also after their record was lost", async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA, BOB);
		await desk.leave(ADA);
		await desk.read("DELETE FROM registration");
		await desk.read("DELETE FROM letter");
		await desk.read("DELETE FROM recipient");
		await desk.json("import - --format text", `${ADA}\n${BOB}`);
		expect(await desk.left()).toEqual([ADA]);
		expect(await desk.json("release --source import")).toMatchObject({ asked: 1 });
		expect(await desk.send()).toEqual([BOB]);
	});

	it("are released for whom the operator chooses, and for nobody who wants none", {
		tags: "slow",
	}, async () => {
		const desk = await openLetterDesk(kind, cluster());
		const people = [
			{ email: ADA, source: "fair", createdAt: "2026-01-01" },
			{ email: BOB, source: "fair", createdAt: "2026-02-01", flags: "trap" },
			{ email: EVE, source: "other", createdAt: "2026-03-01" },
			{ email: "left@example.com", source: "fair" },
			{ email: "bounced@example.com", source: "fair", bouncedAt: "2026-03-01" },
			{ email: "confirmed@example.com", source: "fair", confirmedAt: "2026-03-01" },
		];
		const lines = people.map((person) => JSON.stringify(person)).join("\n");
		await desk.json("import - --format jsonl", lines);
		await desk.leave("left@example.com");
		expect(await desk.json("release --source fair --dry-run")).toMatchObject({ asked: 1 });
		expect(await desk.take()).toEqual([]);
		expect(await desk.json("release --source fair")).toEqual({
			letGo: 0,
			asked: 1,
			unmarked: 0,
			notFound: [],
			unchanged: [],
		});
		expect(await desk.send()).toEqual([ADA]);
		expect(await desk.json("release --source fair")).toMatchObject({ letGo: 0, asked: 0 });
		expect(await desk.json("release --flagged --since 2026-02-02")).toMatchObject({ asked: 0 });
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
		expect(await desk.json("letters")).toEqual({
			letters: [{ kind: "confirm", state: "waiting", count: 3 }],
			held: 0,
			waiting: {
				letters: 3,
				kinds: [{ kind: "confirm", letters: 3, oldest: ISO }],
				oldest: ISO,
				lastAt: null,
				pace: null,
			},
			oldestWaiting: ISO,
			ramp: null,
			troubled: [],
			slowed: [],
			pause: {
				until: expect.stringMatching(/^9999/),
				reason: expect.stringContaining("hold"),
				cause: "operator",
			},
		});
		expect((await desk.run("stats --by source")).stdout).toContain(
			"Nothing is sent until `waitlist release`. The operator said `waitlist hold`.\n",
		);
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

	it("are named while the mail server puts them off, and when they were given up", {
		tags: "slow",
	}, async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA, BOB, EVE);
		const taken = await desk.take();
		const idOf = (email: string) => taken.find((letter) => letter.email === email)!.id;
		const nextAt = Date.parse("2026-11-22T10:00:00.000Z");
		await desk.read("UPDATE letter SET attempts = 11 WHERE email_key = $1", BOB);
		await desk.tell(
			{ id: idOf(ADA), state: "deferred", nextAt, code: "ECONNECTION" },
			{ id: idOf(BOB), state: "refused", code: "550 5.7.1" },
			{ id: idOf(EVE), state: "accepted", code: "250" },
		);
		expect((await desk.json("letters")).troubled).toEqual([
			{
				email: BOB,
				kind: "confirm",
				state: "refused",
				code: "550 5.7.1",
				attempts: 11,
				time: ISO,
			},
			{
				email: ADA,
				kind: "confirm",
				state: "deferred",
				code: "ECONNECTION",
				attempts: 1,
				time: "2026-11-22T10:00:00.000Z",
			},
		]);
		const { stdout } = await desk.run("letters");
		expect(stdout).toMatch(/^confirm to bob@.*: 550 5\.7\.1, 11 tries, given up on 2026-.*Z$/m);
		expect(stdout).toContain(
			`confirm to ${ADA}: ECONNECTION, 1 try, tried again on 2026-11-22T10:00:00.000Z\n`,
		);
		expect((await desk.json("stats")).pause).toBeUndefined();
	});

	it("say what stops them: the operator, the rate, or the mail server", {
		tags: "slow",
	}, async () => {
		const desk = await openLetterDesk(kind, cluster());
		const mailServer = await startMailServer();
		onTestFinished(mailServer.stop);
		const send = (SMTP_URL: string, WAITLIST_MAIL_RATE: string, args = ["send"]) =>
			runCommand(desk.folder, args, {
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
		for (const [to, why] of [
			["nobody", "nobody is no address."],
			["you@example.com", "the mail server cannot be reached, or is busy (ECONNREFUSED)."],
		] as const) {
			const { stderr } = await send(mailServer.url, "0", ["preview", "confirm", "--to", to]);
			expect(stderr).toContain(`Not sent: ${why}`);
		}
	});

	it("are sent again when the operator says so: unknown or refused ones", {
		tags: "slow",
	}, async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join(ADA, BOB, EVE);
		const taken = await desk.take();
		const idOf = (email: string) => taken.find((letter) => letter.email === email)!.id;
		await desk.tell(
			{ id: idOf(ADA), state: "unknown", code: "ECONNECTION" },
			{ id: idOf(BOB), state: "refused", code: "552" },
			{ id: idOf(EVE), state: "refused", code: "550 5.1.1", bounced: true },
		);
		const { letters } = await desk.json("letters --unknown");
		expect(letters).toEqual([{ email: ADA, kind: "confirm", time: ISO }]);
		expect((await desk.run("retry")).code).toBe(2);
		expect(await desk.json("retry --unknown")).toMatchObject({ retried: 1 });
		const again = await desk.take();
		expect(again).toMatchObject([{ id: idOf(ADA), email: ADA, attempts: 1 }]);
		expect(await desk.json(`retry ${BOB} ${EVE}`)).toMatchObject({ retried: 1 });
		expect(await desk.send()).toEqual([BOB]);
	});
});

describe("an erasure in SQLite", () => {
	it("leaves no byte of the address in what is kept of letters", { tags: "slow" }, async () => {
		const desk = await openLetterDesk("SQLite", cluster());
		await desk.join("someone-unforgettable@example.com", ADA);
		await desk.send();
		await desk.leave(ADA);
		const file = join(desk.folder, "data/waitlist.db");
		const connection = connect(file);
		// In the order of chance, so that SQLite splits pages of the indexes.
		connection.exec("PRAGMA secure_delete = ON; BEGIN");
		for (const table of [
			"recipient (email_key, id)",
			"letter (email_key, id, kind, wave, state, version, asked_at, next_at)",
		]) {
			const more = table.startsWith("letter")
				? ", 'confirm', '', 'waiting', '', '', hex(n * 7919 % 20011)"
				: "";
			connection.exec(`INSERT INTO ${table}
				WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000)
				SELECT printf('v%05d@example.com', n * 7919 % 20011), printf('%032d', n * 7919 % 20011)${more}
				FROM n`);
		}
		connection.exec(`INSERT INTO registration (email_key, email, source, created_at, terms)
			SELECT email_key, upper(email_key), '', '', '' FROM letter WHERE email_key LIKE 'v%'`);
		connection.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
		connection.close();
		const places = new Map<string, number>();
		for (const [key] of (await readFile(file, "latin1")).matchAll(/v\d{5}@example\.com/g)) {
			places.set(key, (places.get(key) ?? 0) + 1);
		}
		const most = Math.min(...places.values());
		const left = [...places].filter(([, count]) => count > most).map(([key]) => key);
		expect(left.length).toBeGreaterThan(0);
		const erased = ["someone-unforgettable@example.com", ...left.slice(0, 20)];
		await desk.json(`erase ${erased.join(" ")}`);
		const bytes = await readFile(file, "latin1");
		expect(erased.filter((key) => bytes.includes(key))).toEqual([]);
		expect(await readFile(`${file}-wal`, "latin1").catch(() => "")).not.toContain("unforgettable");
	});
});
