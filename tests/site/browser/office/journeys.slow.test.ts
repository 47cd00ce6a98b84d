/*
 * A day in the office in every engine, by its links and buttons, on the built server with a real mail
 * server. Screenshots to look at: node_modules/.cache/office/day-*.png.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import {
	engineNames,
	openEngine,
	PATIENCE_MS,
} from "../../../../bench/harness/browsers/engines.ts";
import { openOfficeDesk } from "../../../server/office/office-desk.ts";
import { usePostgres } from "../../../server/waitlist/databases.ts";
import { pictures } from "./rooms.ts";

const cluster = usePostgres();

test.each(engineNames)(
	"in %s she signs in, finds a person, sends a wave, reads what was done, and signs out",
	async (name) => {
		const { desk, url } = await openOfficeDesk("SQLite", cluster());
		await desk.people(30);
		await desk.read("UPDATE registration SET flags = 'crowd' WHERE email_key = 'p7@example.com'");
		const browser = await openEngine(name, { graphics: "processor" });
		onTestFinished(() => browser.close());
		const ask = (expression: string) => browser.evaluate(expression).catch(String);
		async function comes(heading: string): Promise<void> {
			await expect.poll(() => ask("document.querySelector('h1')?.textContent")).toBe(heading);
			// WebKit's driver loses some clicks after a page that a click has opened.
			await browser.click("h1");
		}
		const words = async (selector: string) =>
			String(await ask(`document.querySelector(${JSON.stringify(selector)})?.textContent`));
		const room = (path: string) => browser.click(`.rooms a[href="${path}"]`);
		async function fill(selector: string, text: string): Promise<void> {
			await browser.click(selector);
			await browser.type(text);
		}

		await browser.open((await desk.json("office")).link as string);
		await comes("Good to see you");
		await browser.click("main button");
		await comes("Today");
		expect(await words(".tally .large")).toBe("30");
		await mkdir(pictures, { recursive: true });
		await writeFile(`${pictures}/day-${name}.png`, await browser.photograph());

		await room("/list");
		await comes("List");
		await fill(".find input", "P7@EXAMPLE.com");
		await browser.click(".find button");
		await comes("P7@Example.com");
		await browser.click(`form[action$="/send"] button`);
		await expect.poll(() => words("[role=status]")).toContain("Their mark is gone.");

		await room("/letters");
		await comes("Letters");
		await browser.click(`a[href="/letters/new"]`);
		await comes("New wave");
		await fill("#name", "beta-1");
		await fill("#size", "3");
		await browser.click("form.new-wave button");
		await comes("beta-1");
		expect(await words(".shown")).toContain("Your invitation to Orbit");
		expect(await desk.read("SELECT 1 FROM wave")).toEqual([]);
		await browser.click("[name=no-imprint]");
		await browser.click(".confirm button");
		await comes("Letters");
		await expect.poll(() => words(".wave h3")).toContain("beta-1");
		await expect.poll(async () => (await desk.counts("beta-1")).accepted).toBe(3);

		await room("/audit");
		await comes("Audit");
		const done = await ask("[...document.querySelectorAll('tbody th')].map(it => it.textContent)");
		expect(done).toEqual(
			expect.arrayContaining(["wave confirmed", "mark of a crowd removed", "signed in"]),
		);
		await expect
			.poll(
				async () => {
					await browser.click(".leave button").catch(() => {});
					return ask("document.querySelector('h1')?.textContent");
				},
				{ interval: 1000 },
			)
			.toBe("Sign in");
		await browser.open(`${url}/list`);
		await comes("Sign in");
	},
	PATIENCE_MS,
);
