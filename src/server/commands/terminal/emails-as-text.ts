import type { Backlog } from "../../mail/rate/backlog.ts";
import type { Pause } from "../../mail/rate/pauses.ts";
import { UNTIL_RELEASED } from "../../mail/rate/pauses.ts";
import { type Throttled, throttledAsText } from "../../mail/rate/throttle.ts";
import { shownTime } from "../../time.ts";
import { number } from "./command.ts";

/** Says why no email goes out, and what helps. */
export function pauseAsText({ until, reason }: Pause): string {
	if (until === UNTIL_RELEASED) return `No email goes out until \`waitlist resume\`. ${reason}`;
	return (
		`No email goes out until ${shownTime(until)}. ${reason} ` +
		"See `waitlist check --mail`; `waitlist resume` tries again at once."
	);
}

/** Says how many emails wait, and until when. */
export function backlogAsText({ kinds, oldest, lastAt }: Backlog): string[] {
	if (oldest === null) return [];
	const byKind = kinds.map(({ kind, letters }) => `${number(letters)} ${kind}`).join(", ");
	const last =
		lastAt === null ? "" : ` At today's rate the last one goes out on ${shownTime(lastAt)}.`;
	return [`Emails that wait: ${byKind}, the oldest since ${shownTime(oldest)}.${last}`];
}

/** Says what goes out slowly, and what ends that. */
export function slowedAsText(slowed: readonly Throttled[]): string[] {
	if (slowed.length === 0) return [];
	return [
		...slowed.map(throttledAsText),
		"They speed up by themselves as good addresses follow, or at once by `waitlist resume`.",
	];
}

/** The state of a wave. */
export const stateAsText = (state: string) => (state === "cancelled" ? "canceled" : state);
