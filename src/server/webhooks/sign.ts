import { createHmac, randomBytes } from "node:crypto";

/** Makes a secret for WAITLIST_WEBHOOK_SECRET. */
export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/**
 * Signs a message by Standard Webhooks 1.0, symmetrically (`v1`): once by each secret, so that the
 * receiver can change from one to the other. The time is that of the try, because receivers refuse what
 * was signed more than five minutes ago.
 *
 * @param secrets in base64
 * @param body the very text that is sent
 * @returns the headers to send
 */
export function sign(
	secrets: readonly string[],
	{ id, body, ms }: { id: string; body: string; ms: number },
): Record<string, string> {
	const seconds = Math.floor(ms / 1000);
	const signatures = secrets.map((secret) => {
		const code = createHmac("sha256", Buffer.from(secret, "base64"));
		return `v1,${code.update(`${id}.${seconds}.${body}`).digest("base64")}`;
	});
	return {
		"webhook-id": id,
		"webhook-timestamp": String(seconds),
		"webhook-signature": signatures.join(" "),
	};
}
