import type { Found } from "../../mail/people/find-person.ts";
import { printableLine } from "../../printable.ts";

/** Says when a person was erased, and why. */
export function erasuresAsText({ erasures, erasuresUnknown }: Found): string[] {
	const unknown = `Erasures could not be looked up. ${erasuresUnknown}`;
	return [
		...erasures.map(({ erasedAt, reason }) => `Erased on ${erasedAt}: ${printableLine(reason)}.`),
		...(erasuresUnknown === undefined ? [] : [unknown]),
	];
}
