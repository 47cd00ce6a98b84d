import { brand } from "#brand";
import type { SharedDatabase } from "../database/database.ts";
import { lockNote, type Note, readNote, writeNote } from "../database/notes.ts";
import type { Tx } from "../database/transaction.ts";
import type { Log } from "../log.ts";
import type { PauseCause } from "../mail/rate/outbox-row.ts";
import { readPause } from "../mail/rate/pauses.ts";
import { countBySource, countByTime, countRegistrations } from "../registrations/people.ts";
import { DAY_MS, HOUR_MS, isoOf, latestCredible, MINUTE_MS } from "../time.ts";
import { lastBackup } from "../transfer/last-backup.ts";
import { isTaken, MOST_WAIT_MS, type Posted, post } from "./post.ts";

/** Between two messages: chats hide what comes more often, and people stop reading. */
const EVERY_MS = 10 * MINUTE_MS;

/** A join is in the database within so many ms of its time, or refused. */
const SETTLED_MS = 5000;

/** How often a copy of the server looks whether it is time. */
const LOOK_MS = 15_000;

/** A nightly backup is a day old when the next one begins, which takes its time. */
const OLD_BACKUP_MS = DAY_MS + HOUR_MS;

/** A share of fewer joins says nothing. */
const LEAST_TO_SHARE = 10;

/** What the team has read: none of it is said again. */
interface Digest {
	/** Until when joins were counted, ISO 8601. */
	until: string;
	/** No message is sent before, ISO 8601. */
	nextAt: string;
	/** The largest milestone; 0 is none. */
	milestone: number;
	pause: PauseCause | "";
	/** The backup that was old; "never" where there was none. */
	oldBackup: string;
}

const DIGEST: Note<Digest> = { name: "digest" };

/** Replaces the note, unless another copy of the server was faster. Returns whether it did. */
export async function saveDigest(
	tx: Tx,
	{ before, after }: { before: Digest | undefined; after: Digest },
): Promise<boolean> {
	const digest = await lockNote(tx, DIGEST);
	if (digest?.nextAt !== before?.nextAt) return false;
	await writeNote(tx, DIGEST, after);
	return true;
}

export interface DigestSettings {
	database: SharedDatabase;
	say: Say;
	log: Log;
	now?: () => number;
	lookMs?: number;
}

/**
 * Sends the team what is new on the waitlist, at most once in ten minutes over all copies of the server.
 * What a chat refuses comes with the next message. After a kill a message may come twice.
 */
export function startDigest({
	database,
	say,
	log,
	now = Date.now,
	lookMs = LOOK_MS,
}: DigestSettings): {
	/** Sends what is new, if it is time. Never throws. */
	look(): Promise<void>;
	/** Looks no more, and cuts off a message that is being sent. */
	close(): Promise<void>;
} {
	const closing = new AbortController();
	let looking = Promise.resolve();
	let failing = false;

	async function send(): Promise<void> {
		const nowMs = now();
		const before = await readNote(database, DIGEST);
		// A wrong clock wrote what is further ahead.
		if (
			before &&
			isoOf(nowMs) < before.nextAt &&
			before.nextAt <= latestCredible(new Date(nowMs + MOST_WAIT_MS))
		) {
			return;
		}
		const { lines, after } = await readNews(database, before, nowMs);
		if (!before || lines.length === 0) {
			await database.transact(saveDigest, { before, after });
			return;
		}
		// Whoever sets the next time sends.
		const claimed = { ...before, nextAt: after.nextAt };
		if (!(await database.transact(saveDigest, { before, after: claimed }))) return;
		const posted = await say([`${brand.product} waitlist`, ...lines].join("\n"), closing.signal);
		if (!isTaken(posted)) reportFailure(posted.code);
		else if (failing) {
			log("info", "digest sent again");
			failing = false;
		}
		if (isTaken(posted) || posted.unknown) {
			await database.transact(saveDigest, { before: claimed, after });
		} else if (posted.waitMs > EVERY_MS) {
			const later = { ...before, nextAt: isoOf(nowMs + posted.waitMs) };
			await database.transact(saveDigest, { before: claimed, after: later });
		}
	}

	/** @param reason a code, or an error of the database */
	function reportFailure(reason: unknown): void {
		if (!failing) log("error", "digest not sent", { reason });
		failing = true;
	}

	function look(): Promise<void> {
		looking = looking.then(() =>
			closing.signal.aborted ? undefined : send().catch(reportFailure),
		);
		return looking;
	}

	const looks = setInterval(look, lookMs).unref();
	void look();
	return {
		look,
		async close() {
			clearInterval(looks);
			closing.abort();
			await looking;
		},
	};
}

