import { INVITATION_PATH } from "#shared/invitation.ts";
import { confirmDays } from "#shared/retention.ts";
import { signedTokens } from "../../secret.ts";
import type { MailSettings } from "../../settings.ts";
import { MINUTE_MS } from "../../time.ts";

/** What a token says. Look the id up whatever it says, so that every answer takes the same time. */
export interface ReadToken {
	/** The recipient: 32 hexadecimal digits, all 0 where the token is none of ours by its form. */
	id: string;
	/** Whether we made the token. */
	genuine: boolean;
	/** Whether its time is over. Links to leave have no such time. */
	expired: boolean;
}

/** Makes and reads the addresses in emails. None holds an e-mail address of the person. */
export interface Links {
	/** @param now milliseconds since 1970 */
	confirmUrl(recipient: string, now: number): string;
	/** @param now milliseconds since 1970 */
	readConfirm(token: string, now: number): ReadToken;
	unsubscribeUrl(recipient: string): string;
	readLeave(token: string): ReadToken;
	/** The page that shows the code of an invitation. The code is its fragment: no request holds it. */
	invitationUrl(code: string): string;
}

const CONFIRM_MINUTES = confirmDays * 24 * 60;

/** Bytes of a recipient's id and of the minutes since 1970 in a link to confirm. */
const ID = 16;
const TIME = 4;

/**
 * Makes the links of a site, each signed with the key of its purpose.
 *
 * @param secret the secret of the key
 */
export function createLinks(secret: string, { origin }: Pick<MailSettings, "origin">): Links {
	const confirming = signedTokens(secret, "letters: confirm", ID + TIME);
	const leaving = signedTokens(secret, "letters: leave", ID);

	return {
		confirmUrl(recipient, now) {
			const bytes = Buffer.alloc(ID + TIME);
			bytes.write(recipient, "hex");
			bytes.writeUInt32BE(Math.floor(now / MINUTE_MS), ID);
			return `${origin}/confirm/${confirming.make(bytes)}`;
		},
		readConfirm(token, now) {
			const { bytes, genuine } = confirming.read(token);
			const minutes = Math.floor(now / MINUTE_MS) - bytes.readUInt32BE(ID);
			return { id: bytes.toString("hex", 0, ID), genuine, expired: minutes > CONFIRM_MINUTES };
		},
		unsubscribeUrl: (recipient) => `${origin}/leave/${leaving.make(Buffer.from(recipient, "hex"))}`,
		readLeave(token) {
			const { bytes, genuine } = leaving.read(token);
			return { id: bytes.toString("hex"), genuine, expired: false };
		},
		invitationUrl: (code) => `${origin}${INVITATION_PATH}#${code}`,
	};
}
