import { createMeter } from "../../http/meter.ts";
import type { Rate } from "../../settings/rates.ts";
import { DAY_MS } from "../../time.ts";

/** Requests with the links of one person: they press a few buttons, and scanners open each link. */
const REQUESTS: Rate = { count: 60, periodMs: 600_000 };

/**
 * How often a person who left may come back. Leaving is never limited, and each time that they leave
 * after they came back is one more line in the file of proofs.
 */
const RETURNS: Rate = { count: 3, periodMs: DAY_MS };

/** Limits what the person of a genuine link can repeat. */
export interface LinkLimits {
	/**
	 * Counts a request of a person, or their return, unless it came too soon.
	 *
	 * @param recipient the id in the link
	 * @returns whole seconds after which the next one is counted; 0 if this one was
	 */
	request(recipient: string): number;
	comeBack(recipient: string): number;
}

/** Counts in memory, by person. */
export function createLinkLimits(): LinkLimits {
	const limit = (rate: Rate) => {
		const meter = createMeter(rate);
		return (recipient: string) => {
			const nowMs = performance.now();
			const waitMs = meter.waitMs(recipient, nowMs);
			if (waitMs === 0) meter.count(recipient, nowMs);
			return Math.ceil(waitMs / 1000);
		};
	};
	return { request: limit(REQUESTS), comeBack: limit(RETURNS) };
}
