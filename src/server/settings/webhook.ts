import { Unusable } from "./unusable.ts";

/* No message repeats the value: whoever knows the address of a chat's webhook can post there. */

/** Where events go, and how they are signed. */
export interface WebhookSettings {
	url: string;
	/** One secret, or two while the receiver changes from one to the other; each in base64. */
	secrets: readonly string[];
}

/** Bytes of a secret, by Standard Webhooks 1.0 ("Signature scheme"). */
const SECRET_BYTES = { least: 24, most: 64 } as const;

/** Parses WAITLIST_DIGEST_URL and WAITLIST_WEBHOOK_URL. */
export function parseHook(text: string): string {
	if (URL.canParse(text)) {
		const { protocol, hostname, username, password, hash, href } = new URL(text);
		const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
		if (isSafe && username === "" && password === "" && hash === "") return href;
	}
	throw new Unusable(
		"must be a whole address by https, without a user, a password or a #, as in " +
			"https://hooks.example/path; http is for this machine alone, as in http://127.0.0.1:4000/",
	);
}

const isLoopback = (hostname: string) =>
	/^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);

/** Parses WAITLIST_WEBHOOK_SECRET. */
export function parseWebhookSecrets(text: string): string[] {
	const secrets = text.split(",").map((secret) => /^whsec_(.*)$/.exec(secret.trim())?.[1] ?? "");
	if (secrets.length <= 2 && secrets.every(isSecret)) return secrets;
	throw new Unusable(
		`must be whsec_ and the base64 of ${SECRET_BYTES.least} to ${SECRET_BYTES.most} bytes, as ` +
			'echo "whsec_$(openssl rand -base64 32)" prints one, or two of them with a comma between them',
	);
}

function isSecret(base64: string): boolean {
	const bytes = Buffer.from(base64, "base64");
	// Node skips what is no base64: only the same text again is what the receiver reads as well.
	if (bytes.toString("base64") !== base64) return false;
	return bytes.length >= SECRET_BYTES.least && bytes.length <= SECRET_BYTES.most;
}

/** Names an address for people, without its path, which may be all that keeps others from posting. */
export function describeHook(url: string): string {
	return `${new URL(url).origin}/… (hidden)`;
}
