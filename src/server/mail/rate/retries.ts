import { MINUTE_MS } from "../../time.ts";

/** When the mail server puts an email off, it is tried again after this time, then after twice as long each time. */
const FIRST_MS = 5 * MINUTE_MS;

/** After so many attempts, the last one 3.6 days after the first, an email is refused. */
export const MOST_ATTEMPTS = 11;

/** @param random between 0 and 1: emails that were put off together do not come back together */
export const retryMs = (attempts: number, random: number) =>
	Math.round(FIRST_MS * 2 ** (attempts - 1) * (0.75 + random / 2));
