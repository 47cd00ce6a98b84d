import { isIP } from "node:net";
import { connect } from "node:tls";

/** The certificate that visitors of an origin are shown. */
export type Certificate =
	| {
			/** When it ends, ISO 8601. */
			until: string;
			/** Why browsers refuse it, in words; absent where they take it. */
			refused?: string;
	  }
	/** Why none was seen, in words. */
	| { unseen: string };

const TIMEOUT_MS = 3000;

/** Words of Node's and OpenSSL's, as people read them. */
const IN_WORDS: Readonly<Record<string, string>> = {
	ENOTFOUND: "its name is not in DNS",
	EAI_AGAIN: "DNS did not answer",
	ECONNREFUSED: "nothing listens at its port",
	ECONNRESET: "it broke the connection off",
	ETIMEDOUT: "it did not answer",
	EHOSTUNREACH: "no way leads there from this server",
	ENETUNREACH: "no way leads there from this server",
	CERT_HAS_EXPIRED: "it has expired",
	CERT_NOT_YET_VALID: "it is not valid yet",
	DEPTH_ZERO_SELF_SIGNED_CERT: "it has signed itself",
	SELF_SIGNED_CERT_IN_CHAIN: "whoever signed it is unknown",
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "whoever signed it is unknown",
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificates between it and a known one are missing",
	ERR_TLS_CERT_ALTNAME_INVALID: "it is for another name",
};

/** A word of the machine behind words of ours, to search for; alone where we have none. */
const inWords = (code: string) =>
	Object.hasOwn(IN_WORDS, code) ? `${IN_WORDS[code]} (${code})` : code;

/** How long what was found holds. What was not found is looked for again sooner. */
const KEEP_MS = 3_600_000;
const KEEP_UNSEEN_MS = 60_000;

/** Looks at the certificate of an origin, by a handshake alone: nothing is asked for. */
export function lookAtCertificate(origin: string): Promise<Certificate> {
	const { hostname, port } = new URL(origin);
	const host = hostname.replace(/^\[|\]$/g, "");
	return new Promise((resolve) => {
		const socket = connect({
			host,
			port: Number(port || 443),
			timeout: TIMEOUT_MS,
			...(isIP(host) ? {} : { servername: host }),
			// One that browsers refuse has an end as well, and its reason is shown.
			rejectUnauthorized: false,
		});
		const end = (certificate: Certificate) => {
			socket.destroy();
			resolve(certificate);
		};
		socket.once("secureConnect", () => {
			const { valid_to } = socket.getPeerCertificate();
			const until = new Date(valid_to).toISOString();
			const { authorizationError: refused } = socket;
			end({ until, ...(refused ? { refused: inWords(String(refused)) } : {}) });
		});
		socket.once("timeout", () => end({ unseen: "it did not answer" }));
		socket.once("error", (error: NodeJS.ErrnoException) => {
			end({ unseen: inWords(error.code ?? error.message) });
		});
	});
}

/**
 * Keeps what was seen of a certificate for an hour. Nobody waits for a handshake: it is asked for in
 * the background, and the next page shows it.
 *
 * @returns undefined where nothing is known yet
 */
export function watchCertificate(
	look: () => Promise<Certificate>,
	now: () => number = () => performance.now(),
): () => Certificate | undefined {
	let known: { certificate: Certificate; at: number } | undefined;
	let looking = false;
	return () => {
		const keepMs = known && "unseen" in known.certificate ? KEEP_UNSEEN_MS : KEEP_MS;
		if (!looking && (!known || now() - known.at >= keepMs)) {
			looking = true;
			void look()
				.then((certificate) => {
					known = { certificate, at: now() };
				})
				.finally(() => {
					looking = false;
				});
		}
		return known?.certificate;
	};
}
