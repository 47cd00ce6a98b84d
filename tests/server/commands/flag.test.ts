import { describe, expect, it } from "vitest";
import { change, peopleOf } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { openLetterDesk } from "./letter-desk.ts";

const cluster = usePostgres();

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";

describe(`a flag on ${kind}`, () => {
	it("is given by hand to those without a mark, and removed from anybody", async () => {
		const desk = await openLetterDesk(kind, cluster());
		await desk.join("Ada@Example.com", BOB);
		await change(desk, "people", { flag: "honeypot" }, { key: BOB });
		const flags = async () => (await peopleOf(desk)).map(({ flag }) => flag);
		expect(await desk.json(`flag ADA@example.com ${BOB}`)).toEqual({
			flagged: 1,
			unchanged: [{ email: BOB, reason: "they have a mark already." }],
			notFound: [],
		});
		expect(await flags()).toEqual(["operator", "honeypot"]);
		expect(await desk.json("stats")).toMatchObject({ flagged: 2, burst: 0 });
		const { code, stdout } = await desk.run(`flag --remove ${ADA} ${BOB} nobody@example.com`);
		expect(stdout).toContain("marks taken back: 2");
		expect(stdout).toContain("Not on the waitlist: nobody@example.com");
		expect(code).toBe(3);
		expect(await flags()).toEqual(["", ""]);
	});

	it("holds the email that asks to confirm until it is released", async () => {
		const { join, json, run, send } = await openLetterDesk(kind, cluster());
		await join(ADA, BOB, EVE);
		await run(`flag ${ADA} ${BOB}`);
		expect(await send()).toEqual([EVE]);
		await run(`flag --remove ${ADA}`);
		expect(await send()).toEqual([]);
		expect(await json(`release ${ADA}`)).toMatchObject({ letGo: 1 });
		expect(await send()).toEqual([ADA]);
		await run("release --flagged");
		expect(await send()).toEqual([BOB]);
	});
});
