import { domainToASCII, domainToUnicode } from "node:url";

/** IDNA ToASCII; returns "" on failure. Rejects fake Punycode such as `xn--a.example`, which Node 26 accepts. */
export function asciiDomain(domain: string): string {
	const ascii = domainToASCII(domain);
	return /(?:^|\.)xn--/.test(domainToUnicode(ascii)) ? "" : ascii;
}
