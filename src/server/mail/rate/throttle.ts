import { raw, sql, type Tx } from "../../database/sql.ts";
import type { Log } from "../../log.ts";
import { formatNumber } from "../../text/format-number.ts";
import { HOUR_MS, isoOf } from "../../time.ts";
import {
	EMAIL_QUEUES,
	EMAIL_STREAMS,
	type EmailStream,
	emailStreamOf,
	type OutboxState,
	readOutbox,
} from "./outbox-state.ts";

const SLOWED = 4;

/** Throttling starts when more than 5 % of the latest emails bounced, where providers warn, and ends below 3 %. */
const LATEST = 400;
const MOST_DEAD = 0.05 * LATEST;
const FEW_DEAD = 0.03 * LATEST;
const MOST_DEAD_PER_OWNER = 2;

/** This many complaints about the latest 1000 emails start throttling: Gmail refuses senders at 0.3 %. */
const COMPLAINTS = 3;
const LATEST_COMPLAINTS = 1000;

/** Maximum outcomes to read. The newest may still bounce, so they are read but not judged. */
const MOST_READ = 3000;

/** After this time, an accepted email counts as delivered, even if bounce reports usually take longer. */
const LATEST_REPORT_MS = HOUR_MS;

interface Outcome {
	key: string;
	endedAt: string;
	bouncedAt: string;
	complainedAt: string;
}

/** Reads emails that were accepted or bounced after `since`, earliest first, with later complaints. */
async function readOutcomes(tx: Tx, stream: EmailStream, since: string): Promise<Outcome[]> {
	const found: Outcome[] = [];
	for (const queue of EMAIL_QUEUES.filter((queue) => emailStreamOf(queue) === stream)) {
		const outcomes =
			await tx.all(sql<Outcome>`SELECT ended.email_key AS "key", ended_at AS "endedAt",
				CASE reason WHEN 'bounced' THEN bounced_at ELSE '' END AS "bouncedAt",
				CASE reason WHEN 'complaint' THEN COALESCE(NULLIF(unsubscribed_at, ''), ended_at) ELSE '' END
					AS "complainedAt"
			FROM (
				SELECT email_key, state, reason, ended_at FROM email
				WHERE queue = ${raw(`'${queue}'`)} AND ended_at <> '' AND id <> ''
					AND state IN ('accepted', 'refused') AND ended_at > ${since}
				ORDER BY ended_at DESC LIMIT ${MOST_READ}
			) AS ended
			JOIN registration ON registration.email_key = ended.email_key
			WHERE state = 'accepted' OR (reason = 'bounced' AND bounced_at <> '')`);
		found.push(...outcomes);
	}
	return found.sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1)).slice(-MOST_READ);
}

type ThrottleChange = Awaited<ReturnType<typeof judgeStream>>;

/** Returns a stream's current and new throttle factor (1 is the full rate), and the reason. */
async function judgeStream(tx: Tx, outbox: OutboxState, stream: EmailStream, now: number) {
	const before = outbox[`${stream}Slowed`];
	const outcomes = await readOutcomes(tx, stream, outbox.releasedAt);
	const latest = reported(outcomes, now, "bouncedAt").slice(-LATEST);
	const deadOf = new Map<string, number>();
	for (const { key, bouncedAt } of latest) {
		if (bouncedAt === "") continue;
		const owner = addressOwnerOf(key);
		deadOf.set(owner, Math.min(MOST_DEAD_PER_OWNER, (deadOf.get(owner) ?? 0) + 1));
	}
	const dead = [...deadOf.values()].reduce((sum, count) => sum + count, 0);
	const delivered = reported(outcomes, now, "complainedAt").slice(-LATEST_COMPLAINTS);
	const complained = delivered.filter(({ complainedAt }) => complainedAt !== "");
	const complaints = new Set(complained.map(({ key }) => addressOwnerOf(key))).size;
	const stays = before > 1 && dead >= FEW_DEAD;
	const slowed = complaints >= COMPLAINTS || dead > MOST_DEAD || stays ? SLOWED : 1;
	const counts = { emails: latest.length, dead, delivered: delivered.length, complaints };
	return { stream, before, slowed, ...counts };
}

