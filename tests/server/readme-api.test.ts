import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { openApp } from "./open-app.ts";

/** The section of README.md that says what the API takes and answers. */
const section = /^## The API\n([\s\S]+?)^## /m.exec(await readFile("README.md", "utf8"))![1]!;

/** What the section sends by a media type. */
const sent = (type: string) => new RegExp(`${type} +(\\S+)`).exec(section)![1]!;

/** What it says is answered with a status, up to where it leaves words out. */
const answered = (status: number) =>
	new RegExp(`^${status} +(\\{.+?)(?:…|  |$)`, "m").exec(section)![1]!;

it("the README's examples are answered as the README says", async () => {
	const { post } = await openApp(
		{ WAITLIST_ADDRESS_LIMIT: "3/1h" },
		{ burst: { count: 1, periodMs: 3_600_000 } },
	);
	const json = sent("application/json");
	const ask = async (body: string, headers: Record<string, string> = {}) => {
		const type = { "content-type": "application/json" };
		const response = await post(body, { ...type, ...headers }, "198.51.100.1");
		return { status: response.status, text: await response.text() };
	};
	const foreign = { origin: "https://elsewhere.example" };
	for (const [status, response] of [
		[201, await ask(json)],
		[409, await ask(json)],
		[400, await ask('{"email":"ada"}')],
		[403, await ask(json, foreign)],
	] as const) {
		expect(response.status).toBe(status);
		expect(response.text).toBe(answered(status).trim());
	}
	const form = { "content-type": "application/x-www-form-urlencoded" };
	const page = await ask(sent(form["content-type"]), form);
	expect(page.status).toBe(409);
	expect(page.text).toContain("We see you");
	const limited = await ask(json);
	expect(limited.status).toBe(429);
	expect(limited.text).toContain(answered(429).trim());
});
