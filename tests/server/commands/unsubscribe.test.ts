import { describe, expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { openEmailDesk } from "./letter-desk.ts";

const cluster = usePostgres();

const ADA = "ada@example.com";
const BOB = "bob@example.com";

describe(`unsubscribe on ${kind}`, () => {
	it("ends the emails to people who asked, and their record says that we did it", async () => {
		const { join, json, letters, run, send } = await openEmailDesk(kind, cluster());
		await join("Ada@Example.com", BOB);
		expect(await json(`unsubscribe ADA@example.com`)).toEqual({
			unsubscribed: 1,
			unchanged: [],
			notFound: [],
		});
		expect(await letters()).toEqual([`${ADA} refused`, `${BOB} waiting`]);
		await join(ADA);
		expect(await send()).toEqual([BOB]);
		const { leavings: left } = await json(`find ${ADA}`);
		expect(left).toMatchObject([{ by: "request" }]);
		expect((await run(`find ${ADA}`)).stdout).toContain(
			`Left on ${left[0].at}, on request, by us.`,
		);
	});

	it("changes nothing for a person who left before, and ends with 3 for one not on the list", async () => {
		const { join, leave, json, run } = await openEmailDesk(kind, cluster());
		await join(ADA);
		await leave(ADA);
		const { code, stdout } = await run(`unsubscribe ${ADA} nobody@example.com`);
		expect(code).toBe(3);
		expect(stdout).toMatch(
			/Unsubscribed: 0\nNothing done for ada@example.com: unsubscribed on .*\nNot on the waitlist: nobody@example.com/,
		);
		expect((await json(`find ${ADA}`)).leavings).toMatchObject([{ by: "button" }]);
	});
});
