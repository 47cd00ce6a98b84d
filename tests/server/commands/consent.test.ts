import { cp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { brand } from "#brand";
import { JOIN_PATH } from "#shared/join.ts";
import { LEAVE_FIELD, leaveActions } from "#shared/letters.ts";
import { SHOWN_WORDS_FILE } from "#shared/shown-words.ts";
import { readLetter } from "../../../bench/harness/mail-server.ts";
import { emailsByKind } from "../../../src/server/mail/templates/words.ts";
import { everythingIn } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { type ServerProcess, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { type DatabaseKind, usePostgres } from "../registrations/databases.ts";
import { openMailDesk } from "../waves/mail-desk.ts";
import { runCommand } from "./desk.ts";

const cluster = usePostgres();
const soon = { interval: 20 };

/** The same build, but that form, legal texts, email and page begin with another word. Gives its server. */
async function buildWith(word: string): Promise<string> {
	const folder = await temporaryFolder();
	for (const name of ["dist", "package.json"]) {
		await cp(name, join(folder, name), { recursive: true });
	}
	await symlink(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
	const shown = join(folder, "dist", SHOWN_WORDS_FILE);
	const words = Object.entries(JSON.parse(await readFile(shown, "utf8")));
	const edited = words.map(([name, said]) => [name, `${word} ${said}`]);
	await writeFile(shown, JSON.stringify(Object.fromEntries(edited)));
	const server = join(folder, "dist/server");
	for (const file of await readdir(server, { recursive: true })) {
		if (!file.endsWith(".js")) continue;
		const code = await readFile(join(server, file), "utf8");
		const titled = code.replace(/(\bconfirm: \(\{[\s\S]*?\btitle: ["`])/, `$1${word} `);
		await writeFile(join(server, file), titled);
	}
	return join(server, "main.js");
}

/** A list whose people join by the form, and confirm by the link. */
async function open(kind: DatabaseKind) {
	const desk = await openMailDesk(kind, cluster());
	let server: ServerProcess;
	const post = (path: string, fields: Record<string, string> = {}) =>
		fetch(new URL(path, server.url), { method: "POST", body: new URLSearchParams(fields) });
	return {
		...desk,
		post,
		/** Ends the server that runs, and starts another one. */
		async serve(main?: string) {
			server?.process.kill("SIGTERM");
			await server?.ended;
			server = await startServer({ ...desk, ...(main && { main }) });
		},
		/** Joins by the form without script, and reads the email. */
		async join(email: string) {
			const before = desk.kept.length;
			expect((await post(JOIN_PATH, { email })).status).toBe(201);
			await expect.poll(() => desk.kept.length, soon).toBe(before + 1);
			const { text = "", messageId } = await readLetter(desk.kept.at(-1)!);
			const path = (part: string) =>
				new RegExp(`https://orbit.example(/${part}/\\S+)`).exec(text)![1]!;
			return { messageId, confirm: path("confirm"), leave: path("leave") };
		},
		consent: async (email: string) => (await desk.json(`find ${email}`)).consent,
	};
}

const ISO = expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/);
const VERSION = expect.stringMatching(/^[\da-f]{12}$/);

describe(`consent on ${kind}`, () => {
	it("is in `find --json` with what was shown, after an edit of the words and in each copy", async () => {
		const desk = await open(kind);
		await desk.serve();
		const ada = await desk.join("Ada@example.com");
		expect((await desk.post(ada.confirm)).status).toBe(200);
		const before = await desk.run("find ada@example.com --json");
		await desk.serve(await buildWith("Hello!"));
		const bob = await desk.join("bob@example.com");
		expect((await desk.post(bob.confirm)).status).toBe(200);

		expect(await desk.run("find ada@example.com --json")).toEqual(before);
		const consent = await desk.consent("ADA@example.com");
		expect(JSON.parse(before.stdout).registration).toMatchObject({
			...{ email: "Ada@example.com", joinedAt: ISO, source: "landing-page" },
			terms: `${brand.legalEffectiveDate} ${consent.form.version}`,
		});
		const words = JSON.parse(await readFile(join("dist", SHOWN_WORDS_FILE), "utf8"));
		expect(consent).toMatchObject({
			form: { version: VERSION, kind: "form", said: words.form },
			legal: expect.arrayContaining([
				expect.objectContaining({ kind: "terms", said: words.terms }),
				expect.objectContaining({ kind: "privacy", said: words.privacy }),
			]),
			asked: { at: ISO, times: 1, id: ada.messageId?.slice(1, 33) },
			confirmed: { at: ISO, by: "button", page: { said: words.confirm } },
			left: [],
			isBack: false,
			complained: false,
		});
		const { title } = emailsByKind.confirm({ confirmUrl: "" });
		expect(consent.asked.words.said).toContain(`\n${title}\n`);
		const after = await desk.consent("bob@example.com");
		const said = [after.form, ...after.legal, after.confirmed.page].map((words) => words.said);
		expect(said.map((words) => words.split(" ")[0])).toEqual(said.map(() => "Hello!"));
		expect(after.asked.words.said).toContain(`\nHello! ${title}\n`);
		// Each wording is kept once.
		expect((await everythingIn(desk)).wordings).toHaveLength(2 * 5);
		expect(before.stdout).not.toMatch(/127\.0\.0\.1|::1/);

		await desk.json("backup today.db");
		const backup = { ...desk.env, DATABASE_URL: `file:${join(desk.folder, "today.db")}` };
		const copied = await runCommand(desk.folder, ["find", "ada@example.com", "--json"], {
			env: backup,
		});
		expect(copied).toEqual(before);

		expect((await desk.post(bob.leave)).status).toBe(200);
		expect((await desk.post(bob.confirm)).status).toBe(200);
		expect(await desk.consent("bob@example.com")).toMatchObject({
			left: [{ at: ISO, by: "one-click" }],
			isBack: true,
		});
		await desk.post(bob.leave, { [LEAVE_FIELD]: leaveActions.stop });
		expect(await desk.consent("bob@example.com")).toMatchObject({
			left: [{ at: ISO, by: "button" }],
			isBack: false,
		});
	});
});
