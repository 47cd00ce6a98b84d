import { erasePeople } from "../../mail/emails/erasing.ts";
import { holdAsking, holdLetters, releaseLetters } from "../../mail/emails/held.ts";
import { receiptAsText } from "../../mail/emails/receipt.ts";
import { retryLetters } from "../../mail/emails/retry.ts";
import { unsubscribePeople } from "../../mail/links/leaving.ts";
import { flagPeople } from "../../registrations/marks.ts";
import { openOrMakeProofs } from "../../registrations/proofs/open-proofs.ts";
import type { Registration } from "../../registrations/registrations.ts";
import { inviteOne } from "../../waves/invite-one.ts";
import { hasWebhook } from "../../webhooks/webhook.ts";
import type { Acting } from "./acts.ts";

/** What was done: by `send` to somebody whom nobody could write to, only the mark of a burst went. */
export type Did = keyof typeof personActs | "unmark" | "nothing";

/** Does what the verb of that name does for a person, and notes it. @param form what was sent along */
type PersonAct = (
	acting: Acting,
	key: string,
	form: URLSearchParams,
) => Promise<boolean | "unmark">;

/** What is done for a person. Each returns whether it changed something. */
export const personActs = {
	async send(acting, key) {
		const { database, now, note } = acting;
		const also = note("letter sent again");
		const retrying = { keys: [key], refused: true, now, also };
		if ((await database.transact(retryLetters, retrying)).length > 0) return true;
		const notes = {
			released: note("letter released"),
			unmarked: note("mark of a burst removed"),
		};
		const releasing = { dryRun: false, also: notes };
		const { letGo, asked, unmarked } = await releaseLetters(acting, { keys: [key] }, releasing);
		return letGo + asked > 0 || (unmarked > 0 && "unmark");
	},
	async hold({ database, note }, key) {
		const also = note("letters held");
		return (await database.transact(holdLetters, { keys: [key], also })).length > 0;
	},
	async flag({ database, note }, key) {
		const also = [...note("person flagged"), holdAsking(database.dialect, [key])];
		const flagging = { keys: [key], remove: false, also };
		return (await database.transact(flagPeople, flagging)).length > 0;
	},
	async unflag({ database, note }, key) {
		const flagging = { keys: [key], remove: true, also: note("flag removed") };
		return (await database.transact(flagPeople, flagging)).length > 0;
	},
	async unsubscribe({ database, places, now, note }, key) {
		const proofs = await openOrMakeProofs(database, places);
		const asked = { way: "request", now, also: note("person unsubscribed") } as const;
		return (await unsubscribePeople(database, proofs, [key], asked)).length > 0;
	},
	invite({ database, now, note }, key, form) {
		const wave = form.get("wave") ?? "";
		const asked = { key, wave, unconfirmed: form.get("unconfirmed") === "yes" };
		return inviteOne(database, asked, now, note("person invited", wave));
	},
} satisfies Record<string, PersonAct>;

/** Erases a person, and returns the receipt; undefined for a person who is not there any more. */
export async function eraseOne(
	{ database, now, places, note }: Acting,
	{ key, email }: Pick<Registration, "key" | "email">,
	reason: string,
): Promise<string | undefined> {
	const proofs = await openOrMakeProofs(database, places);
	const erasing = { now, reason, also: note("person erased") };
	const [proof] = await erasePeople(database, proofs, [key], erasing);
	if (!proof) return undefined;
	const told = (await hasWebhook(database.query)) && { told: true as const };
	await database.forget();
	return receiptAsText({ email, ...proof, ...told }, database.dialect);
}
