import { addressHours } from "#shared/retention.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time.ts";
import { Unusable } from "./unusable.ts";

/** Requests in each period, at once or spread over it. */
export interface Rate {
	count: number;
	periodMs: number;
}

/** How often visitors may try to join. An undefined rate is no limit. */
export interface Limits {
	/** From one IPv4 address or one IPv6 /64: what a provider gives one customer. */
	address: Rate | undefined;
	/** From one IPv6 /48: what a hosting provider gives one customer. */
	network: Rate | undefined;
	/** Joins beyond these two that are accepted and flagged: from one IPv4 address or one IPv6 /48. */
	burst: Rate | undefined;
	/** From everywhere together. */
	global: Rate | undefined;
}

const unitsMs: Record<string, number> = { s: 1000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Parses a rate, as `20/10m`; 0 is no limit. */
export function parseRate(text: string): Rate | undefined {
	if (text === "0") return undefined;
	const [, count, periods, unit] = /^([1-9]\d{0,8})\/([1-9]\d{0,3})([smhd])$/.exec(text) ?? [];
	if (!count || !periods || !unit) {
		throw new Unusable(
			"must be a number and a period, as in 20/10m for 20 in ten minutes (s, m, h or d), " +
				"or 0 for no limit",
			text,
		);
	}
	return { count: Number(count), periodMs: Number(periods) * unitsMs[unit]! };
}

/** Far above an honest launch: it bounds what a botnet can write in a night. */
const GLOBAL: Rate = { count: 1_000_000, periodMs: HOUR_MS };

/** Parses WAITLIST_ADDRESS_LIMIT. The limiter holds an address for up to two periods: see meter.ts. */
export function parseLimits(text: string): Limits {
	const address = parseRate(text);
	if (!address) return { address, network: undefined, burst: undefined, global: undefined };
	if (2 * address.periodMs > addressHours * HOUR_MS) {
		throw new Unusable(
			`must have a period of ${addressHours / 2} hours at most, because the privacy policy says that ` +
				`IP addresses are forgotten within ${addressHours} hours`,
			text,
		);
	}
	const times = (factor: number) => ({ ...address, count: factor * address.count });
	return { address, network: times(10), burst: times(100), global: GLOBAL };
}

/** Parses WAITLIST_MAIL_WARM_UP: emails a day, step by step, as `200,500,1000/1d`. */
export function parseWarmUp(text: string): readonly number[] | undefined {
	if (text === "") return undefined;
	const [, steps] = /^((?:[1-9]\d{0,8},)*[1-9]\d{0,8})\/1d$/.exec(text.replace(/\s/g, "")) ?? [];
	const counts = steps?.split(",").map(Number);
	if (counts?.every((count, n) => count > (counts[n - 1] ?? 0))) return counts;
	throw new Unusable(
		"must be emails a day that rise from step to step, as in 200,500,1000,2000,5000/1d",
		text,
	);
}
