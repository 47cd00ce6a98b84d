import { setTimeout as wait } from "node:timers/promises";
import type { SharedDatabase } from "../database/database.ts";
import type { Log } from "../log.ts";
import { createWordingSaver, type Wording } from "../registrations/wordings.ts";
import type { MailSettings } from "../settings.ts";
import { DAY_MS, MINUTE_MS } from "../time.ts";
import {
	type ClaimedEmail,
	type EmailAttempt,
	isRequestedEmailKind,
	MOST_ATTEMPTS,
} from "./emails/email.ts";
import { postmarkHeaders } from "./feedback/providers.ts";
import { createEmailLinks } from "./links/links.ts";
import { type Outbox, openOutbox } from "./outbox.ts";
import { createCircuitBreaker, LONGEST_PAUSE_MS, type ServerTrouble } from "./rate/pauses.ts";
import { logThrottleChange } from "./rate/throttle.ts";
import { createSmtpClient, SMTP_CONNECTIONS } from "./smtp/smtp.ts";
import type { SmtpOutcome } from "./smtp/smtp-outcome.ts";
import { type RenderContext, renderEmail, renderForRecipient } from "./templates/render-email.ts";

type Delivery = SmtpOutcome & { version: string };

export interface SenderSettings {
	outbox: Outbox;
	/** Never throws. */
	deliver(email: ClaimedEmail): Promise<Delivery>;
	cut(): void;
	/** Concurrent emails. If the process is killed, these become unknown. */
	connections: number;
	log: Log;
	onAttempt?: ((email: ClaimedEmail, outcome: SmtpOutcome) => void) | undefined;
	lookMs?: number;
	now?: () => number;
	random?: () => number;
}

/** Maximum share of connections for unconfirmed people: strangers can join with addresses at slow servers. */
const UNCONFIRMED_SHARE = 3 / 5;

/** In an email's first week, a "quota reached" reply uses up no attempt. */
const NEW_MS = 7 * DAY_MS;

/** The delay doubles with each attempt. */
const FIRST_RETRY_MS = 5 * MINUTE_MS;

/** Sends emails. Each is on disk as `sending` before it is sent, so a crash never sends it twice. */
export function startSender(settings: SenderSettings) {
	const { outbox, deliver, cut, connections, log, onAttempt } = settings;
	const { lookMs = 1000, now = Date.now, random = Math.random } = settings;
	const breaker = createCircuitBreaker();
	const attempts: EmailAttempt[] = [];
	const underWay = new Set<ClaimedEmail>();
	let confirmedDue = false;
	let closing = false;
	let wake = () => {};
	let pauses = 0;
	let paused = false;
	let failing = false;

	async function work(): Promise<void> {
		for (;;) {
			const free = closing ? 0 : connections - underWay.size;
			if (attempts.length === 0 && closing && underWay.size === 0) return;
			if (attempts.length === 0 && free === 0) {
				await somethingEnds();
				continue;
			}
			const goesOn = await nextTurn(free);
			if (!goesOn && attempts.length === 0 && !closing) await somethingEnds(lookMs);
		}
	}

	async function nextTurn(free: number): Promise<boolean> {
		const recorded = attempts.splice(0);
		try {
			// During an outage, calls `turn` even without outcomes, to find out whether the database is back.
			if (recorded.length === 0 && !failing) {
				const { due, pause } = await outbox.look();
				if (!due || pause) return false;
			}
			const unconfirmed = [...underWay].filter(({ stream }) => stream === "unconfirmed").length;
			const pausesBefore = pauses;
			// During an outage, claims no emails: they would become unknown if the response is lost.
			const turn = await outbox.turn(recorded, failing ? 0 : free, {
				mostUnconfirmed: Math.max(0, Math.ceil(connections * UNCONFIRMED_SHARE) - unconfirmed),
				suspects: breaker.suspects(),
			});
			confirmedDue = turn.confirmedDue;
			if (failing) log("info", "outbox available again");
			failing = false;
			if (turn.lost > 0) log("error", "emails unknown", { emails: turn.lost });
			for (const change of turn.speeds) logThrottleChange(log, change);
			for (const email of turn.emails) {
				void send(email, { probing: turn.probing, pausesBefore });
			}
			return turn.emails.length + turn.refused > 0;
		} catch (error) {
			// Recording an outcome twice is safe.
			attempts.unshift(...recorded);
			if (!failing) log("error", "outbox unavailable", { error });
			failing = true;
			if (closing) attempts.splice(0);
			else await wait(lookMs);
			return false;
		}
	}

	async function send(
		email: ClaimedEmail,
		{ probing, pausesBefore }: { probing: boolean; pausesBefore: number },
	): Promise<void> {
		underWay.add(email);
		const outcome = await deliver(email);
		onAttempt?.(email, outcome);
		const isSamePause = pauses === pausesBefore;
		if (outcome.state === "accepted" && isSamePause) {
			if (paused) log("info", "emails resumed");
			paused = false;
			breaker.passed();
		}
		// While closing, we cut connections ourselves, so failures mean nothing.
		const trouble = closing ? undefined : troubleOf(outcome);
		const refusesUs = isAboutUs(outcome);
		// Emails in progress when a pause begins fail for the same reason, so their attempts do not count.
		const isUs = trouble !== undefined && (probing || !isSamePause || refusesUs);
		const quota = outcome.state === "deferred" && outcome.quota === true;
		const isNew = now() - Date.parse(email.queuedAt) < NEW_MS;
		const counts =
			!isUs && !refusesUs && !(closing && outcome.state === "closed") && !(quota && isNew);
		const attempt = attemptOf(email, outcome, counts);
		if (quota && !isUs && attempt.nextAt) attempt.nextAt = now() + LONGEST_PAUSE_MS;
		if (isUs) {
			if (probing) breaker.probeFailed(email.key);
			await pause(trouble);
		} else if (trouble && !(email.stream === "unconfirmed" && isConfirmedNext())) {
			if (breaker.failed(email, { quota })) await pause(trouble);
		}
		attempts.push(attempt);
		underWay.delete(email);
		wake();
	}

	async function pause(trouble: ServerTrouble): Promise<void> {
		pauses += 1;
		const began = await outbox.pause(trouble).catch(() => false);
		if (began && !paused) log("error", "emails paused", { ...trouble });
		paused ||= began;
	}

	/** @param counts whether to count the attempt. If not, the email waits again. */
	function attemptOf(email: ClaimedEmail, outcome: Delivery, counts: boolean): EmailAttempt {
		const { state, code, version } = outcome;
		const attempt = { id: email.id, code, version };
		if (outcome.state === "refused") return { ...attempt, ...outcome };
		if (state === "accepted" || state === "unknown") return { ...attempt, state };
		if (!counts) return { ...attempt, state: "waiting", nextAt: now() };
		if (email.attempts >= MOST_ATTEMPTS) return { ...attempt, state: "refused" };
		// Random, so that emails deferred together are not retried together.
		const retryMs = FIRST_RETRY_MS * 2 ** (email.attempts - 1) * (0.75 + random() / 2);
		return { ...attempt, state: "deferred", nextAt: now() + Math.round(retryMs) };
	}

	/** After failures, a confirmed address is the better probe: a stranger's may not exist. */
	const isConfirmedNext = () =>
		confirmedDue || [...underWay].some(({ stream }) => stream === "confirmed");

	function somethingEnds(ms?: number): Promise<void> {
		return new Promise((resolve) => {
			const late = ms === undefined ? undefined : setTimeout(resolve, ms);
			wake = () => {
				clearTimeout(late);
				resolve();
			};
		});
	}

	const ended = work();
	return {
		ended,
		async close(graceMs: number): Promise<void> {
			closing = true;
			wake();
			const late = setTimeout(cut, graceMs);
			await ended;
			clearTimeout(late);
		},
	};
}