/**
 * Reads what is new. The lines hold numbers and our own words: no address, and no text that a visitor
 * wrote, because a source may say `@everyone`.
 */
async function readNews(database: SharedDatabase, before: Digest | undefined, nowMs: number) {
	const until = isoOf(nowMs - SETTLED_MS);
	const from = before && before.until < until ? before.until : until;
	const [joined] = await countByTime(database, [{ name: "", from, to: until }]);
	const count = joined!.count;
	const [largest] = count > 0 ? await countBySource(database, 1, from) : [];
	const total = await countRegistrations(database);
	const milestone = Math.max(before?.milestone ?? 0, milestoneOf(total));
	const pause = (await readPause(database, new Date(nowMs)))?.cause ?? "";
	const backup = (await lastBackup(database))?.madeAt ?? "never";
	const isOld = backup === "never" || nowMs - Date.parse(backup) > OLD_BACKUP_MS;
	const oldBackup = total > 0 && isOld ? backup : "";
	const lines: string[] = [];
	if (count > 0) {
		// Both are counted one after the other, while people join.
		const percent = Math.min(100, Math.round((100 * (largest?.count ?? 0)) / count));
		const share = count < LEAST_TO_SHARE ? "" : `, ${percent}% from one source`;
		const period = periodAsText(Date.parse(until) - Date.parse(from));
		lines.push(`+${figure(count)} in ${period}, ${figure(total)} in all${share}.`);
	}
	if (before && milestone > before.milestone) {
		lines.push(`${figure(milestone)} people are on the waitlist.`);
	}
	if (pause !== (before?.pause ?? "")) lines.push(PAUSES[pause]);
	if (oldBackup !== "" && oldBackup !== before?.oldBackup) {
		lines.push(
			oldBackup === "never" ? "No backup was made yet." : "The last backup is over a day old.",
		);
	}
	const nextAt = isoOf(nowMs + EVERY_MS);
	// The first time nothing is said, but of a pause and a backup the next time.
	const after: Digest = before
		? { until, nextAt, milestone, pause, oldBackup: oldBackup || before.oldBackup }
		: { until, nextAt, milestone, pause: "", oldBackup: "" };
	return { lines, after };
}

const PAUSES: Record<Digest["pause"], string> = {
	"": "Emails go out again.",
	unreachable: "Emails are paused: the mail server cannot be reached.",
	refused: "Emails are paused: the mail server refuses to accept any from us.",
	quota: "Emails are paused: the mail server accepts no more for now.",
	operator: "Emails are paused until `waitlist resume`.",
};

/** 100, 1,000, 10,000 and so on; 0 below. */
function milestoneOf(total: number): number {
	let milestone = 0;
	for (let next = 100; next <= total; next *= 10) milestone = next;
	return milestone;
}

function periodAsText(ms: number): string {
	const minutes = Math.round(ms / MINUTE_MS);
	if (minutes <= 10) return "ten minutes";
	return minutes < 120 ? `${minutes} minutes` : `${figure(Math.round(minutes / 60))} hours`;
}

const figure = (n: number) => n.toLocaleString("en");

/** Sends a text to a chat. It never throws. */
export type Say = (text: string, signal?: AbortSignal) => Promise<Posted>;

/**
 * Speaks to a chat in its own form, by its host: Slack reads `text` and Discord reads `content`
 * (api.slack.com/messaging/webhooks, discord.com/developers/docs/resources/webhook). Any other host gets
 * both.
 */
export function openChat(url: string): Say {
	const { hostname } = new URL(url);
	const isOf = (...domains: string[]) =>
		domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
	return (text, signal) => {
		const body = JSON.stringify({
			...(!isOf("discord.com", "discordapp.com") && { text }),
			// No text of ours can call everybody, whatever it says.
			...(!isOf("slack.com") && { content: text, allowed_mentions: { parse: [] } }),
		});
		return post(url, { headers: { "content-type": "application/json" }, body }, signal);
	};
}
