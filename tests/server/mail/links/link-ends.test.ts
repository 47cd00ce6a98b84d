import { expect, it } from "vitest";
import { readLetter } from "../../../../bench/harness/mail-server.ts";
import { postEmail } from "../../../server-process.ts";
import { openAdmin } from "../../admin/open-admin.ts";
import { usePostgres } from "../../registrations/databases.ts";
import { openMailDesk } from "../../waves/mail-desk.ts";

/* Programs that turn text into links cut some characters off their ends, and add others. */

const cluster = usePostgres();

const after = [".", ">", ")", "/", ").", "%3E", "%22", ",", "*"];

it("a link in an email ends with a letter or a digit, and works with punctuation after it", async () => {
	const desk = await openMailDesk("SQLite", cluster());
	const server = await desk.start();
	await postEmail(server.url, "ada@example.com");
	await expect.poll(() => desk.kept.length, { interval: 20 }).toBe(1);
	const { text = "" } = await readLetter(desk.kept[0]!);
	for (const [link] of text.matchAll(/https:\/\/\S+/g)) {
		expect(link).toMatch(/[a-z\d]$/i);
		const { pathname } = new URL(link);
		for (const end of after) {
			for (const method of ["GET", "POST"]) {
				const answer = await fetch(`${server.url}${pathname}${end}`, { method });
				expect([link + end, answer.status]).toEqual([link + end, 200]);
			}
		}
	}
});

it("a sign-in link ends with a letter or a digit, and works with punctuation after it", async () => {
	const { get, link } = await openAdmin("SQLite", cluster());
	for (let n = 0; n < 100; n++) expect(await link()).toMatch(/[a-z\d]$/i);
	for (const end of after) {
		const path = `${await link()}${end}`;
		expect([path, (await get(path)).status]).toEqual([path, 200]);
	}
});
