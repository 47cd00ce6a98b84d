import { brand } from "#brand";

/** What became of a message to another server. */
export interface Posted {
	/** Of HTTP; 0 where no answer came. */
	status: number;
	/** The status, or the network's own word, as in `ECONNREFUSED`: never the text of an answer. */
	code: string;
	/** Whether the message may have arrived although no answer says so. */
	unknown: boolean;
	/** How long the other server asks us to wait, in ms; 0 where it does not. */
	waitMs: number;
	/** How far its clock is ahead of ours, in ms, by its `Date`; undefined where it says none. */
	aheadMs: number | undefined;
}

/** So that whoever runs the other server can tell who asks. */
const USER_AGENT = `${brand.product.replace(/[^\w.-]+/g, "-")}-waitlist`;

/** How long an answer may take. */
const ANSWER_MS = 10_000;

/** No wait that another server asks for is longer. */
export const MOST_WAIT_MS = 3_600_000;

/** Bytes of an answer that are passed over, so that its connection can be used again. */
const MOST_ANSWER_BYTES = 65_536;

/** A connection that never was: the other server has not heard of the message. */
const NEVER_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

/**
 * Sends a message to an address that the operator has set. Follows no redirect, because it could lead
 * into the operator's own network, and keeps nothing of the answer but its status and two headers. Never
 * throws.
 */
export async function post(
	url: string,
	message: { method?: "POST" | "HEAD"; headers?: Record<string, string>; body?: string },
	signal?: AbortSignal,
): Promise<Posted> {
	const late = AbortSignal.timeout(ANSWER_MS);
	try {
		const response = await fetch(url, {
			method: "POST",
			...message,
			headers: { "user-agent": USER_AGENT, ...message.headers },
			redirect: "manual",
			signal: signal ? AbortSignal.any([signal, late]) : late,
		});
		await passOver(response);
		const { status, headers } = response;
		const date = Date.parse(headers.get("date") ?? "");
		return {
			status,
			code: String(status),
			unknown: false,
			waitMs: waitOf(headers.get("retry-after"), Date.now()),
			aheadMs: Number.isNaN(date) ? undefined : date - Date.now(),
		};
	} catch (error) {
		const code = codeOf(error);
		const unknown = !NEVER_SENT.includes(code);
		return { status: 0, code, unknown, waitMs: 0, aheadMs: undefined };
	}
}

/** Whether a message was taken. A redirect is a failure like any other. */
export const isTaken = ({ status }: Posted) => status >= 200 && status < 300;

async function passOver({ body }: Response): Promise<void> {
	let room = MOST_ANSWER_BYTES;
	try {
		for await (const bytes of body ?? []) {
			room -= bytes.length;
			if (room < 0) return;
		}
	} catch {
		// The status has arrived, and is the answer.
	}
}

/**
 * Reads `Retry-After`: seconds or a date (RFC 9110, 10.2.3).
 *
 * @param now in ms since 1970
 */
function waitOf(text: string | null, now: number): number {
	if (text === null) return 0;
	const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Math.min(Math.max(ms || 0, 0), MOST_WAIT_MS);
}

function codeOf(error: unknown): string {
	const { name, cause } = error as { name?: string; cause?: { code?: unknown; errors?: unknown } };
	if (name === "TimeoutError" || name === "AbortError") return "no answer in time";
	const [first] = Array.isArray(cause?.errors) ? cause.errors : [cause];
	const code = (first as { code?: unknown } | undefined)?.code ?? cause?.code;
	return typeof code === "string" ? code : "no answer";
}
