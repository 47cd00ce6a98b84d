import { INVITATION_PATH } from "#shared/invitation.ts";
import { confirmationLinkDays } from "#shared/retention.ts";
import { createSignedTokens } from "../../secret.ts";
import type { MailSettings } from "../../settings.ts";
import { DAY_MS, MINUTE_MS } from "../../time.ts";

export type EmailLinks = ReturnType<typeof createEmailLinks>;

const ID = 16;
const TIME = 4;

export function createEmailLinks(secret: string, { origin }: Pick<MailSettings, "origin">) {
	const confirming = createSignedTokens(secret, "links: confirm", ID + TIME);
	const unsubscribing = createSignedTokens(secret, "links: unsubscribe", ID);

	return {
		confirmUrl(person: string, now: number): string {
			const bytes = Buffer.alloc(ID + TIME);
			bytes.write(person, "hex");
			bytes.writeUInt32BE(Math.floor(now / MINUTE_MS), ID);
			return `${origin}/confirm/${confirming.make(bytes)}`;
		},
		readConfirm(token: string, now: number) {
			const { bytes, genuine } = confirming.read(token);
			const minutes = Math.floor(now / MINUTE_MS) - bytes.readUInt32BE(ID);
			const expired = minutes * MINUTE_MS > confirmationLinkDays * DAY_MS;
			return { id: bytes.toString("hex", 0, ID), genuine, expired };
		},
		unsubscribeUrl: (person: string) =>
			`${origin}/unsubscribe/${unsubscribing.make(Buffer.from(person, "hex"))}`,
		/** A malformed token returns an id of zeros. Look it up anyway: all responses must take the same time. */
		readUnsubscribe(token: string) {
			const { bytes, genuine } = unsubscribing.read(token);
			return { id: bytes.toString("hex"), genuine, expired: false };
		},
		/** The code is in the fragment, which browsers never send. */
		invitationUrl: (code: string) => `${origin}${INVITATION_PATH}#${code}`,
	};
}
