import { brand } from "#brand";

// What the pages say in large letters. The build fits the fallback fonts to it.

/** The headline's lines above the changing word. */
export const headlineLines = ["Email, but", `make it ${brand.product}`] as const;

export const congratulations = "Congratulations!";

/** Always the same (promise 4): the page says nothing about the visitor. */
export const position = "24,986";

/** Above and below the position. */
export const remarks = ["Your spot on the waitlist is", "We'll be in touch soon"] as const;
