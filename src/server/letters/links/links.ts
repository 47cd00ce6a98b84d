import { timingSafeEqual } from "node:crypto";
import { INVITATION_PATH } from "#shared/invitation.ts";
import { confirmDays } from "#shared/retention.ts";
import { type Sign, signer } from "../../secret.ts";
import type { MailSettings } from "../../settings.ts";

/** What a token says. Look the id up whatever it says, so that every answer takes the same time. */
export interface ReadToken {
	/** The recipient: 32 hexadecimal digits, all 0 where the token is none of ours by its form. */
	id: string;
	/** Whether we made the token. */
	genuine: boolean;
	/** Whether its time is over. Links to leave have no such time. */
	expired: boolean;
}

/** Makes and reads the addresses in letters. None holds an e-mail address of the person. */
export interface Links {
	/** @param now milliseconds since 1970 */
	confirmUrl(recipient: string, now: number): string;
	/** @param now milliseconds since 1970 */
	readConfirm(token: string, now: number): ReadToken;
	leaveUrl(recipient: string): string;
	readLeave(token: string): ReadToken;
	/** The page that shows the code of an invitation. The code is its fragment: no request holds it. */
	invitationUrl(code: string): string;
	/** The envelope sender of a letter: where bounces of it go. */
	bounceAddress(letter: string): string;
	/** The letter that a bounce is about. Undefined where the address is none of ours. */
	readBounce(address: string): string | undefined;
}

const MINUTE_MS = 60_000;
const CONFIRM_MINUTES = confirmDays * 24 * 60;

/** Bytes of an id, of the minutes since 1970, and of the codes. */
const ID = 16;
const TIME = 4;
const MAC = 16;
const BOUNCE_MAC = 8;

/**
 * Makes the links of a site, each signed with the key of its purpose.
 *
 * @param secret the secret of the erasure key
 */
export function createLinks(
	secret: string,
	{ origin, from, bounces }: Pick<MailSettings, "origin" | "from" | "bounces">,
): Links {
	const confirming = signer(secret, "letters: confirm", MAC);
	const leaving = signer(secret, "letters: leave", MAC);
	const bouncing = signer(secret, "letters: bounce", BOUNCE_MAC);
	const [local, domain] = (bounces ?? "").split("@");

	return {
		confirmUrl(recipient, now) {
			const bytes = Buffer.alloc(ID + TIME);
			bytes.write(recipient, "hex");
			bytes.writeUInt32BE(Math.floor(now / MINUTE_MS), ID);
			return `${origin}/confirm/${signed(bytes, confirming)}`;
		},
		readConfirm(token, now) {
			const { bytes, genuine } = readSigned(token, ID + TIME, confirming);
			const minutes = Math.floor(now / MINUTE_MS) - bytes.readUInt32BE(ID);
			return { id: bytes.toString("hex", 0, ID), genuine, expired: minutes > CONFIRM_MINUTES };
		},
		leaveUrl: (recipient) => `${origin}/leave/${signed(Buffer.from(recipient, "hex"), leaving)}`,
		readLeave(token) {
			const { bytes, genuine } = readSigned(token, ID, leaving);
			return { id: bytes.toString("hex"), genuine, expired: false };
		},
		invitationUrl: (code) => `${origin}${INVITATION_PATH}#${code}`,
		bounceAddress(letter) {
			if (!bounces) return from.address;
			const mac = bouncing(Buffer.from(letter, "hex")).toString("hex");
			return `${local}+${letter}.${mac}@${domain}`;
		},
		readBounce(address) {
			// The rest may have become another: aliases and forwarders rewrite it.
			const [, letter, mac] = /\+([\da-f]{32})\.([\da-f]{16})@/i.exec(address) ?? [];
			if (!letter || !mac) return undefined;
			const expected = bouncing(Buffer.from(letter, "hex"));
			const ours = timingSafeEqual(Buffer.from(mac, "hex"), expected);
			return ours ? letter.toLowerCase() : undefined;
		},
	};
}

/**
 * ```text
 * token, in base64url:  recipient's id | minutes since 1970, big-endian | code of all before
 *                       16 bytes         4 bytes, only to confirm         16 bytes
 * ```
 */
function signed(bytes: Buffer, sign: Sign): string {
	return Buffer.concat([bytes, sign(bytes)]).toString("base64url");
}

/** Reads a token of so many bytes before its code. One of any other form is read as zeros. */
function readSigned(token: string, length: number, sign: Sign) {
	const read = Buffer.from(token.slice(0, 2 * (length + MAC)), "base64url");
	// Base64 has many spellings of the same bytes. One is ours.
	const formed = read.length === length + MAC && read.toString("base64url") === token;
	const whole = formed ? read : Buffer.alloc(length + MAC);
	const bytes = whole.subarray(0, length);
	const genuine = timingSafeEqual(whole.subarray(length), sign(bytes));
	return { bytes, genuine };
}
