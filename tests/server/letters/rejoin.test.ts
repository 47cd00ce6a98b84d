import { describe, expect, it } from "vitest";
import { JOIN_PATH, SOURCE, TRAP_FIELD } from "#shared/join.ts";
import { LETTER_PATH } from "#shared/letters.ts";
import { kind } from "../../given/kind.ts";
import { startServer } from "../../server-process.ts";
import { openDesk } from "../operator/desk.ts";
import { type DatabaseKind, usePostgres } from "../waitlist/databases.ts";
import { openMailDesk } from "../waves/mail-desk.ts";

const cluster = usePostgres();

const ADA = "ada@example.com";
/** Two networks. */
const OWNER = "198.51.100.7";
const STRANGER = "203.0.113.1";

/** A server that takes two joins by address without a flag. */
async function open(kind: DatabaseKind) {
	const desk = await openMailDesk(kind, cluster());
	Object.assign(desk.env, {
		TRUSTED_PROXIES: "127.0.0.1",
		WAITLIST_ADDRESS_LIMIT: "2/12h",
	});
	const { url } = await startServer(desk);
	const post = (path: string, from: string, fields: Record<string, string>) =>
		fetch(new URL(path, url), {
			method: "POST",
			headers: { "x-forwarded-for": from },
			body: new URLSearchParams(fields),
		});
	const join = async (email: string, from: string, fields = {}) =>
		(await post(JOIN_PATH, from, { email, source: SOURCE, ...fields })).status;
	return {
		...desk,
		join,
		/** A stranger joins people until the next one is flagged. */
		async useUpLimit() {
			for (const n of [1, 2]) await join(`other-${n}@example.com`, STRANGER);
		},
		askForLink: (email: string, from: string) => post(LETTER_PATH, from, { email }),
		/** The flag of a person, and how many emails were asked for. */
		async known(email: string) {
			const { registration, letters = [] } = await desk.json(`find ${email}`);
			const asks = letters.map(({ asks }: { asks: number }) => asks);
			return { flags: registration.flags, asks };
		},
		arrivedAt: (email: string) => desk.kept.filter(({ to }) => to === email).length,
	};
}

describe(`joining again on ${kind}`, () => {
	it("clears the flag of the hidden field, and brings the confirmation email once", async () => {
		const { arrivedAt, join, known } = await open(kind);
		expect(await join(ADA, STRANGER, { [TRAP_FIELD]: "x" })).toBe(201);
		expect(await known(ADA)).toEqual({ flags: "trap", asks: [] });
		expect(await join("Ada@Example.com", OWNER)).toBe(409);
		expect(await known(ADA)).toEqual({ flags: "", asks: [1] });
		await expect.poll(() => arrivedAt(ADA), { interval: 20 }).toBe(1);
		expect(await join(ADA, OWNER)).toBe(409);
		expect(await known(ADA)).toEqual({ flags: "", asks: [1] });
	});

	it("clears the flag of a crowd, but not from beyond the limit or with the hidden field filled", async () => {
		const { arrivedAt, join, known, useUpLimit } = await open(kind);
		await useUpLimit();
		expect(await join(ADA, STRANGER)).toBe(201);
		expect(await join(ADA, STRANGER)).toBe(409);
		expect(await join(ADA, OWNER, { [TRAP_FIELD]: "x" })).toBe(409);
		expect(await known(ADA)).toEqual({ flags: "crowd", asks: [] });
		expect(await join(ADA, OWNER)).toBe(409);
		expect(await known(ADA)).toEqual({ flags: "", asks: [1] });
		await expect.poll(() => arrivedAt(ADA), { interval: 20 }).toBe(1);
	});

	it("clears no flag that the founder gave by hand", async () => {
		const { join, json, known, arrivedAt } = await open(kind);
		await join(ADA, OWNER, { [TRAP_FIELD]: "x" });
		await json(`flag --remove ${ADA}`);
		await json(`flag ${ADA}`);
		expect(await join(ADA, OWNER)).toBe(409);
		expect(await known(ADA)).toEqual({ flags: "hand", asks: [] });
		expect(arrivedAt(ADA)).toBe(0);
	});

	it("emails nobody who unsubscribed while flagged", async () => {
		const { join, json, known } = await open(kind);
		await join(ADA, STRANGER, { [TRAP_FIELD]: "x" });
		await json(`unsubscribe ${ADA}`);
		expect(await join(ADA, OWNER)).toBe(409);
		expect(await known(ADA)).toEqual({ flags: "", asks: [] });
	});
});

describe(`asking for a new link on ${kind}`, () => {
	it("clears the flag of an earlier join, and brings the confirmation email", async () => {
		const { arrivedAt, askForLink, join, known, useUpLimit } = await open(kind);
		await useUpLimit();
		await join(ADA, STRANGER);
		expect((await askForLink(ADA, STRANGER)).status).toBe(429);
		expect(await known(ADA)).toEqual({ flags: "crowd", asks: [] });
		for (const _ of [1, 2]) expect((await askForLink(ADA, OWNER)).status).toBe(200);
		expect(await known(ADA)).toEqual({ flags: "", asks: [1] });
		await expect.poll(() => arrivedAt(ADA), { interval: 20 }).toBe(1);
	});
});

describe(`a server without email on ${kind}`, () => {
	const webhook = {
		WAITLIST_WEBHOOK_URL: "http://127.0.0.1:1",
		WAITLIST_WEBHOOK_SECRET: `whsec_${"A".repeat(44)}`,
	};

	it.each([{}, webhook])(
		"clears the flag of an earlier join as well, with %o",
		async (settings) => {
			const { env, folder, json } = await openDesk(kind, cluster());
			const { url } = await startServer({ folder, env: { ...env, ...settings } });
			const join = async (fields = {}) => {
				const body = new URLSearchParams({ email: ADA, source: SOURCE, ...fields });
				return (await fetch(new URL(JOIN_PATH, url), { method: "POST", body })).status;
			};
			const flags = async () => (await json(`find ${ADA}`)).registration.flags;
			expect([await join({ [TRAP_FIELD]: "x" }), await flags()]).toEqual([201, "trap"]);
			expect([await join(), await flags()]).toEqual([409, ""]);
		},
	);
});
