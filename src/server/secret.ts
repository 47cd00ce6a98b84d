import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createPrivateFile } from "./files/private-file.ts";
import { Refusal } from "./refusal.ts";
import { LEAST_SECRET_CHARACTERS } from "./settings/secrets.ts";
import type { DatabaseSettings, Settings } from "./settings.ts";

/** Where the key and the proofs outside the database are. */
export interface ProofPlaces {
	/** The secret itself, where a setting holds it. */
	secret: string | undefined;
	/** With SQLite: the file beside the database that holds the secret, if no setting does. */
	keyFile: string | undefined;
	/** The file of proofs outside the database. */
	file: string | undefined;
}

/** Where a database's key and proofs are: where the settings say, or beside an SQLite file. */
export function proofPlacesOf(
	{ secret, erasures }: Pick<Settings, "secret" | "erasures">,
	database: DatabaseSettings,
): ProofPlaces {
	const beside = database.kind === "sqlite" ? database.file : undefined;
	return {
		secret,
		keyFile: beside && `${beside}.erasure-key`,
		file: erasures ?? (beside && `${beside}.erasures`),
	};
}

/**
 * The operator's one secret, which has four purposes: it recognizes the addresses that proofs of
 * erasure are about, and by {@link signer} it makes links, codes of invitations and hashes of mailboxes.
 */
export interface ErasureKey {
	secret: string;
	/** Tells keys apart, and says nothing about them: 32 hexadecimal digits. */
	fingerprint: string;
	/** Makes the code of a canonical address: HMAC-SHA256, in hexadecimal. */
	codeOf: (key: string) => string;
}

/** Never an address: it has no at sign. */
const FINGERPRINTED = "fingerprint of the erasure key";

function keyOfSecret(secret: string): ErasureKey {
	const codeOf = (key: string) => createHmac("sha256", secret).update(key).digest("hex");
	return { secret, fingerprint: codeOf(FINGERPRINTED).slice(0, 32), codeOf };
}

/**
 * Finds the key, and never makes one.
 *
 * @returns undefined when there is neither the setting nor the file
 * @throws Error with a sentence for the operator when the file holds no usable key
 */
export async function findErasureKey({
	secret,
	keyFile,
}: ProofPlaces): Promise<ErasureKey | undefined> {
	if (secret !== undefined) return keyOfSecret(secret);
	if (keyFile === undefined || !existsSync(keyFile)) return undefined;
	const text = (await readFile(keyFile, "utf8")).trim();
	if (text.length >= LEAST_SECRET_CHARACTERS) return keyOfSecret(text);
	throw new Error(
		`${keyFile} holds no key of at least ${LEAST_SECRET_CHARACTERS} characters: put the saved one in ` +
			"its place. If nobody was erased yet, delete the file.",
	);
}

/** Makes a key in a file, unless another command was faster, and gives the one that is there. */
export async function makeErasureKey(places: ProofPlaces): Promise<ErasureKey> {
	await saveSecret(places, randomBytes(32).toString("hex"));
	return (await findErasureKey(places))!;
}

/** Writes a key beside an SQLite database, where the next command finds it. One that is there stays. */
export async function saveSecret({ keyFile }: ProofPlaces, secret: string): Promise<void> {
	if (keyFile !== undefined) await createPrivateFile(keyFile, [`${secret}\n`]);
}

/** Why a command cannot go on without the key. */
export function erasureKeyLost({ keyFile }: ProofPlaces): Error {
	return new Refusal(
		"Proofs of erasure are kept here, but their key is missing: " +
			`set WAITLIST_SECRET to it${keyFile === undefined ? "" : `, or put ${keyFile} back`}. ` +
			"Without it an erased address would not be recognized.",
	);
}

/** Why a command cannot go on with this key. */
export function erasureKeyDiffers(place: string): Error {
	return new Refusal(
		`The erasure key is not the one that the proofs in ${place} are made with: set ` +
			"WAITLIST_SECRET, or the file that holds the key, to the right one. With this one an " +
			"erased address would not be recognized.",
	);
}

/** Gives the first bytes of an HMAC-SHA256 (truncated as in RFC 2104, 5). */
export type Sign = (text: Buffer | string) => Buffer;

/**
 * Derives a key for one purpose from the operator's secret (HKDF, RFC 5869), so that a code of one
 * purpose is none of another.
 *
 * @param secret the secret of the erasure key
 * @param length bytes of each code
 */
export function signer(secret: string, purpose: string, length: number): Sign {
	const key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
	return (text) => createHmac("sha256", key).update(text).digest().subarray(0, length);
}

/** Bytes of a token's signature. */
const MAC = 16;

/** Signed bytes, for links and cookies. */
export interface SignedTokens {
	make(bytes: Buffer): string;
	/** Reads zeros from a token of any other form. */
	read(token: string): { bytes: Buffer; genuine: boolean };
}

/**
 * Makes and reads tokens of one purpose. They are hex, because programs that turn text into links cut
 * other characters off a link's end, or take a character after it along: those are ignored.
 *
 * @param length in bytes, without the signature
 */
export function signedTokens(secret: string, purpose: string, length: number): SignedTokens {
	const sign = signer(secret, purpose, MAC);
	const form = new RegExp(`^([\\da-f]{${2 * (length + MAC)}})[^\\da-z]*$`, "i");
	return {
		make: (bytes) => Buffer.concat([bytes, sign(bytes)]).toString("hex"),
		read(token) {
			const [, digits] = form.exec(token) ?? [];
			const whole = digits ? Buffer.from(digits, "hex") : Buffer.alloc(length + MAC);
			const bytes = whole.subarray(0, length);
			return { bytes, genuine: timingSafeEqual(whole.subarray(length), sign(bytes)) };
		},
	};
}
