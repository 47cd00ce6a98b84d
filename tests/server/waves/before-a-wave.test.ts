import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { brand } from "#brand";
import { readLastBackup, saveLastBackup } from "../../../src/server/database/notes.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { locateSecrets } from "../../../src/server/secret.ts";
import { readSettings } from "../../../src/server/settings.ts";
import { checkBeforeWave, TEMPLATE_LEGAL_DATE } from "../../../src/server/waves/launch.ts";
import { kind } from "../../given/kind.ts";
import { temporaryFolder } from "../../temporary.ts";
import { failureOf, runCommand, TEST_SECRET } from "../commands/command-setup.ts";
import { MAIL_SETTINGS, openWaveSetup } from "./wave-setup.ts";

const complete = {
	...brand,
	postalAddress: "1 Comet Way, Springfield, CA 90000, USA",
	imprint: ["HRB 1, Hamburg"],
	country: "Germany",
	email: "hello@comet.app",
	signUp: "https://app.comet.app/sign-up",
	legalEffectiveDate: "2026-06-01",
};

const now = new Date("2027-01-01T09:00:00Z");

const ready: Record<string, string> = {
	...MAIL_SETTINGS,
	WAITLIST_MAIL_FROM: "Comet <hello@comet.app>",
	SITE_ORIGIN: "https://comet.app",
	WAITLIST_SECRET: TEST_SECRET,
	WAITLIST_API_KEY: "k".repeat(32),
};

describe("before a wave", () => {
	async function openPoints(
		changes: { facts?: Partial<typeof brand>; env?: Record<string, string>; at?: Date } = {},
	) {
		const folder = await temporaryFolder();
		const settings = readSettings({ ...ready, ...changes.env }, folder, "");
		const database = await openDatabase(settings.database, { create: true });
		onTestFinished(() => database.close());
		await database.transact(saveLastBackup, {
			madeAt: now.toISOString(),
			file: "/backups/today.db",
		});
		const places = locateSecrets(settings, settings.database);
		const operation = { settings, places, now: changes.at ?? now };
		const facts = { ...complete, ...changes.facts };
		const last = await readLastBackup(database);
		const findings = checkBeforeWave(operation, last, "invitation", facts);
		expect(checkBeforeWave(operation, last, "news", facts)).toEqual(
			findings.filter(({ name }) => !/^(sign-up|redeeming)$/.test(name)),
		);
		return findings.filter(({ ok }) => !ok).map(({ name, found }) => `${name}: ${found}`);
	}

	it("no checks fail if everything is set", async () => {
		expect(await openPoints()).toEqual([]);
		const below = { WAITLIST_MAIL_FROM: "hi@news.comet.app", SITE_ORIGIN: "https://www.comet.app" };
		expect(await openPoints({ env: { WAITLIST_MAIL_FROM: below.WAITLIST_MAIL_FROM } })).toEqual([]);
		expect(await openPoints({ env: below })).toEqual([]);
		const facts = { imprint: [], country: "the United States" };
		expect(await openPoints({ facts })).toEqual([]);
	});

	it("shows the fix for each failed check", async () => {
		const points: [Parameters<typeof openPoints>[0], RegExp][] = [
			[{ facts: { postalAddress: "" } }, /^postal address: .* set postalAddress/],
			[{ facts: { imprint: [] } }, /^company registration .*: set imprint in .*, and rebuild$/],
			[
				{ facts: { email: "hello@orbit.example" } },
				/^contact: hello@orbit\.example is a placeholder/,
			],
			[
				{ env: { WAITLIST_MAIL_FROM: "hi@notcomet.app" } },
				/^sender: emails come from notcomet\.app, but link to comet\.app.* these domains \(WAITLIST_MAIL_FROM\)/,
			],
			[{ facts: { legalEffectiveDate: TEMPLATE_LEGAL_DATE } }, /^legal texts: .* have counsel/],
			[{ facts: { legalEffectiveDate: "2999-01-01" } }, /^legal texts: not in effect/],
			[{ facts: { signUp: "" } }, /^sign-up: .*: set signUp in src\/brand\.ts/],
			[{ env: { WAITLIST_API_KEY: "" } }, /^redeeming: .* set WAITLIST_API_KEY/],
			[{ env: { WAITLIST_SECRET: "" } }, /^key kept: none: set WAITLIST_SECRET/],
			[
				{ at: new Date("2027-01-02T12:00:00Z") },
				/^recent backup: \/backups\/today\.db, made on 2027-01-01 09:.* UTC: run `waitlist backup <file>` first$/,
			],
		];
		for (const [changes, sentence] of points) {
			expect(await openPoints(changes)).toEqual([expect.stringMatching(sentence)]);
		}
	});
});

describe(`the list on ${kind}`, () => {
	it("is the same in check --launch and a dry run, and --yes accepts it", async () => {
		const setup = await openWaveSetup(kind);
		await setup.people(2);
		const backup = /^✗ recent backup: none yet: run `waitlist backup <file>` first$/m;
		const listed = await setup.json("invite 2 --wave w --dry-run");
		const { findings } = JSON.parse(
			(await setup.run("check --launch --resolver 127.0.0.1:9 --json")).stdout,
		);
		expect(findings).toEqual(expect.arrayContaining(listed.open));
		expect(listed.open.length).toBeGreaterThan(0);
		const dry = await setup.run("invite 2 --wave w --dry-run");
		expect(dry.stdout).toMatch(backup);

		const { code, stdout } = await setup.run("invite 2 --wave w --yes");
		expect({ code, stdout }).toEqual({
			code: 0,
			stdout: expect.stringMatching(
				/^w: 2 emails added.*\nUnresolved launch checks: \d\. See `waitlist check/,
			),
		});
		await setup.json("backup today.db");
		expect((await setup.run("check --launch --resolver 127.0.0.1:9")).stdout).toContain(
			`✓ recent backup: ${join(setup.folder, "today.db")}, made on 2`,
		);
	});

	it.runIf(brand.postalAddress === "")(
		"refuses a wave without a postal address, unless --no-imprint is used",
		async () => {
			const { env, folder, json, message, people, inWave } = await openWaveSetup(kind);
			await people(1);
			const run = (args: string) => runCommand(folder, args.split(" "), { env });
			const news = `news --wave news --message ${await message("Subject: News\n\nHello")} --yes`;
			for (const args of ["invite 2 --wave w --yes", news]) {
				expect(await failureOf(run(args))).toMatch(
					/^Nothing was sent\. .*\npostal address: .*set postalAddress.*\nTo send anyway, .*--no-imprint\.\n$/,
				);
			}
			expect([await inWave("w"), await inWave("news")]).toEqual([[], []]);
			expect(await run("invite 2 --wave w --dry-run")).toMatchObject({ code: 0 });
			expect(await json("invite 2 --wave w --yes --no-imprint")).toMatchObject({ added: 1 });
			expect(await run("invite 2 --wave w --yes")).toMatchObject({ code: 0 });
		},
	);
});
