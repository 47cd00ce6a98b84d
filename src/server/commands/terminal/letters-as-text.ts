import type { Backlog } from "../../mail/rate/backlog.ts";
import type { Pause } from "../../mail/rate/pauses.ts";
import { UNTIL_RELEASED } from "../../mail/rate/pauses.ts";
import { type Throttled, throttledAsText } from "../../mail/rate/throttle.ts";
import { shownTime } from "../../time.ts";
import { number } from "./command.ts";

/** Says to the operator why nothing is sent, and what helps. */
export function pauseAsText({ until, reason }: Pause): string {
	if (until === UNTIL_RELEASED) return `Nothing is sent until \`waitlist release\`. ${reason}`;
	return (
		`Nothing is sent until ${shownTime(until)}. ${reason} ` +
		"See `waitlist check --mail`, and `waitlist release` to go on sooner."
	);
}

/** Says to the operator how many letters wait, and until when. */
export function backlogAsText({ kinds, oldest, lastAt }: Backlog): string[] {
	if (oldest === null) return [];
	const byKind = kinds.map(({ kind, letters }) => `${number(letters)} ${kind}`).join(", ");
	const last =
		lastAt === null ? "" : ` At today's rate the last one goes out on ${shownTime(lastAt)}.`;
	return [`Letters that wait: ${byKind}; the oldest was asked for on ${shownTime(oldest)}.${last}`];
}

/** Says to the operator what goes out slowly, and what ends that. */
export function slowedForOperator(slowed: readonly Throttled[]): string[] {
	if (slowed.length === 0) return [];
	return [
		...slowed.map(throttledAsText),
		"They are faster again by themselves as good letters go out, or by `waitlist release`.",
	];
}

/** Why Apple's relay refuses a letter, and what helps. */
export const REGISTER_WITH_APPLE =
	"privaterelay.appleid.com takes letters only from senders that are registered with Apple: add yours " +
	"at developer.apple.com (Sign in with Apple for Email Communication), then `waitlist retry` these addresses.";

/** Says to the operator how many letters wait for a word from them. */
export function heldAsText(held: number): string {
	return `letters held until \`waitlist release --held\`: ${number(held)}`;
}
