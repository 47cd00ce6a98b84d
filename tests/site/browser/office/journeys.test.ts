/** @module-tag slow */
/*
 * A day in the office in every engine, by its links and buttons, on the built server with a real mail
 * server. Screenshots to look at: node_modules/.cache/office/day-*.png.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { engineNames, openEngine } from "../../../../bench/harness/browsers/engines.ts";
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
		const words = async (selector: string) =>
			String(await ask(`document.querySelector(${JSON.stringify(selector)})?.textContent`));
		// WebKit's driver loses some clicks, most often the first ones on a page that a click has opened.
		async function click(selector: string, until: string): Promise<void> {
			const done = async () => {
				if ((await ask(until)) === true) return true;
				await browser.click(selector).catch(() => {});
				return ask(until);
			};
			await expect.poll(done, { interval: 1000, message: until }).toBe(true);
		}
		const on = (heading: string) => `document.querySelector("h1")?.textContent === "${heading}"`;
		const room = (path: string, heading: string) => click(`.rooms a[href="${path}"]`, on(heading));
		async function fill(selector: string, text: string): Promise<void> {
			await click(selector, `document.activeElement.matches("${selector}")`);
			await browser.type(text);
		}

		await browser.open((await desk.json("office")).link as string);
		expect(await words("h1")).toBe("Good to see you");
		await click("main button", on("Today"));
		expect(await words(".tally .large")).toBe("30");
		await mkdir(pictures, { recursive: true });
		await writeFile(`${pictures}/day-${name}.png`, await browser.photograph());

		await room("/list", "List");
		await fill(".find input", "P7@EXAMPLE.com");
		await click(".find button", on("P7@Example.com"));
		await click(
			`form[action$="/send"] button`,
			"document.querySelector('[role=status]')?.textContent.includes('Their mark is gone.')",
		);

		await room("/letters", "Letters");
		await click(`a[href="/letters/new"]`, on("New wave"));
		await fill("#name", "beta-1");
		await fill("#size", "3");
		await click("form.new-wave button", on("beta-1"));
		expect(await words(".shown")).toContain("Your invitation to Orbit");
		expect(await desk.read("SELECT 1 FROM wave")).toEqual([]);
		await click("[name=no-imprint]", "document.querySelector('[name=no-imprint]').checked");
		await click(".confirm button", on("Letters"));
		await expect.poll(() => words(".wave h3")).toContain("beta-1");
		await expect.poll(async () => (await desk.counts("beta-1")).accepted).toBe(3);

		await room("/audit", "Audit");
		const done = await ask("[...document.querySelectorAll('tbody th')].map(it => it.textContent)");
		expect(done).toEqual(
			expect.arrayContaining(["wave confirmed", "mark of a crowd removed", "signed in"]),
		);
		await click(".leave button", on("Sign in"));
		await browser.open(`${url}/list`);
		expect(await words("h1")).toBe("Sign in");
	},
);
