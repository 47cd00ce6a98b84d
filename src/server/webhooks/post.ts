import { brand } from "#brand";
import { HOUR_MS } from "../time.ts";

export interface Posted {
	/** The HTTP status; 0 without an answer. */
	status: number;
	/** The status, or the network's code, as in `ECONNREFUSED`: never the text of an answer. */
	code: string;
	waitMs: number;
}

const USER_AGENT = `${brand.product.replace(/[^\w.-]+/g, "-")}-waitlist`;

const ANSWER_MS = 10_000;

/** We wait no longer, whatever another server asks for. */
export const MOST_WAIT_MS = HOUR_MS;

/** Bytes of an answer that are read and dropped, so that its connection can be used again. */
const MOST_ANSWER_BYTES = 65_536;

/**
 * Posts JSON to an address that the founder has set. Follows no redirect, because it could lead into
 * the founder's network, and drops the answer except for its status and `Retry-After`. Never throws.
 */
export async function post(
	url: string,
	body: string,
	{ headers, signal }: { headers?: Record<string, string>; signal?: AbortSignal | undefined } = {},
): Promise<Posted> {
	const late = AbortSignal.timeout(ANSWER_MS);
	try {
		const response = await fetch(url, {
			method: "POST",
			headers: { "content-type": "application/json", "user-agent": USER_AGENT, ...headers },
			body,
			redirect: "manual",
			signal: signal ? AbortSignal.any([signal, late]) : late,
		});
		await drop(response);
		const waitMs = waitOf(response.headers.get("retry-after") ?? "");
		return { status: response.status, code: String(response.status), waitMs };
	} catch (error) {
		return { status: 0, code: codeOf(error), waitMs: 0 };
	}
}

/** A redirect is a failure like any other. */
export const isAccepted = ({ status }: Posted) => status >= 200 && status < 300;

async function drop({ body }: Response): Promise<void> {
	let length = 0;
	try {
		for await (const bytes of body ?? []) {
			length += bytes.length;
			if (length > MOST_ANSWER_BYTES) return;
		}
	} catch {
		// The status has arrived, and is the answer.
	}
}

/** Reads `Retry-After`: seconds or a date (RFC 9110, 10.2.3). */
function waitOf(text: string): number {
	const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
	return Math.min(Math.max(ms || 0, 0), MOST_WAIT_MS);
}

function codeOf(error: unknown): string {
	const { name, cause } = error as {
		name?: string;
		cause?: { code?: unknown; errors?: { code?: unknown }[] };
	};
	if (name === "TimeoutError" || name === "AbortError") return "no answer in time";
	const code = cause?.errors?.[0]?.code ?? cause?.code;
	return typeof code === "string" ? code : "no answer";
}
