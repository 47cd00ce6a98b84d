import { INVITATION_PATH } from "#shared/invitation.ts";
import { confirmDays } from "#shared/retention.ts";
import { signedTokens } from "../../secret.ts";
import type { MailSettings } from "../../settings.ts";
import { DAY_MS, MINUTE_MS } from "../../time.ts";

/** A parsed token. Look the id up in any case, so that every answer takes the same time. */
export interface ReadToken {
	/** The person: 32 hexadecimal digits, all 0 for a malformed token. */
	id: string;
	genuine: boolean;
	expired: boolean;
}

/** Makes and reads the URLs in emails. None holds an address. Times are in ms since 1970. */
export interface Links {
	confirmUrl(person: string, now: number): string;
	readConfirm(token: string, now: number): ReadToken;
	unsubscribeUrl(person: string): string;
	readLeave(token: string): ReadToken;
	/** The page that shows an invitation code. The code is its fragment: no request holds it. */
	invitationUrl(code: string): string;
}

const ID = 16;
const TIME = 4;

export function createLinks(secret: string, { origin }: Pick<MailSettings, "origin">): Links {
	const confirming = signedTokens(secret, "letters: confirm", ID + TIME);
	const leaving = signedTokens(secret, "letters: leave", ID);

	return {
		confirmUrl(person, now) {
			const bytes = Buffer.alloc(ID + TIME);
			bytes.write(person, "hex");
			bytes.writeUInt32BE(Math.floor(now / MINUTE_MS), ID);
			return `${origin}/confirm/${confirming.make(bytes)}`;
		},
		readConfirm(token, now) {
			const { bytes, genuine } = confirming.read(token);
			const minutes = Math.floor(now / MINUTE_MS) - bytes.readUInt32BE(ID);
			const expired = minutes * MINUTE_MS > confirmDays * DAY_MS;
			return { id: bytes.toString("hex", 0, ID), genuine, expired };
		},
		unsubscribeUrl: (person) => `${origin}/leave/${leaving.make(Buffer.from(person, "hex"))}`,
		readLeave(token) {
			const { bytes, genuine } = leaving.read(token);
			return { id: bytes.toString("hex"), genuine, expired: false };
		},
		invitationUrl: (code) => `${origin}${INVITATION_PATH}#${code}`,
	};
}
