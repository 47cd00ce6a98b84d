/** What the visitor reads in the end, to the letter (promises 16, 17 and 19). */
export const thanks = "Thanks! You've been added to the waitlist. We'll be in touch soon! ✨";
export const again = "We see you. We see your inbox chaos. We got you, stay tuned! ✨";
export const failed = "Failed to join waitlist. Please try again.";
