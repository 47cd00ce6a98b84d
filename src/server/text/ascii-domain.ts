import { domainToASCII, domainToUnicode } from "node:url";

/**
 * IDNA ToASCII for a domain, alike on every Node: since Node 26, `domainToASCII` passes a label on that
 * only looks like Punycode, so that `a@xn--a.example` would be an address on one Node and none on another.
 */
export function asciiDomain(domain: string): string {
	const ascii = domainToASCII(domain);
	// What cannot be decoded stays as it is.
	return /(?:^|\.)xn--/.test(domainToUnicode(ascii)) ? "" : ascii;
}
