/** The retention periods of the Privacy Policy. */

/** Maximum time from the join to the deletion of the record. */
export const waitlistRetentionMonths = 24;

/** Maximum time from the invitation to the deletion of the record. */
export const invitedRetentionDays = 90;

/** Maximum time that the server remembers a visitor's IP address after their last request. */
export const ipAddressRetentionHours = 24;

/** Maximum age of a backup, which may hold the last copy of a deleted address. */
export const backupRetentionDays = 35;

export const confirmationLinkDays = 7;