function troubleOf(outcome: SmtpOutcome): ServerTrouble | undefined {
	const { state, code } = outcome;
	if (state === "deferred") return { cause: "quota", code };
	if (state === "ours") return { cause: "refused", code };
	if (state === "closed" || state === "unknown") return { cause: "unreachable", code };
	return undefined;
}

/** Whether the mail server rejected us, not this email. */
const isAboutUs = (outcome: SmtpOutcome) =>
	(outcome.state === "ours" || outcome.state === "closed") && !outcome.atEmail;

interface SendingSettings extends Pick<SenderSettings, "onAttempt" | "log"> {
	mail: MailSettings;
	secret: string;
	codeOf: RenderContext["codeOf"];
	database: SharedDatabase;
}

export async function startMail({
	mail,
	secret,
	codeOf,
	database,
	log,
	onAttempt,
}: SendingSettings) {
	const links = createEmailLinks(secret, mail);
	const making = { links, codeOf };
	const smtp = await createSmtpClient(mail);
	const { rate, warmUp } = mail;
	const saveWordings = createWordingSaver(database, [confirmWording()]);
	const sender = startSender({
		outbox: openOutbox(database, { rate, warmUp, saveWordings }),
		async deliver(email) {
			const { id, kind, email: to } = email;
			const { version, ...written } = renderForRecipient(email, making, Date.now());
			const headers = mail.feedback.postmark ? postmarkHeaders(id) : {};
			const about = { id, to, automatic: isRequestedEmailKind(kind), headers };
			return { ...(await smtp.send({ ...about, ...written })), version };
		},
		cut: smtp.close,
		connections: SMTP_CONNECTIONS,
		onAttempt,
		log,
	});
	void sender.ended.finally(smtp.close).catch(() => {});
	return { links, sender };
}

function confirmWording(): Wording {
	const links = { confirmUrl: "[link to confirm]", unsubscribeUrl: "[link to unsubscribe]" };
	const { subject, text, version } = renderEmail("confirm", links);
	return { version, kind: "email", said: `Subject: ${subject}\n\n${text.trimEnd()}`, leadsTo: [] };
}
