import { describe, expect, it } from "vitest";
import { readEmail } from "../../../bench/harness/mail-server.ts";
import { kind } from "../../given/kind.ts";
import { postEmail } from "../../server-process.ts";
import type { Run } from "../commands/desk.ts";
import { openWebhookDesk, verify } from "./events-desk.ts";

/** What `check` says of events. */
const eventsOf = async (desk: { run(args: string): Promise<Run> }) =>
	/^. Events: .*$/m.exec((await desk.run("check")).stdout)?.[0];
const eventually = { interval: 20 };

describe(`a webhook on ${kind}`, () => {
	it("gets what happens to a person, by either secret, from the server and from commands", async () => {
		const desk = await openWebhookDesk(kind, undefined, {
			answer: (step, recipient) =>
				step === "recipient" && recipient === "eve@example.com" ? "550 5.1.1 unknown" : undefined,
		});
		const { received, secrets, kept } = desk;
		const server = await desk.start();
		const events = (email: string) =>
			received.flatMap((message) => {
				const [read, again] = secrets.map((secret) => verify(secret, message));
				expect(again).toEqual(read);
				return read!.data.email === email ? read!.type.slice("registration.".length) : [];
			});
		expect((await postEmail(server.url, "Ada@Example.com")).status).toBe(201);
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(409);
		await expect.poll(() => kept.length, eventually).toBe(1);
		const { text = "" } = await readEmail(kept[0]!);
		const press = (name: string) => {
			const link = new URL(new RegExp(`/${name}/\\S+`).exec(text)![0], server.url);
			return fetch(link, { method: "POST", redirect: "manual" });
		};
		await press("confirm");
		await desk.json("invite 1 --wave beta-1 --yes");
		await expect.poll(() => kept.length, eventually).toBe(2);
		const { text: invitation = "" } = await readEmail(kept[1]!);
		const code = /invitation#(\S+)/.exec(invitation)![1]!;
		const { status } = await desk.redeem(server.url, ["ada@example.com", code]);
		expect(status).toBe("redeemed");
		await press("leave");
		const story = ["joined", "confirmed", "invited", "redeemed", "unsubscribed"];
		// An erasure drops what was not delivered.
		await expect.poll(() => events("Ada@Example.com"), eventually).toEqual(story);
		await expect.poll(() => eventsOf(desk)).toBe("✓ Events: 0 wait, 0 were given up");
		await desk.json("import - --format text", "bob@example.com");
		const erasure = await desk.json("delete ada@example.com");
		expect(erasure).toMatchObject({ receipts: [{ told: true }] });
		await expect.poll(() => events("Ada@Example.com"), eventually).toEqual([...story, "deleted"]);
		await expect.poll(() => events("bob@example.com"), eventually).toEqual(["joined"]);
		await postEmail(server.url, "eve@example.com");
		await expect.poll(() => events("eve@example.com"), eventually).toEqual(["joined", "bounced"]);
		await expect.poll(() => eventsOf(desk)).toBe("✓ Events: 0 wait, 0 were given up");
		const log = server.output();
		expect(log).not.toMatch(/ada@|whsec_|\/hook/i);
		expect(log).not.toContain(secrets[0].slice(6, 20));
		const receipt = (await desk.run("delete bob@example.com")).stdout;
		expect(receipt).toContain("told:    the receiver of our events, which had the address");
	});
});
