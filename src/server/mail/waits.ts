import type { Wait } from "../database/waits.ts";
import { LEASE_MS } from "./claim-emails.ts";
import { LONGEST_PAUSE_MS } from "./rate/pauses.ts";
import { toSend } from "./rate/queues.ts";
import { longestRetryMs, MOST_ATTEMPTS } from "./rate/retries.ts";

/** In the words of the index of emails to send. Those of a wave wait for its beginning, whenever that is. */
const waiting = [
	`${toSend("requested")} AND state = 'waiting'`,
	`queue IN ('confirmed', 'unconfirmed') AND held = 0 AND state IN ('waiting', 'deferred')
		AND state = 'waiting'
		AND next_at < COALESCE((SELECT min(starts_at) FROM wave WHERE starts_at > $2), '~')`,
];

const untilTry = (longestMs: number, where: string): Wait => ({
	table: "email",
	column: "next_at",
	longestMs,
	where,
});

/** Every time that emails and their sender wait for. */
export const WAITS: readonly Wait[] = [
	...waiting.map((where) => untilTry(LONGEST_PAUSE_MS, where)),
	...Array.from({ length: MOST_ATTEMPTS }, (_, tries) =>
		untilTry(longestRetryMs(tries), `state = 'deferred' AND attempts = ${tries}`),
	),
	{ table: "email", column: "lease_until", longestMs: LEASE_MS, where: "state = 'sending'" },
	{
		table: "outbox",
		column: "paused_until",
		longestMs: LONGEST_PAUSE_MS,
		where: "cause <> 'operator'",
	},
	{ table: "outbox", column: "released_at", longestMs: 0 },
	{ table: "outbox", column: "stepped_at", longestMs: 0 },
];
