import type { Tx } from "../../database/transaction.ts";
import type { EmailRow } from "../../mail/emails/email.ts";
import { emailsOf } from "../../mail/emails/emails.ts";
import { findByKeys, type Person } from "../../registrations/registrations.ts";
import { shownTime } from "../../time.ts";

/** Why a command changed nothing for somebody whom the founder named. */
export interface Unchanged {
	/** Their canonical address. */
	email: string;
	/** A sentence that begins after the address, and says what would help. */
	reason: string;
}

/** Says where the emails to people stand, so that the founder sees why nothing was done. */
export async function reasonsOf(tx: Tx, keys: readonly string[]): Promise<Unchanged[]> {
	const people = await findByKeys(tx, keys);
	const letters = await emailsOf(tx, keys);
	return people.map((person) => {
		const own = letters.filter(({ key }) => key === person.key);
		return { email: person.key, reason: reasonOf(person, own) };
	});
}

function reasonOf(
	{ key, unsubscribedAt, bouncedAt, bounce, confirmedAt }: Person,
	letters: readonly EmailRow[],
): string {
	if (unsubscribedAt !== "") {
		return `unsubscribed on ${shownTime(unsubscribedAt)}, and only they can undo that.`;
	}
	if (bouncedAt !== "") {
		return `bounced on ${shownTime(bouncedAt)} (${bounce}): \`waitlist unblock ${key}\` if that was wrong.`;
	}
	const some = (condition: (letter: EmailRow) => boolean) => letters.find(condition);
	const unsent = some(({ state }) => state === "waiting" || state === "deferred");
	if (unsent) {
		return unsent.held === 0 ? "an email waits already." : "an email waits: `waitlist resume`.";
	}
	if (some(({ state }) => state === "sending")) return "an email is being sent.";
	if (some(({ redeemedAt }) => redeemedAt !== "")) return "the invitation was redeemed.";
	const wanted = ({ kind }: EmailRow) => kind !== "confirm" || confirmedAt === "";
	const lost = some((letter) => letter.state === "unknown" && wanted(letter));
	if (lost) return `an email may not have arrived: \`waitlist resend ${key}\` sends it again.`;
	const refused = some((letter) => letter.state === "refused" && wanted(letter));
	if (refused) return whyRefused(refused);
	if (confirmedAt !== "") {
		return `confirmed on ${shownTime(confirmedAt)}, and every email was accepted.`;
	}
	if (letters.length > 0) return "every email was accepted.";
	return `they have had no email: \`waitlist confirm ${key}\` asks them to confirm.`;
}

/** An email that was refused here, before any mail server, is refused again while its reason stays. */
function whyRefused({ key, kind, reason, code }: EmailRow): string {
	const resend = `\`waitlist resend ${key}\` sends it again`;
	if (reason === "limited") return `the mailbox had three emails that day: ${resend} tomorrow.`;
	// Whoever was refused an email of a wave because they unsubscribed has come back: see above.
	if (reason === "left" && kind === "confirm") {
		return "somebody unsubscribed by another spelling of the mailbox, and only they can undo that.";
	}
	if (reason === "cancelled") return "their wave was canceled: another wave can invite them.";
	if (reason === "invited") return "another wave has invited them.";
	if (reason === "flagged") {
		return `they are flagged: \`waitlist unblock ${key}\` if that is wrong.`;
	}
	return `an email was refused (${reason || code}): ${resend}.`;
}

/** A line for each person for whom nothing was done. */
export function unchangedAsText(unchanged: readonly Unchanged[]): string[] {
	return unchanged.map(({ email, reason }) => `Nothing done for ${email}: ${reason}`);
}
