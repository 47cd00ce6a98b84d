let at = 0;
let text = "";

/**
 * The wall clock as the waitlist and the log write it: ISO 8601 in UTC, with milliseconds. The text
 * is kept for as long as it is true, because writing it takes 2 to 6 µs, twice for each join.
 */
export function timestamp(): string {
	const now = Date.now();
	if (now !== at) {
		at = now;
		text = new Date(now).toISOString();
	}
	return text;
}
