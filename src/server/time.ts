export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** ISO 8601 in UTC with milliseconds, which sorts as text. */
export function isoOf(ms: number): string {
	return new Date(ms).toISOString();
}

/**
 * Days after a time in ms since 1970; a negative number of days leads before it.
 *
 * @returns ISO 8601 in UTC with milliseconds
 */
export function daysAfter(ms: number, days: number): string {
	return new Date(ms + days * DAY_MS).toISOString();
}

/** The fast path of most times of an export: as we write them, on a day that every month has. */
const OURS =
	/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * Parses a day (its first moment) or a date and time.
 *
 * @param zone of a text that names none
 * @returns ISO 8601 in UTC with milliseconds, as registrations have it; undefined for other text
 */
export function parseTime(text: string, zone = "UTC"): string | undefined {
	if (OURS.test(text)) return text;
	if (
		!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(
			text,
		)
	) {
		return undefined;
	}
	const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10));
	const dated = text.length === 10 ? `${text}T00:00` : text.replace(" ", "T");
	const time = Date.parse(hasZone ? dated : `${dated}Z`);
	if (Number.isNaN(time) || !isDay(text.slice(0, 10))) return undefined;
	const iso = isoOf(hasZone || zone === "UTC" ? time : utcOf(time, offsetIn(zone)));
	// A zone may lead beyond year 9999, and only years of four digits sort as text.
	return /^\d{4}-/.test(iso) ? iso : undefined;
}

/** JavaScript reads 30 February as 2 March. */
function isDay(text: string): boolean {
	return new Date(`${text}T00:00Z`).toISOString().startsWith(text);
}

/** Clocks of two machines differ by less than this. A time further ahead is a mistake. */
const CLOCKS_DIFFER_MS = 60_000;

/** The latest time that a registration can have, ISO 8601: whatever is later lies in the future. */
export function latestCredible(now: Date): string {
	return new Date(now.getTime() + CLOCKS_DIFFER_MS).toISOString();
}

/** The same day and time some months earlier, or the last day of a month without that day. */
export function monthsBefore(now: Date, months: number): string {
	const time = new Date(now);
	time.setUTCMonth(time.getUTCMonth() - months);
	if (time.getUTCDate() !== now.getUTCDate()) time.setUTCDate(0);
	return time.toISOString();
}

/** Gives how far a zone is ahead of UTC at a moment, in ms. */
function offsetIn(zone: string): (time: number) => number {
	const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
	return (time) => {
		const name = format.formatToParts(time).find(({ type }) => type === "timeZoneName")!.value;
		const [sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(name)?.slice(1) ?? ["+", 0, 0];
		return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
	};
}

/** The time at which clocks of a zone show `wall`, a local time written as UTC. */
function utcOf(wall: number, offset: (time: number) => number): number {
	return wall - offset(wall - offset(wall));
}

let shownZone = "UTC";

/** Sets the zone of WAITLIST_TIME_ZONE, in which this process shows times to the founder. */
export function showTimesIn(zone: string): void {
	shownZone = zone;
}

/** A time as the founder reads it: `2026-11-21 09:30 UTC`. */
export function shownTime(iso: string): string {
	const time = Date.parse(iso);
	const wall = isoOf(time + offsetIn(shownZone)(time));
	const name = new Intl.DateTimeFormat("en-US", { timeZone: shownZone, timeZoneName: "short" })
		.formatToParts(time)
		.find(({ type }) => type === "timeZoneName")!.value;
	return `${wall.slice(0, 10)} ${wall.slice(11, 16)} ${name}`;
}

/** A day or an hour. */
export interface Bucket {
	name: string;
	/** Its first moment, and the first one after it; ISO 8601. */
	from: string;
	to: string;
}

/** The latest days or hours of a zone, by default the founder's, the current one last. */
export function latest(unit: "day" | "hour", count: number, now: Date, zone = shownZone): Bucket[] {
	const offset = offsetIn(zone);
	const unitMs = unit === "day" ? DAY_MS : 3_600_000;
	/** Local time written as UTC, where every day has 24 hours. */
	const local = (time: number) => time + offset(time);
	const current = Math.floor(local(now.getTime()) / unitMs) * unitMs;
	return Array.from({ length: count }, (_, n) => {
		const wall = current - (count - 1 - n) * unitMs;
		const name = new Date(wall).toISOString();
		return {
			name: unit === "day" ? name.slice(0, 10) : `${name.slice(0, 10)} ${name.slice(11, 13)}:00`,
			from: isoOf(utcOf(wall, offset)),
			to: isoOf(utcOf(wall + unitMs, offset)),
		};
	});
}
