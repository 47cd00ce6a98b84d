/** @module-tag slow */
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { type ReportProvider, reportPath } from "#shared/letters.ts";
import { postEmail, startServer } from "../../../server-process.ts";
import { each } from "../../each.ts";
import { ERASURE_KEY } from "../../operator/desk.ts";
import { openLetterDesk } from "../../operator/letter-desk.ts";
import { type DatabaseKind, usePostgres } from "../../waitlist/databases.ts";
import { MAIL } from "../../waves/wave-desk.ts";
import { byMailgun, byPostmark, byResend, type Posted, secrets } from "./providers.ts";
import { mailgun, postmark, resend } from "./samples.ts";

const cluster = usePostgres();

/** How many are reported, and how many of these are complaints. */
const [people, complaints] = [10_000, 200];

/** Joins for which the quiet server is timed, before and after. */
const JOINS = 2000;

/** How many join at the same time. */
const CROWD = 8;

const emailOf = (n: number) => `person-${n}@site-${n}.example`;
const letterOf = (n: number) => `${1_000_000 + n}`.padStart(32, "0");

/** A list whose letters have all gone out, and its server. */
async function open(kind: DatabaseKind) {
	const desk = await openLetterDesk(kind, cluster());
	Object.assign(desk.env, { ...MAIL, ...secrets, WAITLIST_GLOBAL_LIMIT: "0" });
	if (kind === "SQLite") Object.assign(desk.env, { WAITLIST_ERASURE_KEY: ERASURE_KEY });
	const numbers = `WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < ${people - 1})`;
	const email = "'person-' || n || '@site-' || n || '.example'";
	const time = "'2026-01-01T00:00:00.' || substr(CAST(1000 + n % 1000 AS TEXT), 2) || 'Z'";
	await desk.read(`INSERT INTO registration (email_key, email, source, created_at, terms)
		${numbers} SELECT ${email}, ${email}, 'fair', ${time}, '' FROM n`);
	const { randomId } = await desk.inDatabase(async ({ dialect }) => dialect);
	await desk.read(
		`INSERT INTO recipient (email_key, id) ${numbers} SELECT ${email}, ${randomId} FROM n`,
	);
	await desk.read(`INSERT INTO letter (kind, wave, email_key, id, state, code, asked_at, next_at, ended_at)
		${numbers} SELECT 'confirm', '', ${email}, '${"0".repeat(25)}' || (1000000 + n), 'accepted', '250',
			${time}, ${time}, ${time} FROM n`);
	const server = await startServer(desk);
	let joined = 0;
	return {
		desk,
		server,
		/** A crowd joins, for as long as it is to. Gives how long each waited, in ms, the longest last. */
		async join(goesOn: (joins: number) => boolean) {
			const times: number[] = [];
			const one = async () => {
				while (goesOn(times.length)) {
					const start = performance.now();
					const { status } = await postEmail(server.url, `join-${joined++}@example.com`);
					expect(status).toBe(201);
					times.push(performance.now() - start);
				}
			};
			await Promise.all(Array.from({ length: CROWD }, one));
			return times.sort((a, b) => a - b);
		},
		/** Posts as a provider does, which tries again. */
		async post(provider: ReportProvider, make: () => Posted) {
			for (const call = make(); ; await wait(200)) {
				const { headers, body } = provider === "mailgun" ? make() : call;
				const url = new URL(reportPath(provider), server.url);
				const { status } = await fetch(url, { method: "POST", headers, body });
				if (status === 200) return;
				expect(status).toBe(503);
			}
		},
	};
}

/** Server, database and all who call may share two cores, so that calls which change nothing cost as well. */
const MOST = 6;

it.each<DatabaseKind>(["SQLite", "PostgreSQL"])(
	`${people} reports delay no join on %s`,
	async (kind) => {
		const { desk, join, post } = await open(kind);
		const all = Array.from({ length: people }, (_, n) => n);
		/** The crowd joins until all of these calls are answered. */
		const joinBeside = async (call: (n: number) => Promise<void>) => {
			let answered = 0;
			const calling = each(all, async (n) => {
				await call(n);
				answered += 1;
			});
			const times = await join(() => answered < people);
			await calling;
			return times;
		};
		await join((joins) => joins < JOINS);
		const before = await join((joins) => joins < JOINS);
		const idle = await joinBeside((n) =>
			post("mailgun", () => byMailgun(mailgun.delivery({ email: emailOf(n) }))),
		);
		const beside = await joinBeside((n) => {
			const about = { email: emailOf(n), letter: letterOf(n) };
			if (n % (people / complaints) === 0) {
				return post("resend", () => byResend(resend.complaint(about)));
			}
			if (n % 2 === 0) return post("postmark", () => byPostmark(postmark.bounce(about)));
			return post("mailgun", () => byMailgun(mailgun.bounce(about)));
		});
		const after = await join((joins) => joins < JOINS);
		const counts = await desk.json("stats");
		expect(counts.people).toMatchObject({ bounced: people - complaints, left: complaints });
		const alone = [...before, ...after].sort((a, b) => a - b);
		const p99 = (times: number[]) => times[Math.floor(times.length * 0.99)]!;
		const ratio = (times: number[]) => p99(times) / p99(alone);
		console.log(
			`${kind}: the p99 of joins beside ${people} reports is ${ratio(beside).toFixed(2)} times that of ` +
				`joins alone; beside as many calls that change nothing ${ratio(idle).toFixed(2)} times`,
		);
		expect(ratio(beside)).toBeLessThan(MOST);
	},
);
