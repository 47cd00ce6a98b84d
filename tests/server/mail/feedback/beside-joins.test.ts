/** @module-tag slow */
import { expect, it } from "vitest";
import { JOIN_PATH, SOURCE } from "#shared/join.ts";
import { given, peopleOf } from "../../../given/given.ts";
import { each } from "../../each.ts";
import { type DatabaseKind, usePostgres } from "../../registrations/databases.ts";
import { ACCEPTED, openFeedback } from "./open-feedback.ts";
import { byMailgun, byPostmark, byResend, feedbackOf, secrets } from "./providers.ts";
import { mailgun, postmark, resend } from "./samples.ts";

const cluster = usePostgres();

const REPORTS = 5000;
const COMPLAINTS = 100;

/** People who join at the same time. */
const CROWD = 8;

it.each<DatabaseKind>(["SQLite", "PostgreSQL"])(
	`while ${REPORTS} reports arrive people go on joining, on %s`,
	async (kind) => {
		const { ask, database, post } = await openFeedback(kind, cluster(), {
			env: {
				...feedbackOf(secrets),
				WAITLIST_ADDRESS_LIMIT: "0",
			},
		});
		const all = Array.from({ length: REPORTS }, (_, n) => ({
			email: `person-${n}@site-${n}.example`,
			letter: `${n}`.padStart(32, "0"),
		}));
		await given.people(
			database,
			all.map(({ email }) => ({ email, confirmed: "" })),
		);
		await given.emails(
			database,
			all.map(({ email: to, letter: id }) => ({ to, id, state: "accepted", code: "250" })),
		);
		let isDone = false;
		let joined = 0;
		async function joinOn() {
			while (!isDone) {
				const body = JSON.stringify({ email: `join-${joined++}@example.com`, source: SOURCE });
				const headers = { "content-type": "application/json" };
				expect((await ask(JOIN_PATH, { method: "POST", headers, body })).status).toBe(201);
			}
		}
		const joining = Array.from({ length: CROWD }, joinOn);
		await each(all, async (about, n) => {
			if (n % (REPORTS / COMPLAINTS) === 0) {
				expect(await post("resend", byResend(resend.complaint(about)))).toBe(ACCEPTED);
			} else if (n % 2 === 0) {
				expect(await post("postmark", byPostmark(postmark.bounce(about)))).toBe(ACCEPTED);
			} else expect(await post("mailgun", byMailgun(mailgun.bounce(about)))).toBe(ACCEPTED);
		});
		isDone = true;
		await Promise.all(joining);
		const people = await peopleOf(database);
		expect(people.filter(({ bounced }) => bounced)).toHaveLength(REPORTS - COMPLAINTS);
		expect(people.filter(({ unsubscribed }) => unsubscribed)).toHaveLength(COMPLAINTS);
		// 20 reports arrive at a time: joins would fall far behind if each waited for all of them.
		expect(joined).toBeGreaterThan(REPORTS / 20);
		console.log(`${kind}: ${joined} joins beside ${REPORTS} reports`);
	},
);
