import { brand } from "#brand";
import type { SharedDatabase } from "../database/database.ts";
import {
	isOldBackup,
	lockNote,
	type Note,
	readLastBackup,
	readNote,
	writeNote,
} from "../database/notes.ts";
import type { Tx } from "../database/sql.ts";
import { type Log, trackOutage } from "../log.ts";
import type { PauseCause } from "../mail/rate/outbox-state.ts";
import { readPause } from "../mail/rate/pauses.ts";
import { countRegistrations } from "../registrations/people.ts";
import { formatNumber } from "../text/format-number.ts";
import { isoOf, latestCredibleTime, MINUTE_MS } from "../time.ts";
import { isAccepted, type PostOutcome, postJson } from "./post.ts";

/** Chat apps collapse messages that come more often, and people stop reading them. */
const EVERY_MS = 10 * MINUTE_MS;

interface Digest {
	total: number;
	nextAt: string;
	pause: PauseCause | "";
	/** Creation time of the backup last reported as old; "never" if a missing backup was; "" if neither. */
	oldBackup: string;
}

const DIGEST: Note<Digest> = { name: "digest" };

/** Returns false if another server has already saved this digest. */
export async function saveDigest(
	tx: Tx,
	{ before, after }: { before: Digest | undefined; after: Digest },
): Promise<boolean> {
	const digest = await lockNote(tx, DIGEST);
	if (digest?.nextAt !== before?.nextAt) return false;
	await writeNote(tx, DIGEST, after);
	return true;
}

interface DigestSettings {
	database: SharedDatabase;
	say: SendToChat;
	log: Log;
	now?: () => number;
	lookMs?: number;
}

/** Sends a digest at most once in ten minutes, across all servers. */
export function startDigest(settings: DigestSettings) {
	const { database, say, log, now = Date.now, lookMs = 15_000 } = settings;
	const closing = new AbortController();
	let looking = Promise.resolve();
	const outage = trackOutage(log, "digest not sent", "digest sent again");

	async function send(): Promise<void> {
		const nowMs = now();
		const before = await readNote(database, DIGEST);
		// Ignores a time too far ahead: a wrong clock wrote it.
		const latest = latestCredibleTime(new Date(nowMs + EVERY_MS));
		if (before && isoOf(nowMs) < before.nextAt && before.nextAt <= latest) return;
		const { lines, after } = await readNews(database, before, nowMs);
		if (!before || lines.length === 0) {
			await database.transact(saveDigest, { before, after });
			return;
		}
		// Only one server can save the next time, so only one sends.
		const claimed = { ...before, nextAt: after.nextAt };
		if (!(await database.transact(saveDigest, { before, after: claimed }))) return;
		const posted = await say([`${brand.product} waitlist`, ...lines].join("\n"), closing.signal);
		if (!isAccepted(posted)) return outage.fail({ reason: posted.code });
		outage.recover();
		await database.transact(saveDigest, { before: claimed, after });
	}

	function look(): Promise<void> {
		looking = looking
			.then(() => (closing.signal.aborted ? undefined : send()))
			.catch((reason) => outage.fail({ reason }));
		return looking;
	}

	const looks = setInterval(look, lookMs).unref();
	void look();
	return {
		look,
		async close(): Promise<void> {
			clearInterval(looks);
			closing.abort();
			await looking;
		},
	};
}

/** Reads changes since the last digest. Leaves out visitors' text: a source label may contain `@everyone`. */
async function readNews(database: SharedDatabase, before: Digest | undefined, nowMs: number) {
	const total = await countRegistrations(database);
	const pause = (await readPause(database, new Date(nowMs)))?.cause ?? "";
	const last = await readLastBackup(database);
	const backup = last?.madeAt ?? "never";
	const oldBackup = total > 0 && (!last || isOldBackup(last, nowMs)) ? backup : "";
	const lines: string[] = [];
	const more = total - (before?.total ?? total);
	if (more > 0)
		lines.push(`+${formatNumber(more)} since the last message, ${formatNumber(total)} in all.`);
	if (pause !== (before?.pause ?? "")) lines.push(PAUSES[pause]);
	if (oldBackup !== "" && oldBackup !== before?.oldBackup) {
		lines.push(backup === "never" ? "No backup yet." : "The last backup is over a day old.");
	}
	const nextAt = isoOf(nowMs + EVERY_MS);
	// The first digest saves the numbers without a message.
	const after: Digest = before
		? { total, nextAt, pause, oldBackup: oldBackup || before.oldBackup }
		: { total, nextAt, pause: "", oldBackup: "" };
	return { lines, after };
}

const PAUSES: Record<Digest["pause"], string> = {
	"": "Emails are being sent again.",
	unreachable: "Emails are paused: the mail server cannot be reached.",
	refused: "Emails are paused: the mail server is rejecting all of them.",
	quota: "Emails are paused: the mail server's sending limit is reached.",
	founder: "Emails are paused until someone resumes them.",
};

export type SendToChat = (text: string, signal?: AbortSignal) => Promise<PostOutcome>;

/** Slack reads `text` and Discord reads `content`. Other receivers get both. */
export function chatSender(url: string): SendToChat {
	const { hostname } = new URL(url);
	const isDiscord = /(?:^|\.)(?:discord|discordapp)\.com$/.test(hostname);
	const isSlack = /(?:^|\.)slack\.com$/.test(hostname);
	return (text, signal) => {
		const body = JSON.stringify({
			...(!isDiscord && { text }),
			...(!isSlack && { content: text, allowed_mentions: { parse: [] } }),
		});
		return postJson(url, body, { signal });
	};
}
