import { addressHours, backupDays, invitedDays, waitlistMonths } from "#shared/retention.ts";

/** Every number and place that the legal texts state (promise 39), once each. The prose holds no figure. */
export const legalConstants = {
	/** Years. */
	minimumAge: 13,

	/** The cap is the greater of this amount and what was paid in the months below. */
	liabilityCapDollars: 100,
	liabilityCapMonths: 12,

	/** From the notice of a dispute to the first day of arbitration. */
	informalResolutionDays: 30,
	/** From the first acceptance of the terms. */
	arbitrationOptOutDays: 30,
	/** Claims up to this amount may go to a small-claims court, or have arbitration fees paid back. */
	smallClaimsDollars: 10_000,

	governingLaw: "Delaware",
	venue: "California",

	/** The operator's command helps to keep these (promise 33). */
	waitlistMonths,
	invitedDays,
	backupDays,

	/** The settings of the limits keep this (promise 32). */
	addressHours,

	/** Time to answer a Californian's request: Cal. Civ. Code § 1798.130(a)(2)(A). */
	californiaAnswerDays: 45,
} as const;
