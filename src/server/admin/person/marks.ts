import { printableLine } from "../../printable.ts";

/** Marks as people read them, beside the person. */
const NAMES: Readonly<Record<string, string>> = {
	honeypot: "filled the honeypot",
	burst: "in a burst",
	operator: "flagged by hand",
};

/** What a mark says, in a few words; one that an import brought in is shown as it is. */
export const markAsText = (mark: string) =>
	Object.hasOwn(NAMES, mark) ? NAMES[mark]! : printableLine(mark);
