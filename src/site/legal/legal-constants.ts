import { backupDays, waitlistMonths } from "#shared/retention.ts";

/** Every number and place that the legal texts state, once each. The prose holds no figure itself. */
export const legalConstants = {
	/** Years: terms and privacy (SPEC section 9). */
	minimumAge: 13,

	/** The cap is the greater of this amount and what was paid in the months below (SPEC section 9). */
	liabilityCapDollars: 100,
	/** SPEC section 9. */
	liabilityCapMonths: 12,

	/** From the notice of a dispute to the first day of arbitration (SPEC section 9). */
	informalResolutionDays: 30,
	/** From the first acceptance of the terms (SPEC section 9). */
	arbitrationOptOutDays: 30,
	/** Up to here, small-claims court is open and arbitration fees are paid back (SPEC section 9). */
	smallClaimsDollars: 10_000,

	/** SPEC section 9. */
	governingLaw: "Delaware",
	/** SPEC section 9. */
	venue: "California",

	/** Our own promises, which the operator's command helps to keep. */
	waitlistMonths,
	backupDays,

	/** Time to answer a Californian's request: Cal. Civ. Code § 1798.130(a)(2)(A). */
	californiaAnswerDays: 45,
} as const;
