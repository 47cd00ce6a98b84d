import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createPrivateFile } from "./files/files.ts";
import { Refusal } from "./refusal.ts";
import { LEAST_SECRET_CHARACTERS } from "./settings/values.ts";
import type { DatabaseSettings, Settings } from "./settings.ts";

export interface SecretLocations {
	secret: string | undefined;
	keyFile: string | undefined;
	file: string | undefined;
}

export function locateSecrets(
	{ secret, suppressionFile }: Pick<Settings, "secret" | "suppressionFile">,
	database: DatabaseSettings,
): SecretLocations {
	const beside = database.kind === "sqlite" ? database.file : undefined;
	return {
		secret,
		keyFile: beside && `${beside}.key`,
		file: suppressionFile ?? (beside && `${beside}.suppressions`),
	};
}

/** Key for the suppression list, links and invitation codes. */
export interface SecretKey {
	secret: string;
	/** 32 hexadecimal digits that reveal nothing about the key. */
	fingerprint: string;
	hashOf: (emailKey: string) => string;
}

export function toSecretKey(secret: string): SecretKey {
	const hashOf = (text: string) => createHmac("sha256", secret).update(text).digest("hex");
	// Differs from every address hash: this text has no at sign.
	return { secret, fingerprint: hashOf("fingerprint of the key").slice(0, 32), hashOf };
}

export async function findKey({
	secret,
	keyFile,
}: SecretLocations): Promise<SecretKey | undefined> {
	if (secret !== undefined) return toSecretKey(secret);
	if (keyFile === undefined || !existsSync(keyFile)) return undefined;
	const text = (await readFile(keyFile, "utf8")).trim();
	if (text.length >= LEAST_SECRET_CHARACTERS) return toSecretKey(text);
	throw new Error(
		`${keyFile} contains no key of at least ${LEAST_SECRET_CHARACTERS} characters: replace it with your saved copy.`,
	);
}

/** Creates the key, or reads the one that another process created first. */
export async function createKeyFile(keyFile: string): Promise<SecretKey> {
	await saveKey(keyFile, randomBytes(32).toString("hex"));
	return (await findKey({ secret: undefined, keyFile, file: undefined }))!;
}

export const saveKey = (keyFile: string, secret: string) =>
	createPrivateFile(keyFile, [`${secret}\n`]);

export function wrongKeyRefusal(
	origin: string,
	key: SecretKey | undefined,
	{ keyFile }: SecretLocations,
): Refusal {
	const found = key
		? `the key here has the fingerprint ${key.fingerprint}`
		: "there is no key here";
	return new Refusal(
		`${origin}, but ${found}. Set WAITLIST_SECRET to the right key` +
			`${keyFile === undefined ? "" : `, or put it into ${keyFile}`}. If it is lost for good, ` +
			"restore a backup with --new-key.",
	);
}

/** Derives a key for one purpose (HKDF, RFC 5869), and truncates its HMACs (RFC 2104, 5). */
export function createSigner(secret: string, purpose: string, length: number) {
	const key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
	return (text: Buffer | string) =>
		createHmac("sha256", key).update(text).digest().subarray(0, length);
}

const MAC = 16;

/** Signed tokens for links and cookies. They are hexadecimal: mail programs cut other characters off links. */
export function createSignedTokens(secret: string, purpose: string, length: number) {
	const sign = createSigner(secret, purpose, MAC);
	const form = new RegExp(`^([\\da-f]{${2 * (length + MAC)}})[^\\da-z]*$`, "i");
	return {
		make: (bytes: Buffer) => Buffer.concat([bytes, sign(bytes)]).toString("hex"),
		read(token: string): { bytes: Buffer; genuine: boolean } {
			const [, digits] = form.exec(token) ?? [];
			const whole = digits ? Buffer.from(digits, "hex") : Buffer.alloc(length + MAC);
			const bytes = whole.subarray(0, length);
			return { bytes, genuine: timingSafeEqual(whole.subarray(length), sign(bytes)) };
		},
	};
}
