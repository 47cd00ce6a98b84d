import type { IncomingMessage } from "node:http";
import type { Network } from "../settings/networks.ts";
import { membership, plainAddress } from "./client-address.ts";

/**
 * Makes browsers use TLS only, for two years (RFC 6797). It covers this host alone: the landing page
 * cannot know whether all of the company's subdomains have TLS.
 */
export const STRICT_TRANSPORT_SECURITY = "max-age=63072000";

/** Whether a request reached our proxy by TLS. */
export type IsEncrypted = (incoming: IncomingMessage) => boolean;

/**
 * The server itself speaks plain HTTP, so only a proxy can know: `X-Forwarded-Proto` is believed from
 * a trusted one. Without TLS the header must not be sent (RFC 6797, 7.2), and on localhost it would
 * lock developers out of every other program there.
 */
export function encryption(trustedProxies: readonly Network[]): IsEncrypted {
	const isTrusted = membership(trustedProxies);
	return ({ socket, headers }) => {
		if (headers["x-forwarded-proto"] !== "https") return false;
		const peer = plainAddress(socket.remoteAddress ?? "");
		return peer !== undefined && isTrusted(peer);
	};
}
