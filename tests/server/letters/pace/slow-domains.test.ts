import { describe, expect, it } from "vitest";
import type { MailAnswer } from "../../../../bench/harness/mail-server.ts";
import { kind } from "../../../given/kind.ts";
import { placeOf, usePostgres } from "../../waitlist/databases.ts";
import { openSender, received, untilSeen } from "../open-sender.ts";

const cluster = usePostgres();

describe(`slow domains on ${kind}`, () => {
	/** A mail server that answers about some recipients only when the test says so. */
	async function open(isSlow: (to: string) => boolean) {
		const kept: (() => void)[] = [];
		const answer = (step: string, to: string) =>
			step === "recipient" && isSlow(to)
				? new Promise<MailAnswer>((resolve) => kept.push(() => resolve(undefined)))
				: undefined;
		const sender = await openSender(await placeOf(kind, cluster()), { answer }, undefined, {
			// A connection takes longer: the test server greets after 100 ms.
			slowMs: 20,
			tryMs: 60_000,
		});
		const letGo = () => {
			for (const go of kept.splice(0)) go();
		};
		return {
			...sender,
			kept,
			letGo,
			/** Lets every email arrive. Returns the most connections that were held. */
			async arriveAll(emails: string[]) {
				let most = 0;
				await expect
					.poll(() => {
						sender.clock.ms += 5000;
						most = Math.max(most, kept.length);
						letGo();
						return received(sender.mailServer).sort();
					}, untilSeen)
					.toEqual([...emails].sort());
				await expect
					.poll(sender.letters, untilSeen)
					.toEqual(emails.map(() => ({ state: "accepted", code: "250", attempts: 1 })));
				return most;
			},
		};
	}

	it("hold two of five connections, lose no try, and keep nobody waiting", async () => {
		const slow = Array.from({ length: 20 }, (_, n) => `visitor-${n}@x${n}.slow.example`);
		const good = Array.from({ length: 10 }, (_, n) => `visitor-${n}@good-${n}.example`);
		const { arriveAll, clock, join, kept, letGo, mailServer } = await open((to) =>
			to.endsWith(".slow.example"),
		);
		await join(...slow);
		await expect.poll(() => kept.length, untilSeen).toBe(5);
		clock.ms += 1;
		await join(...good);
		letGo();
		await expect.poll(() => received(mailServer), untilSeen).toEqual(expect.arrayContaining(good));
		expect(await arriveAll([...slow, ...good])).toBe(2);
	});

	it("silence nobody where the mail server is slow for everybody", async () => {
		const all = Array.from({ length: 12 }, (_, n) => `visitor@site-${n}.example`);
		const { arriveAll, join, kept } = await open(() => true);
		await join(...all);
		await expect.poll(() => kept.length, untilSeen).toBe(5);
		await arriveAll(all);
	});
});
