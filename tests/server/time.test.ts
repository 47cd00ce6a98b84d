import { expect, it, onTestFinished } from "vitest";
import {
	latestDays,
	monthsBefore,
	parseTime,
	setShownTimeZone,
	shortTime,
	shownTime,
} from "../../src/server/time.ts";

it.each([
	["2026-11-22T10:30:00.123Z", 24, "2024-11-22T10:30:00.123Z"],
	// Shorter months end earlier, so that nobody is deleted too early.
	["2024-03-31T12:00:00.000Z", 1, "2024-02-29T12:00:00.000Z"],
	["2024-02-29T12:00:00.000Z", 12, "2023-02-28T12:00:00.000Z"],
])("a time months ago of %s, %i months, is %s", (now, months, then) => {
	expect(monthsBefore(new Date(now), months)).toBe(then);
});

it.each([
	["2024-02-29", "2024-02-29T00:00:00.000Z"],
	["2026-11-22 10:30+02:00", "2026-11-22T08:30:00.000Z"],
	["2026-02-30", undefined],
	["2026-06-31T10:00Z", undefined],
])("a time that the founder writes %s is %s", (text, time) => {
	expect(parseTime(text)).toBe(time);
});

it.each([
	["2026-11-21", "2026-11-20T23:00:00.000Z", "2026-11-21 00:00 GMT+1"],
	["2026-07-21 09:30", "2026-07-21T07:30:00.000Z", "2026-07-21 09:30 GMT+2"],
	["2026-07-21T09:30:15.250Z", "2026-07-21T09:30:15.250Z", "2026-07-21 11:30 GMT+2"],
	// Clocks skip this hour: one hour off is fine, a day is not.
	["2026-03-29T02:30", "2026-03-29T01:30:00.000Z", "2026-03-29 03:30 GMT+2"],
])(
	"a time without a zone is read in the founder's zone, and shown in it: %s",
	(text, time, shown) => {
		setShownTimeZone("Europe/Berlin");
		onTestFinished(() => setShownTimeZone("UTC"));
		expect(parseTime(text, "Europe/Berlin")).toBe(time);
		expect(shownTime(time)).toBe(shown);
	},
);

it.each([
	["20:23", "2026-11-28T20:23Z"],
	["Nov 27, 20:23", "2026-11-27T20:23Z"],
	["Dec 1, 2025, 00:05", "2025-12-01T00:05Z"],
])("times omit the parts that they share with now: %s", (shown, time) => {
	expect(shortTime(time, new Date("2026-11-28T21:00Z"))).toBe(shown);
});

it("a time without a zone is in UTC by default", () => {
	expect(shownTime("2026-11-21T09:30:00.000Z")).toBe("2026-11-21 09:30 UTC");
});

it.each([
	["that loses an hour", "2026-03-29T10:00:00Z", 23],
	["that gains an hour", "2026-10-25T10:00:00Z", 25],
	["like any other", "2026-06-01T10:00:00Z", 24],
])("the days of a zone follow each other without gaps: a day %s", (_, now, hours) => {
	const days = latestDays(3, new Date(now), "Europe/Berlin");
	expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ to }) => to));
	const { name, from, to } = days.at(-1)!;
	expect(name).toBe(now.slice(0, 10));
	expect((Date.parse(to) - Date.parse(from)) / 3_600_000).toBe(hours);
});
