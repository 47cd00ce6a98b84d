import type { IncomingMessage } from "node:http";
import type { Network } from "../settings.ts";
import { membership, plainAddress } from "./client-address.ts";

/**
 * For two years browsers come back with TLS only (RFC 6797). It binds this host alone: whether all
 * of a company's subdomains can keep that promise, its landing page cannot know.
 */
export const STRICT_TRANSPORT_SECURITY = "max-age=63072000";

/** Whether a request came to us, or to the proxy in front of us, by TLS. */
export type IsEncrypted = (incoming: IncomingMessage) => boolean;

/**
 * The server speaks plain HTTP, so only a proxy can know: `X-Forwarded-Proto` is believed when one
 * of ours wrote it. Without TLS the header must not be sent (RFC 6797, 7.2), and on localhost it
 * would lock a developer out of every other program there.
 */
export function encryption(trustedProxies: readonly Network[]): IsEncrypted {
	const isTrusted = membership(trustedProxies);
	return ({ socket, headers }) => {
		if (headers["x-forwarded-proto"] !== "https") return false;
		const peer = plainAddress(socket.remoteAddress ?? "");
		return peer !== undefined && isTrusted(peer);
	};
}
