/** What the Privacy Policy promises about time (promise 33). The operator's command helps to keep it. */

/** Months that a registration stays on the waitlist, at most. */
export const waitlistMonths = 24;

/** Days after their invitation went out that a registration stays, at most. */
export const invitedDays = 90;

/** Hours after a visitor's last request in which the server forgets their IP address. */
export const addressHours = 24;

/** Days until a backup is destroyed, and with it the last copy of an erased address. */
export const backupDays = 35;

/** Days in which the link of a letter that asks for confirmation works. */
export const confirmDays = 7;
