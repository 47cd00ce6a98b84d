import type { Database } from "../../database/database.ts";
import { HELD, type LetterRow } from "../../mail/emails/letter.ts";
import { lettersOf } from "../../mail/emails/letters.ts";
import { type Recipient, recipientOf, recipientsOf } from "../../registrations/recipients.ts";

/** Why a command changed nothing for somebody whom the operator named. */
export interface Unchanged {
	/** Their canonical address. */
	email: string;
	/** A sentence that begins after the address, and says what would help. */
	reason: string;
}

/** Says where the letters of people stand, so that the operator sees why nothing was done. */
export async function reasonsOf(
	{ query, dialect }: Pick<Database, "query" | "dialect">,
	keys: readonly string[],
): Promise<Unchanged[]> {
	const recipients = new Map(
		(await recipientsOf(query, dialect, keys)).map((person) => [person.key, person]),
	);
	const letters = await lettersOf(query, dialect, keys);
	return keys.map((email) => {
		const own = letters.filter(({ key }) => key === email);
		return { email, reason: reasonOf(recipients.get(email) ?? recipientOf(email), own) };
	});
}

function reasonOf(
	{ key, leftAt, bouncedAt, bounce, confirmedAt }: Recipient,
	letters: readonly LetterRow[],
): string {
	if (leftAt !== "") return `left on ${leftAt}, and only they can come back.`;
	if (bouncedAt !== "") {
		return `bounced on ${bouncedAt} (${bounce}): \`waitlist unbounce ${key}\` if that was wrong.`;
	}
	const some = (condition: (letter: LetterRow) => boolean) => letters.find(condition);
	const unsent = letters.filter(({ state }) => state === "waiting" || state === "deferred");
	if (unsent.some(({ held }) => (held & HELD.byOperator) !== 0)) {
		return `a letter is held: \`waitlist release ${key}\` lets it go.`;
	}
	if (unsent.some(({ held }) => held !== 0)) {
		return "a letter waits for its wave: `waitlist resume`.";
	}
	if (unsent.length > 0) return "a letter waits to be sent already.";
	if (some(({ state }) => state === "sending")) return "a letter is being sent.";
	if (some(({ redeemedAt }) => redeemedAt !== "")) return "the invitation was redeemed.";
	const unwanted = ({ kind }: LetterRow) => kind === "confirm" && confirmedAt !== "";
	const lost = some((letter) => letter.state === "unknown" && !unwanted(letter));
	if (lost) {
		return `nobody knows whether a letter arrived: \`waitlist retry ${key}\` sends it again.`;
	}
	const refused = some((letter) => letter.state === "refused" && !unwanted(letter));
	if (refused) return whyRefused(refused);
	if (confirmedAt !== "") return `confirmed on ${confirmedAt}, and every letter was accepted.`;
	if (letters.length > 0) return "every letter was accepted.";
	return `nobody has written to them: \`waitlist release ${key}\` asks them to confirm.`;
}

/** A letter that was refused here, before any mail server, is refused again while its reason stays. */
function whyRefused({ key, kind, reason, code }: LetterRow): string {
	const retry = `\`waitlist retry ${key}\``;
	if (reason === "limited") {
		return `a letter was not sent, because the mailbox had its letters of that day: ${retry} sends it a day later.`;
	}
	// The person of a letter of a wave who left has come back: see above.
	if (reason === "left" && kind === "confirm") {
		return "a letter was not sent, because somebody left by another spelling of the mailbox, and only they can come back.";
	}
	if (reason === "cancelled")
		return "the wave of a letter was cancelled: another wave can bring one.";
	if (reason === "invited") return "another wave has invited them.";
	if (reason === "flagged") {
		return `a letter was not sent, because they are flagged: \`waitlist flag --remove ${key}\` if that is wrong.`;
	}
	return `a letter was refused (${reason || code}): ${retry} sends it again.`;
}

/** A line for each person for whom nothing was done. */
export function unchangedAsText(unchanged: readonly Unchanged[]): string[] {
	return unchanged.map(({ email, reason }) => `Nothing done for ${email}: ${reason}`);
}
