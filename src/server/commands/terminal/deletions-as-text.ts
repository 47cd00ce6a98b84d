import type { Found } from "../../mail/people/find-person.ts";
import { printableLine } from "../../text/printable.ts";

/** Says when a person was deleted, and why. */
export function deletionsAsText({ deletions, deletionsUnknown }: Found): string[] {
	const unknown = `The suppression list could not be read. ${deletionsUnknown}`;
	return [
		...deletions.map(({ at, reason }) => `Deleted on ${at}: ${printableLine(reason)}.`),
		...(deletionsUnknown === undefined ? [] : [unknown]),
	];
}
