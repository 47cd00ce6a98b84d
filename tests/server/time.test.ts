import { describe, expect, it } from "vitest";
import { latest, monthsBefore, parseTime } from "../../src/server/time.ts";

describe("the time so many months ago", () => {
	it.each([
		["2026-11-22T10:30:00.123Z", 24, "2024-11-22T10:30:00.123Z"],
		// Months that have no such day: nobody is erased before their time.
		["2024-03-31T12:00:00.000Z", 1, "2024-02-29T12:00:00.000Z"],
		["2024-02-29T12:00:00.000Z", 12, "2023-02-28T12:00:00.000Z"],
	])("of %s, %i months, is %s", (now, months, then) => {
		expect(monthsBefore(new Date(now), months)).toBe(then);
	});
});

describe("a time that the operator writes", () => {
	it.each([
		["2024-02-29", "2024-02-29T00:00:00.000Z"],
		["2026-11-22 10:30+02:00", "2026-11-22T08:30:00.000Z"],
		["2026-02-30", undefined],
		["2026-06-31T10:00Z", undefined],
		["0000-01-01T00:00+10:00", undefined],
	])("%s is %s", (text, time) => {
		expect(parseTime(text)).toBe(time);
	});
});

describe("the days of a zone", () => {
	it.each([
		["that loses an hour", "2026-03-29T10:00:00Z", 23],
		["that gains an hour", "2026-10-25T10:00:00Z", 25],
		["like any other", "2026-06-01T10:00:00Z", 24],
	])("follow each other without a gap: a day %s", (_, now, hours) => {
		const days = latest("day", 3, new Date(now), "Europe/Berlin");
		expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ to }) => to));
		const { name, from, to } = days.at(-1)!;
		expect(name).toBe(now.slice(0, 10));
		expect((Date.parse(to) - Date.parse(from)) / 3_600_000).toBe(hours);
	});
});
