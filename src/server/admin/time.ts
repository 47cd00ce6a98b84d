import { type Html, html } from "../html.ts";
import { shownTime } from "../time.ts";

/** A time as the founder reads it: `2026-11-23 22:14 UTC`. */
export function timeAsHtml(iso: string): Html {
	return html`<time datetime="${iso}">${shownTime(iso)}</time>`;
}
