/** The retention periods of the Privacy Policy. CLI commands help to keep them. */

/** Maximum months that a registration stays on the waitlist. */
export const waitlistMonths = 24;

/** Maximum days that a registration stays after its invitation was sent. */
export const invitedDays = 90;

/** Hours after a visitor's last request until the server forgets their IP address. */
export const addressHours = 24;

/** Days until a backup is destroyed, and with it the last copy of an erased address. */
export const backupDays = 35;

/** Days that a confirmation link works. */
export const confirmDays = 7;
