import { describe, expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { openLetterDesk } from "./letter-desk.ts";

const cluster = usePostgres();

const ADA = "ada@example.com";
const BOB = "bob@example.com";

describe(`a flag on ${kind}`, () => {
	it("is given by hand to those without a mark, and taken back from anybody", async () => {
		const { join, json, read, run } = await openLetterDesk(kind, cluster());
		await join("Ada@Example.com", BOB);
		await read("UPDATE registration SET flags = 'trap' WHERE email_key = 'bob@example.com'");
		const flags = async () =>
			(await read<{ flags: string }>("SELECT flags FROM registration ORDER BY email_key")).map(
				(row) => row.flags,
			);
		expect(await json(`flag ADA@example.com ${BOB}`)).toEqual({
			flagged: 1,
			unchanged: [{ email: BOB, reason: "they have a mark already." }],
			notFound: [],
		});
		expect(await flags()).toEqual(["hand", "trap"]);
		expect(await json("stats")).toMatchObject({ flagged: 2, crowd: 0 });
		const { code, stdout } = await run(`flag --remove ${ADA} ${BOB} nobody@example.com`);
		expect(stdout).toContain("marks taken back: 2");
		expect(stdout).toContain("Not on the waitlist: nobody@example.com");
		expect(code).toBe(3);
		expect(await flags()).toEqual(["", ""]);
		expect((await run(`flag --remove ${ADA}`)).stdout).toContain(`${ADA}: they have no mark.`);
	});

	it("holds the letter that asks to confirm, until a release lets it go", async () => {
		const { join, json, run, send } = await openLetterDesk(kind, cluster());
		await join(ADA, BOB, "eve@example.com");
		await run(`flag ${ADA} ${BOB}`);
		expect(await send()).toEqual(["eve@example.com"]);
		await run(`flag --remove ${ADA}`);
		expect(await send()).toEqual([]);
		expect(await json(`release ${ADA}`)).toMatchObject({ letGo: 1 });
		expect(await send()).toEqual([ADA]);
		await run("release --flagged");
		expect(await send()).toEqual([BOB]);
	});
});
