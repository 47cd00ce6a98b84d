/** @module-tag slow */
import { expect, it, onTestFinished } from "vitest";
import { startMailServer } from "../../../bench/harness/mail-server.ts";
import { openOutbox } from "../../../src/server/mail/outbox.ts";
import { startSender } from "../../../src/server/mail/sender.ts";
import { createSmtpClient } from "../../../src/server/mail/smtp/smtp.ts";
import { createMetrics } from "../../../src/server/metrics.ts";
import { readSettings } from "../../../src/server/settings.ts";
import { changeRows, given, readEmails } from "../../given/given.ts";
import { type DatabaseKind, openWaitlistDatabase } from "../registrations/databases.ts";
import { openWaveSetup } from "../waves/wave-setup.ts";
import { frequentPolling } from "./open-sender.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = 5;
const STEP_MINUTES = 30;

/** Emails per 24 hours that the provider accepts. The warm-up's last step exceeds it. */
const quota = 40;
const warmUp = "10,20,40,400/1d";
const INVITED = 30;
const JOINED = 5 * quota;

it.each<DatabaseKind>(["SQLite", "PostgreSQL"])(
	`five days with a quota of ${quota} per day, on %s: no duplicates, no lost attempts, and all numbers agree`,
	async (kind) => {
		const setup = await openWaveSetup(kind);
		const start = Date.now() - DAYS * DAY;
		const clock = { ms: start };
		const now = () => clock.ms;
		const taken = new Map<string, number>();
		let probes = 0;
		const mailServer = await startMailServer({
			answer(step, to) {
				// `answer` runs more than once per email, but each email counts once.
				if (step !== "message" || taken.has(to)) return undefined;
				if ([...taken.values()].filter((ms) => ms > clock.ms - DAY).length >= quota) {
					probes += 1;
					return "454 Throttling failure: Daily message quota exceeded";
				}
				taken.set(to, clock.ms);
				return undefined;
			},
		});
		Object.assign(setup.env, {
			SMTP_URL: mailServer.url,
			WAITLIST_SEND_RATE: "0",
			WAITLIST_WARMUP: warmUp,
		});
		const { mail } = readSettings(setup.env, setup.folder, "");
		const server = await openWaitlistDatabase(setup.settings);

		const invited = Array.from({ length: INVITED }, (_, n) => `invited-${n}@site-${n}.example`);
		const joined = Array.from({ length: JOINED }, (_, n) => `joined-${n}@page-${n}.example`);
		const then = new Date(start);
		await given.people(server, invited, { confirmed: then });
		await given.people(server, joined);
		await given.emails(server, joined);
		const wave = await setup.json(`invite ${INVITED} --wave beta-1 --yes`);
		expect(wave.added).toBe(INVITED);
		await changeRows(server, "emails", { nextAttempt: then, queued: then });

		const smtp = await createSmtpClient(mail!);
		const outbox = openOutbox(server, { rate: mail!.rate, warmUp: mail!.warmUp, now });
		const underWay = new Set<string>();
		const causes = new Set<string>();
		let idle = 0;
		const sender = startSender({
			outbox: {
				...outbox,
				async look() {
					const found = await outbox.look();
					if (found.pause) causes.add(found.pause.cause);
					if (!found.due || found.pause) idle += 1;
					return found;
				},
				async turn(tried, ...more) {
					const turn = await outbox.turn(tried, ...more);
					if (tried.length === 0 && turn.emails.length === 0) idle += 1;
					return turn;
				},
			},
			async deliver({ id, email: to }) {
				underWay.add(id);
				const words = { subject: "Hello", text: "Hello", html: "<p>Hello", automatic: false };
				const more = { unsubscribeUrl: "https://orbit.example/unsubscribe/x" };
				const outcome = await smtp.send({ id, to, ...words, ...more });
				underWay.delete(id);
				return { ...outcome, version: "v1" };
			},
			cut: smtp.close,
			connections: 5,
			lookMs: 1,
			log() {},
			now,
		});
		onTestFinished(async () => {
			await sender.close(0);
			smtp.close();
			await server.close();
			await mailServer.stop();
		});
		const days: number[] = [];
		for (let day = 0; day < DAYS; day += 1) {
			const before = taken.size;
			for (let n = 0; n < (24 * 60) / STEP_MINUTES; n += 1, clock.ms += STEP_MINUTES * MINUTE) {
				idle = 0;
				await expect
					.poll(() => idle >= 2 && underWay.size === 0, { ...frequentPolling, interval: 1 })
					.toBe(true);
			}
			days.push(taken.size - before);
		}
		await sender.close(1000);

		// Sending grows daily until the quota stops it, and then uses nearly all of the quota.
		const steps = warmUp.replace("/1d", "").split(",").map(Number);
		for (const [day, count] of days.entries()) {
			expect(count).toBeLessThanOrEqual(Math.min(steps[day] ?? quota, quota) * 1.1);
		}
		expect(days[1]).toBeGreaterThan(days[0]!);
		expect(days[2]).toBeGreaterThan(days[1]!);
		expect(days[4]).toBeGreaterThanOrEqual(quota * 0.8);
		expect((await setup.run("emails")).stdout).toMatch(/^Step 4 of 4 of WAITLIST_WARMUP/m);
		expect([...causes]).toEqual(["quota"]);
		expect(probes).toBeLessThan(10 * taken.size);

		const arrived = mailServer.kept.map(({ to }) => to);
		expect(new Set(arrived).size).toBe(arrived.length);
		expect(arrived).toHaveLength(taken.size);
		const emails = await readEmails(server);
		expect(new Set(emails.map(({ state, attempts }) => `${state} ${attempts}`))).toEqual(
			new Set(["accepted 1", "waiting 0"]),
		);

		const invitations = arrived.filter((to) => to.startsWith("invited")).length;
		const waiting = {
			confirm: JOINED - (arrived.length - invitations),
			invitation: INVITED - invitations,
		};
		const overview = await setup.json("emails");
		const stats = await setup.json("stats");
		const nonZero = (counts: object) =>
			Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
		for (const { waiting: shown } of [overview, stats]) {
			const kinds = shown.kinds.map((row: { kind: string; emails: number }) => [
				...[row.kind, row.emails],
			]);
			expect(Object.fromEntries(kinds)).toEqual(nonZero(waiting));
		}
		expect(stats.invitations.invited).toBe(invitations);
		expect(await setup.counts("beta-1")).toEqual(
			nonZero({ accepted: invitations, waiting: waiting.invitation }),
		);
		const metrics = createMetrics(server, mail);
		const request = new Request("http://localhost/metrics", { headers: { host: "localhost" } });
		const shown = await (await metrics.fetch(request)).text();
		for (const [of, count] of Object.entries(waiting)) {
			expect(shown).toContain(`waitlist_emails_waiting{kind="${of}"} ${count}\n`);
		}
		console.log(`${kind}: ${days.join(", ")} emails a day, ${probes} probes`);
	},
);
