/** What the Privacy Policy promises about time, and the operator's command helps to keep. */

/** Months that an address stays on the waitlist, at most. */
export const waitlistMonths = 24;

/** The age in days at which a backup is destroyed, and with it the last copy of an erased address. */
export const backupDays = 35;
