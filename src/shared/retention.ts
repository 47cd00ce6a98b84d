/** The retention periods of the Privacy Policy. */

/** Maximum time on the waitlist. */
export const waitlistRetentionMonths = 24;

/** Maximum time after the invitation was sent. */
export const invitedRetentionDays = 90;

/** Maximum time that the server remembers a visitor's IP address after their last request. */
export const ipAddressRetentionHours = 24;

/** Time until a backup is destroyed, and with it the last copy of a deleted address. */
export const backupRetentionDays = 35;

export const confirmationLinkDays = 7;
