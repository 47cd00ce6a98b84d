import { type KeyObject, X509Certificate } from "node:crypto";
import type { Call } from "../../http/call.ts";
import type { Admit } from "../../http/limits.ts";
import type { Topic } from "../../settings/feedback.ts";
import { type FeedbackCall, refused } from "./feedback.ts";
import { fetchText } from "./fetch-text.ts";

/** The certificates by which SNS signs. */
export interface Certificates {
	/**
	 * The public key of the certificate at an address. One that is not known is fetched, which counts
	 * as an attempt of whoever named it: nobody has signed for the address yet.
	 */
	keyAt(url: string, call: Call): Promise<KeyObject | FeedbackCall>;
}

/** SNS has one certificate at a time, and a new one now and then. */
const MOST_KNOWN = 4;

/** Certificates on their way. */
const MOST_FETCHING = 4;

/** A certificate has about 2 kB. */
const LIMITS = { mostBytes: 16 * 1024, timeoutMs: 5000 };

const later = (why: string): FeedbackCall => ({ outcome: "later", why });

/** Fetches certificates from the one host that has those of a topic, and keeps a few of them. */
export function openCertificates({ host }: Topic, admit: Admit): Certificates {
	const known = new Map<string, X509Certificate>();
	const fetching = new Map<string, Promise<X509Certificate>>();

	function fetchOnce(url: string): Promise<X509Certificate> {
		const same = fetching.get(url);
		if (same) return same;
		const fetched = fetchText(url, LIMITS)
			.then((text) => new X509Certificate(text))
			.finally(() => fetching.delete(url));
		fetching.set(url, fetched);
		return fetched;
	}

	return {
		async keyAt(url, call) {
			if (!isCertificate(url, host)) return refused("its certificate is of another host");
			let certificate = known.get(url);
			if (!certificate) {
				if (admit(call)) return later("too many certificates are asked for");
				if (fetching.size >= MOST_FETCHING && !fetching.has(url)) {
					return later("too many certificates are asked for");
				}
				try {
					certificate = await fetchOnce(url);
				} catch {
					return later(`the certificate cannot be fetched from ${host}`);
				}
				if (!isValid(certificate)) return refused("its certificate is not valid now");
				known.set(url, certificate);
				if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
			}
			if (!isValid(certificate)) return refused("its certificate is not valid now");
			return certificate.publicKey;
		},
	};
}

/** The whole address has this form: nothing else of the host is believed. */
function isCertificate(url: string, host: string): boolean {
	const name = /^SimpleNotificationService-[\da-zA-Z]{32}\.pem$/;
	const start = `https://${host}/`;
	return url.startsWith(start) && name.test(url.slice(start.length));
}

function isValid({ validFrom, validTo }: X509Certificate): boolean {
	const now = Date.now();
	return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}
