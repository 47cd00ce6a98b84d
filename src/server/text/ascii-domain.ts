import { domainToASCII, domainToUnicode } from "node:url";

/**
 * IDNA ToASCII; returns "" on failure. Rejects fake Punycode labels such as `a@xn--a.example`, which
 * `domainToASCII` accepts since Node 26.
 */
export function asciiDomain(domain: string): string {
	const ascii = domainToASCII(domain);
	return /(?:^|\.)xn--/.test(domainToUnicode(ascii)) ? "" : ascii;
}
