import { expect, it } from "vitest";
import type { Tx } from "../../../src/server/database/sql.ts";
import { createJoinWriter } from "../../../src/server/mail/emails/requests.ts";
import { createWordingKeeper, createWordings } from "../../../src/server/registrations/wordings.ts";
import { readPeople } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { readRows } from "../../given/rows.ts";
import { createTestDatabase, openWaitlistDatabase } from "./databases.ts";
import { registrationOf } from "./waitlist-contract.ts";

const shown = { form: "Join", terms: "Terms", privacy: "Privacy", confirm: "Confirm" };

it("a changed legal text changes the version of the form", () => {
	const { form } = createWordings(shown);
	expect(form.version).toMatch(/^[\da-f]{12}$/);
	expect(createWordings({ ...shown }).form).toEqual(form);
	for (const changed of ["form", "terms", "privacy"] as const) {
		expect(createWordings({ ...shown, [changed]: "Other" }).form.version).not.toBe(form.version);
	}
});

it(`wordings are stored once, before a process's first join, or before the next after a failure: ${kind}`, async () => {
	const { settings } = await createTestDatabase(kind);
	const server = await openWaitlistDatabase(settings);
	let calls = 0;
	const all: Tx["all"] = async (statement) => {
		calls += 1;
		if (calls === 1) throw new Error("locked");
		return server.all(statement);
	};
	const keep = createWordingKeeper({ all }, createWordings(shown).all);
	const joining = (email: string) =>
		createJoinWriter(server, { asks: false, keep }).add([registrationOf(email)]);
	await expect(joining("ada@example.com")).rejects.toThrow("locked");
	expect(await readPeople(server)).toEqual([]);
	expect(await joining("ada@example.com")).toEqual(["ada@example.com"]);
	await Promise.all([joining("bob@example.com"), joining("eve@example.com")]);
	expect(calls).toBe(2);
	const kept = await readRows(server, "wordings");
	expect(kept).toHaveLength(4);
	await createWordingKeeper(server, createWordings(shown).all, () => new Date("2099-01-01"))();
	expect(await readRows(server, "wordings")).toEqual(kept);
	await server.close();
});
