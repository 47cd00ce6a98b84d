export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** Formats as ISO 8601 in UTC with milliseconds. Caps the year at 9999: later years do not sort as text. */
export const isoOf = (ms: number) => new Date(Math.min(ms, LATEST_MS)).toISOString();

export const daysAfter = (ms: number, days: number) => isoOf(ms + days * DAY_MS);

const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Parses a time to ISO 8601; a day becomes its start. Uses `zone` unless the text names one. */
export function parseTime(text: string, zone = "UTC"): string | undefined {
	if (!TIME.test(text)) return undefined;
	const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10));
	const dated = text.length === 10 ? `${text}T00:00` : text.replace(" ", "T");
	const time = Date.parse(hasZone ? dated : `${dated}Z`);
	if (Number.isNaN(time) || !isDay(text.slice(0, 10))) return undefined;
	return isoOf(hasZone || zone === "UTC" ? time : utcOf(time, offsetIn(zone)));
}

/** Rejects February 30, which JavaScript parses as March 2. */
export function isDay(text: string): boolean {
	const time = new Date(`${text}T00:00Z`);
	return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 10) === text;
}

/** Returns the latest credible time: clocks of two machines differ by less than a minute. */
export const latestCredibleTime = (now: Date) => isoOf(now.getTime() + MINUTE_MS);

/** Falls back to a shorter month's last day: one month before March 31 is February 28 or 29. */
export function monthsBefore(now: Date, months: number): string {
	const time = new Date(now);
	time.setUTCMonth(time.getUTCMonth() - months);
	if (time.getUTCDate() !== now.getUTCDate()) time.setUTCDate(0);
	return time.toISOString();
}

/** Cached, because building a format takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function zoneName(timeZone: string, timeZoneName: "longOffset" | "short") {
	const id = `${timeZone} ${timeZoneName}`;
	const format = formats.get(id) ?? new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName });
	formats.set(id, format);
	return (time: number) =>
		format.formatToParts(time).find(({ type }) => type === "timeZoneName")!.value;
}

function offsetIn(zone: string): (time: number) => number {
	const nameAt = zoneName(zone, "longOffset");
	return (time) => {
		const name = nameAt(time);
		const [sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(name)?.slice(1) ?? ["+", 0, 0];
		return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
	};
}

/** Converts local time to UTC. `wall` is the local clock's reading, in ms as if it were UTC. */
const utcOf = (wall: number, offset: (time: number) => number) =>
	wall - offset(wall - offset(wall));

let shownZone = "UTC";

export function setShownTimeZone(zone: string): void {
	shownZone = zone;
}

export function shownTime(iso: string): string {
	const time = Date.parse(iso);
	const wall = isoOf(time + offsetIn(shownZone)(time));
	return `${wall.slice(0, 10)} ${wall.slice(11, 16)} ${zoneName(shownZone, "short")(time)}`;
}

/** `Nov 27`, or `Nov 27, 2025` in another year. */
export function shortDay(day: string, now: Date): string {
	const isThisYear = day.startsWith(shownTime(now.toISOString()).slice(0, 4));
	const year = isThisYear ? undefined : "numeric";
	const options = { timeZone: "UTC", year, month: "short", day: "numeric" } as const;
	return new Date(day).toLocaleDateString("en-US", options);
}

/** `20:23` today, `Nov 27, 20:23` on other days. */
export function shortTime(iso: string, now: Date): string {
	const [day, time] = shownTime(iso).split(" ") as [string, string];
	const isToday = shownTime(now.toISOString()).startsWith(day);
	return isToday ? time : `${shortDay(day, now)}, ${time}`;
}

export interface DayPeriod {
	name: string;
	from: string;
	to: string;
}

export function latestDays(count: number, now: Date, zone = shownZone): DayPeriod[] {
	const offset = offsetIn(zone);
	// Local time written as if it were UTC, where every day has 24 hours.
	const local = now.getTime() + offset(now.getTime());
	const today = local - (local % DAY_MS);
	return Array.from({ length: count }, (_, n) => {
		const wall = today - (count - 1 - n) * DAY_MS;
		const [from, to] = [utcOf(wall, offset), utcOf(wall + DAY_MS, offset)];
		return { name: isoOf(wall).slice(0, 10), from: isoOf(from), to: isoOf(to) };
	});
}
