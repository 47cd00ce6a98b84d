/**
 * The origin that `SITE_ORIGIN` names, or nothing where it is not set.
 * @throws Error when it is not an origin
 */
export function readSiteOrigin(text: string | undefined): string {
	if (!text) return "";
	if (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text) return text;
	throw new Error(
		`SITE_ORIGIN is "${text}"; it must be an origin such as https://orbit.example, without a path or a slash at its end.`,
	);
}
