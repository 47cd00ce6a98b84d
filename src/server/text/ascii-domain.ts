import { domainToASCII, domainToUnicode } from "node:url";

/**
 * IDNA ToASCII, or "". Since Node 26, `domainToASCII` accepts labels that only look like Punycode, as in
 * `a@xn--a.example`.
 */
export function asciiDomain(domain: string): string {
	const ascii = domainToASCII(domain);
	return /(?:^|\.)xn--/.test(domainToUnicode(ascii)) ? "" : ascii;
}
