import { keysOf } from "../../database/dialect.ts";
import { prepare } from "../../database/statement.ts";
import type { Tx } from "../../database/transaction.ts";
import { noteBounceOf } from "../../registrations/recipients.ts";
import { addEvents } from "../../webhooks/event.ts";
import { noteComplaint, OF_BOUNCED, refuseBounced } from "../emails/letter-changes.ts";
import { streamsOfReported } from "../emails/tried-letters.ts";
import { lockOutbox, saveOutbox } from "../rate/outbox-row.ts";
import { judgeStreams, type SpeedChange } from "../rate/throttle.ts";

/** What became of an email that a mail server had accepted. */
export type EmailFeedback =
	/** The code is as in `later 5.1.1`: never the text of the reply, which may hold the address. */
	{ kind: "bounce"; id: string; code: string } | { kind: "complaint"; id: string };

/**
 * Records feedback: a person whose email bounced gets no further one, and a complaint stays with its
 * email. Unsubscribing its person is another transaction, which also adds to the suppression list.
 *
 * @returns how many of the emails are ours, and the streams that are slower or faster from now on
 */
export async function recordFeedback(
	tx: Tx,
	{ feedback, now }: { feedback: readonly EmailFeedback[]; now: Date },
): Promise<{ found: number; speeds: SpeedChange[] }> {
	const outbox = await lockOutbox(tx);
	const rows = JSON.stringify(feedback.map(({ id, kind }) => [id, kind]));
	const streams = await tx.all(streamsOfReported(tx.dialect, rows));
	for (const one of feedback) {
		if (one.kind === "complaint") await tx.all(noteComplaint(one.id));
		else await recordBounce(tx, one.id, one.code, now.toISOString());
	}
	const toJudge = [...new Set(streams.map(({ stream }) => stream))];
	const judged = await judgeStreams(tx, outbox, toJudge, now.getTime());
	await saveOutbox(tx, judged.outbox);
	return { found: streams.length, speeds: judged.speeds };
}

const bounced = prepare<[id: string, now: string, code: string], { key: string }>(
	`${noteBounceOf(OF_BOUNCED)} RETURNING email_key AS "key"`,
);

/** Records that the person of an email has no mailbox, so that they get no further one. */
export async function recordBounce(tx: Tx, id: string, code: string, now: string): Promise<void> {
	for (const one of refuseBounced(id, code)) await tx.all(one);
	await addEvents(tx, "bounced", keysOf(await tx.all(bounced(id, now, code))), now);
}