/** Leaves out recent emails, whose bounce or complaint may still be reported. */
function reported(outcomes: readonly Outcome[], now: number, by: "bouncedAt" | "complainedAt") {
	const lateMs = outcomes
		.filter((outcome) => outcome[by] !== "")
		.map((outcome) => Date.parse(outcome[by]) - Date.parse(outcome.endedAt))
		.sort((a, b) => a - b);
	const usualMs = lateMs[Math.floor(lateMs.length / 2)] ?? 0;
	const until = isoOf(now - Math.min(LATEST_REPORT_MS, Math.max(0, usualMs)));
	return outcomes.filter(({ endedAt }) => endedAt <= until);
}

export async function adjustThrottles(
	tx: Tx,
	outbox: OutboxState,
	streams: readonly EmailStream[],
	now: number,
): Promise<{ outbox: OutboxState; speeds: ThrottleChange[] }> {
	const speeds: ThrottleChange[] = [];
	let judged = outbox;
	for (const stream of streams) {
		const change = await judgeStream(tx, outbox, stream, now);
		if (change.slowed === change.before) continue;
		// Starts from now: a stream that was at full rate has no time to catch up on.
		judged = { ...judged, [`${stream}Slowed`]: change.slowed, [`${stream}FreeAt`]: now };
		speeds.push(change);
	}
	return { outbox: judged, speeds };
}

export async function readThrottledStreams(tx: Tx, now: Date) {
	const outbox = await readOutbox(tx);
	const throttled: ThrottleChange[] = [];
	for (const stream of EMAIL_STREAMS.filter((stream) => outbox[`${stream}Slowed`] > 1)) {
		const why = await judgeStream(tx, outbox, stream, now.getTime());
		throttled.push({ ...why, slowed: why.before });
	}
	return throttled;
}

export function throttleChangeAsText(change: ThrottleChange): string {
	const { stream, slowed, emails, dead, delivered, complaints } = change;
	const not = stream === "confirmed" ? "" : "not ";
	const name = `Emails to people who have ${not}confirmed`;
	if (slowed === 1) return `${name} are sent at the full rate again.`;
	const why =
		complaints >= COMPLAINTS
			? `${complaints} of the last ${formatNumber(delivered)} emails were marked as spam`
			: `${dead} of the last ${emails} addresses do not exist`;
	return `${name} are sent at 1/${slowed} of the rate: ${why}.`;
}

/** Logs throttling as an error, because the founder must act. */
export function logThrottleChange(log: Log, change: ThrottleChange): void {
	const details = { stream: change.stream, reason: throttleChangeAsText(change) };
	if (change.slowed > change.before) log("error", "emails slowed", details);
	else log("info", "emails faster", details);
}

/** At these providers, each mailbox has its own owner. Elsewhere, a whole domain has one. */
const PROVIDERS = new Set(
	(
		"gmail.com googlemail.com outlook.com hotmail.com live.com msn.com " +
		"hotmail.co.uk hotmail.de hotmail.es hotmail.fr hotmail.it live.co.uk live.fr live.nl outlook.de outlook.es outlook.fr " +
		"yahoo.com ymail.com yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it aol.com " +
		"icloud.com me.com mac.com proton.me protonmail.com pm.me fastmail.com zoho.com hey.com " +
		"gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de posteo.de mailbox.org " +
		"orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it " +
		"wp.pl o2.pl onet.pl interia.pl op.pl gazeta.pl seznam.cz centrum.cz abv.bg ukr.net " +
		"mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com rambler.ru " +
		"btinternet.com sky.com comcast.net verizon.net att.net sbcglobal.net cox.net charter.net " +
		"uol.com.br bol.com.br terra.com.br qq.com 163.com 126.com sina.com naver.com hanmail.net daum.net docomo.ne.jp rediffmail.com"
	).split(" "),
);

/** Second-level labels under which anyone can register, as in `co.uk`. */
const SHARED = new Set(["ac", "co", "com", "edu", "gov", "ne", "net", "or", "org"]);

/** Groups addresses of one owner, who could make them all bounce: by mailbox at large providers, else by domain. */
export function addressOwnerOf(key: string): string {
	const at = key.lastIndexOf("@");
	const domain = key.slice(at + 1);
	if (!PROVIDERS.has(domain)) return ownedDomain(domain);
	const mailbox = key.slice(0, at).replace(/[+-].*$/, "");
	return `${mailbox.replaceAll(".", "")}@${domain}`;
}

function ownedDomain(domain: string): string {
	const labels = domain.split(".");
	const isShared = labels.at(-1)?.length === 2 && SHARED.has(labels.at(-2) ?? "");
	return labels.slice(isShared ? -3 : -2).join(".");
}
