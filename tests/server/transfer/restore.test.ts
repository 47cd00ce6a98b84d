import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requestLink } from "../../../src/server/mail/emails/asking.ts";
import { change, peopleOf } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { openWaveDesk } from "../waves/wave-desk.ts";

const cluster = usePostgres();

const NEWS = "Subject: News\n\nWe are nearly there.\n";

describe(`a restore on ${kind}`, () => {
	const open = () => openWaveDesk(kind, cluster());

	/** A desk with what a backup of another one holds. */
	async function restored(desk: Awaited<ReturnType<typeof open>>, options = "") {
		await desk.json("backup yesterday.db");
		const fresh = await open();
		const restore = () =>
			fresh.json(`restore ${join(desk.folder, "yesterday.db")} --without-proofs${options}`);
		return { ...fresh, restore, first: await restore() };
	}

	it("sends nothing by itself: not what may have gone out, nor what has not begun", async () => {
		const desk = await open();
		await desk.people(2);
		await desk.json("invite 1 --wave due --yes");
		await desk.json("invite 1 --wave later --at 2099-01-01 --yes");
		await desk.join("ada@example.com");
		const fresh = await restored(desk);
		const { unknown, gap } = fresh.first;
		expect(unknown).toBe(2);
		await fresh.json("release");
		expect(await fresh.json("release --held")).toMatchObject({ letGo: 1 });
		expect(await fresh.take()).toEqual([]);
		expect(await fresh.json("retry --unknown")).toMatchObject({ retried: 2 });
		expect(await fresh.send()).toEqual(["P1@Example.com", "ada@example.com"]);
		// Once more, beside what has happened since, it adds nothing and knows nothing better.
		expect(await fresh.restore()).toMatchObject({ added: 0, addedLetters: 0, unknown: 0, gap });
	});

	it("has new links for people whose first letter, and so whose links, it does not know", async () => {
		const desk = await open();
		await desk.join("ada@example.com");
		const fresh = await restored(desk);
		const [letter] = await desk.take();
		expect(await peopleOf(fresh)).toMatchObject([{ id: "" }]);
		// They ask on the page of the link, a little later.
		const ago = new Date(Date.now() - 16 * 60_000);
		await change(fresh, "emails", { queued: ago, ended: ago });
		await fresh.inDatabase(({ dialect, run }) =>
			run(requestLink(dialect)("confirm", "ada@example.com", Date.now())),
		);
		const [another] = await fresh.take();
		expect(another!.recipient).not.toBe(letter!.recipient);
		expect(await peopleOf(fresh)).toMatchObject([{ id: another!.recipient }]);
	});

	it("lets nobody be chosen for a letter before the operator has said so", async () => {
		const desk = await open();
		await desk.people(3);
		const fresh = await restored(desk);
		const { from, until } = fresh.first.gap;
		const news = `write --wave news --message ${await fresh.message(NEWS)}`;
		for (const args of ["invite 2 --wave w --yes", `${news} --yes`, "release --source fair"]) {
			const { code, stderr } = await fresh.run(args);
			expect({ args, code, stderr }).toEqual({
				args,
				code: 1,
				stderr: expect.stringContaining(`sent between ${from} and ${until}.`),
			});
		}
		expect(await fresh.json(`${news} --dry-run`)).toMatchObject({
			gap: { from, until },
			adding: 3,
		});
		expect(await fresh.json("release --flagged --dry-run")).toMatchObject({ asked: 0 });
		expect(await fresh.json(`release --since ${until}`)).toMatchObject({ asked: 0 });
		expect(await fresh.json("invite 1 --wave w --yes --despite-gap")).toMatchObject({ added: 1 });
		expect(await fresh.json("sent --complete")).toMatchObject({ notSent: 0 });
		expect(await fresh.json("invite 2 --wave w --yes")).toMatchObject({ added: 1 });
	});

	it("learns by the provider's log what went out, also of waves that it does not know", {
		tags: "slow",
	}, async () => {
		const desk = await open();
		await desk.people(6);
		await desk.json("invite 4 --wave beta-1 --yes");
		const taken = (await desk.take()).sort((a, b) => (a.email < b.email ? -1 : 1));
		await desk.tell(
			...taken.slice(1).map(({ id }) => ({ id, state: "waiting", nextAt: 0, code: "" }) as const),
		);
		const fresh = await restored(desk);
		const marked = async (args: string, input: string) => {
			const { code, stdout, stderr } = await fresh.run(`sent --file - --json${args}`, input);
			return { code, ...(stdout ? JSON.parse(stdout) : { stderr }) };
		};
		const none = { marked: 0, already: 0, withoutLetter: 0, notFound: [] };
		const [one, two] = taken as [(typeof taken)[0], (typeof taken)[0]];
		const csv = `time;Message-ID\n1;<${one.id}@orbit.example>\n2;${two.id.toUpperCase()}\n`;
		expect(await marked(" --format csv", csv)).toEqual({
			code: 0,
			...none,
			marked: 2,
			unknown: 2,
		});
		const text = `${one.email}\nP5@Example.com\nnobody@example.com\n${"0".repeat(32)}\n`;
		expect(await marked("", text)).toEqual({
			...none,
			code: 3,
			already: 1,
			withoutLetter: 1,
			unknown: 2,
			notFound: ["nobody@example.com", "0".repeat(32)],
		});
		const log = "Recipient,Subject\np5@example.com,Come in\np5@example.com,again\n";
		expect(await marked(" --format csv --wave beta-2", log)).toMatchObject({
			code: 3,
			stderr: expect.stringContaining("say what it was: --as invitation, or"),
		});
		const asBeta2 = " --format csv --wave beta-2 --as invitation";
		expect(await marked(asBeta2, log)).toEqual({ code: 0, ...none, marked: 1, unknown: 2 });
		expect(await marked(asBeta2, log)).toEqual({ code: 0, ...none, already: 1, unknown: 2 });
		expect(await fresh.counts("beta-2")).toEqual({ accepted: 1 });
		expect(await fresh.counts("beta-1")).toEqual({ accepted: 2, unknown: 2 });
		const dry = await fresh.json("invite 9 --wave beta-3 --dry-run");
		expect(dry).toMatchObject({ had: 5, eligible: 1 });
		expect(await marked(" --complete", "p3@example.com\n")).toMatchObject({
			marked: 1,
			notSent: 1,
			unknown: 0,
		});
		await fresh.json("release --held");
		expect(await fresh.send()).toEqual(["P4@Example.com"]);
	});
});
