/** ms of a day. */
export const DAY_MS = 86_400_000;

/**
 * So many days after a time in ms since 1970, or before it where there are fewer than none.
 *
 * @returns ISO 8601 in UTC with milliseconds
 */
export function daysAfter(ms: number, days: number): string {
	return new Date(ms + days * DAY_MS).toISOString();
}
