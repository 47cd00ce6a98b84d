/** The retention periods of the Privacy Policy. CLI commands help to keep them. */

/** Maximum on the waitlist. */
export const waitlistMonths = 24;

/** Maximum after the invitation was sent. */
export const invitedDays = 90;

/** Until the server forgets a visitor's IP address, after their last request. */
export const addressHours = 24;

/** Until a backup is destroyed, and with it the last copy of an erased address. */
export const backupDays = 35;

/** Lifetime of a confirmation link. */
export const confirmDays = 7;
