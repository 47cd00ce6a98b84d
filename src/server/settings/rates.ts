import { addressHours } from "#shared/retention.ts";
import { Unusable } from "./unusable.ts";

/** Requests in each period, at once or spread over it. */
export interface Rate {
	count: number;
	periodMs: number;
}

const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads a rate, as `20/10m`; 0 is no limit.
 *
 * @throws Unusable
 */
export function parseRate(text: string): Rate | undefined {
	if (text === "0") return undefined;
	const [, count, periods, unit] = /^([1-9]\d{0,8})\/([1-9]\d{0,3})([smhd])$/.exec(text) ?? [];
	if (!count || !periods || !unit) {
		throw new Unusable(
			"must be a number and a period, as in 20/10m for 20 in ten minutes (s, m, h or d), " +
				`or 0 for no limit, but it is ${JSON.stringify(text)}`,
		);
	}
	return { count: Number(count), periodMs: Number(periods) * unitsMs[unit]! };
}

/**
 * Reads WAITLIST_MAIL_RAMP: letters a day, step by step, as `200,500,1000/1d`.
 *
 * @throws Unusable
 */
export function parseRamp(text: string): readonly number[] | undefined {
	if (text === "") return undefined;
	const [, steps] = /^((?:[1-9]\d{0,8},)*[1-9]\d{0,8})\/1d$/.exec(text.replace(/\s/g, "")) ?? [];
	const counts = steps?.split(",").map(Number);
	if (counts?.every((count, n) => count > (counts[n - 1] ?? 0))) return counts;
	throw new Unusable(
		"must be letters a day that rise from step to step, as in 200,500,1000,2000,5000/1d, " +
			`but it is ${JSON.stringify(text)}`,
	);
}

/**
 * Reads the rate of one visitor, for which the limiter holds an address for up to two periods: see
 * meter.ts.
 *
 * @throws Unusable
 */
export function parseVisitorRate(text: string): Rate | undefined {
	const rate = parseRate(text);
	if (!rate || 2 * rate.periodMs <= addressHours * unitsMs.h!) return rate;
	throw new Unusable(
		`must have a period of ${addressHours / 2} hours at most, because the privacy policy says that ` +
			`IP addresses are forgotten within ${addressHours} hours, but it is ${JSON.stringify(text)}`,
	);
}
