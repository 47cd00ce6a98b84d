import { LEAST_SECRET_CHARACTERS, Unusable } from "./unusable.ts";

/* No message repeats the value: anyone who knows a chat's webhook address can post there. */

export interface WebhookSettings {
	url: string;
	/** One secret, or two while the receiver changes from one to the other; each in base64. */
	secrets: readonly string[];
}

export function parseHook(text: string): string {
	if (URL.canParse(text)) {
		const { protocol, hostname, username, password, hash, href } = new URL(text);
		const isLoopback = /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);
		const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback);
		if (isSafe && username === "" && password === "" && hash === "") return href;
	}
	throw new Unusable(
		"must be a whole address by https, without a user, a password or a #, as in " +
			"https://hooks.example/path; http is for this machine alone, as in http://127.0.0.1:4000/",
	);
}

/** Names an address without its path, which may be all that keeps others from posting. */
export const describeHook = (url: string) => `${new URL(url).origin}/… (hidden)`;

export function parseWebhookSecrets(text: string): string[] {
	const secrets = text.split(",").map((secret) => /^whsec_(.*)$/.exec(secret.trim())?.[1] ?? "");
	const isSecret = (base64: string) => {
		const bytes = Buffer.from(base64, "base64");
		// Node skips characters that are not base64, and a receiver may not. 24 to 64 bytes by Standard
		// Webhooks 1.0.
		return bytes.toString("base64") === base64 && bytes.length >= 24 && bytes.length <= 64;
	};
	if (secrets.length <= 2 && secrets.every(isSecret)) return secrets;
	throw new Unusable(
		"must be whsec_ and the base64 of 24 to 64 bytes, as " +
			'echo "whsec_$(openssl rand -base64 32)" prints one, or two of them with a comma between them',
	);
}

export function parseSecret(text: string): string | undefined {
	if (text === "") return undefined;
	if (text.length >= LEAST_SECRET_CHARACTERS) return text;
	throw new Unusable(
		`must be a secret of at least ${LEAST_SECRET_CHARACTERS} characters, as openssl rand -hex 32 makes one`,
	);
}

/** Parses one API key, or two while the product's server changes from one to the other. */
export function parseApiKeys(text: string): string[] {
	if (text === "") return [];
	const keys = text.split(",").map((key) => key.trim());
	const isKey = (key: string) => key.length >= LEAST_SECRET_CHARACTERS && /^[!-~]+$/.test(key);
	if (keys.every(isKey) && keys.length <= 2) return keys;
	throw new Unusable(
		`must be one secret of at least ${LEAST_SECRET_CHARACTERS} characters, as openssl rand -hex 32 makes one, ` +
			"or two with a comma between them, each of letters, digits and signs of ASCII",
	);
}
