import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { brand } from "#brand";
import { ACTION_FIELD, linkActions } from "#shared/links.ts";
import { SHOWN_WORDS_FILE } from "#shared/shown-words.ts";
import { emailWordsByKind } from "../../../src/server/mail/templates/email-words.ts";
import { kind } from "../../given/kind.ts";
import { startServer } from "../../server-process.ts";
import { openMailSetup } from "../waves/mail-setup.ts";
import { runCommand } from "./command-setup.ts";

const ISO = expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/);
const VERSION = expect.stringMatching(/^[\da-f]{12}$/);

it(`consent on ${kind} is in find --json with the texts shown, and in every copy`, async () => {
	const setup = await openMailSetup(kind);
	const server = await startServer(setup);
	const post = (path: string, fields: Record<string, string> = {}) =>
		fetch(new URL(path, server.url), { method: "POST", body: new URLSearchParams(fields) });
	const consentOf = async (email: string) => (await setup.json(`find ${email}`)).consent;
	const ada = await setup.joinAndRead(server.url, "Ada@example.com");
	expect((await post(ada.confirm)).status).toBe(200);
	const before = await setup.run("find ada@example.com --json");
	const consent = await consentOf("ADA@example.com");
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
		unsubscribes: [],
		isBack: false,
		complained: false,
	});
	const { title } = emailWordsByKind.confirm({ confirmUrl: "" });
	expect(consent.asked.words.said).toContain(`\n${title}\n`);
	expect(before.stdout).not.toMatch(/127\.0\.0\.1|::1/);
	const inText = async (options: string) =>
		(await setup.run(`find ada@example.com${options}`)).stdout.includes(title);
	expect([await inText(""), await inText(" --texts")]).toEqual([false, true]);

	await setup.json("backup today.db");
	const backup = { ...setup.env, DATABASE_URL: `file:${join(setup.folder, "today.db")}` };
	const copied = await runCommand(setup.folder, ["find", "ada@example.com", "--json"], {
		env: backup,
	});
	expect(copied).toEqual(before);

	expect((await post(ada.unsubscribe)).status).toBe(200);
	expect((await post(ada.confirm)).status).toBe(200);
	expect(await consentOf("ada@example.com")).toMatchObject({
		unsubscribes: [{ at: ISO, by: "one-click" }],
		isBack: true,
	});
	await post(ada.unsubscribe, { [ACTION_FIELD]: linkActions.stop });
	expect(await consentOf("ada@example.com")).toMatchObject({
		unsubscribes: [{ at: ISO, by: "button" }],
		isBack: false,
	});
});
