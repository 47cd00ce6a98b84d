import { type Html, html } from "../html.ts";

/** A time as people read it, in UTC: `2026-11-23 22:14 UTC`. */
export function timeAsHtml(iso: string): Html {
	return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}
