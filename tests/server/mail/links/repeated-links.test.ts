import { describe, expect, it } from "vitest";
import { ACTION_FIELD, linkActions } from "#shared/links.ts";
import { createLinks } from "../../../../src/server/mail/links/links.ts";
import { given } from "../../../given/given.ts";
import { kind } from "../../../given/kind.ts";
import { ERASURE_KEY } from "../../commands/desk.ts";
import type { DatabaseKind } from "../../registrations/databases.ts";
import { openMailDesk } from "../../waves/mail-desk.ts";

const links = createLinks(ERASURE_KEY, { origin: "" });

const personOf = (n: number) => n.toString(16).padStart(32, "0");

/** A server, and so many people who have an email of it. */
async function open(kind: DatabaseKind, people: number) {
	const desk = await openMailDesk(kind);
	const server = await desk.start();
	await given.people(
		desk,
		Array.from({ length: people }, (_, n) => ({ email: `p${n}@example.com`, id: personOf(n) })),
	);
	const post = (path: string, action?: string) =>
		fetch(new URL(path, server.url), {
			method: "POST",
			body: new URLSearchParams(action ? { [ACTION_FIELD]: action } : {}),
		});
	return { post, server };
}

const leavePath = (n: number) => links.unsubscribeUrl(personOf(n));
const confirmPath = (n: number) => links.confirmUrl(personOf(n), Date.now());

describe(`the links of one person on ${kind}`, () => {
	it("are limited in number, but never to leave", async () => {
		const { post, server } = await open(kind, 2);
		const statuses = async (ask: () => Promise<Response>) =>
			new Set((await Promise.all(Array.from({ length: 70 }, ask))).map(({ status }) => status));
		expect(await statuses(() => fetch(new URL(confirmPath(0), server.url)))).toEqual(
			new Set([200, 429]),
		);
		expect(await statuses(() => post(leavePath(0)))).toEqual(new Set([200]));
		expect((await fetch(new URL(leavePath(1), server.url))).status).toBe(200);
		const returns: number[] = [];
		for (let n = 0; n < 4; n++) {
			expect((await post(leavePath(1), linkActions.stop)).status).toBe(200);
			returns.push((await post(leavePath(1), linkActions.comeBack)).status);
		}
		expect(returns).toEqual([200, 200, 200, 429]);
	});
});
