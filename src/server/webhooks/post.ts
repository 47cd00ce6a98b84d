import { brand } from "#brand";
import { HOUR_MS } from "../time.ts";

export interface PostOutcome {
	status: number;
	/** HTTP status, or an error code such as `ECONNREFUSED`. Never the response text. */
	code: string;
	waitMs: number;
}

const USER_AGENT = `${brand.product.replace(/[^\w.-]+/g, "-")}-waitlist`;

export const MOST_RETRY_AFTER_MS = HOUR_MS;

/** Posts JSON. Never throws. Redirects are not followed: they could lead into the founder's network. */
export async function postJson(
	url: string,
	body: string,
	{ headers, signal }: { headers?: Record<string, string>; signal?: AbortSignal | undefined } = {},
): Promise<PostOutcome> {
	const late = AbortSignal.timeout(10_000);
	try {
		const response = await fetch(url, {
			method: "POST",
			headers: { "content-type": "application/json", "user-agent": USER_AGENT, ...headers },
			body,
			redirect: "manual",
			signal: signal ? AbortSignal.any([signal, late]) : late,
		});
		// The response body may be endless.
		await response.body?.cancel();
		const waitMs = waitOf(response.headers.get("retry-after") ?? "");
		return { status: response.status, code: String(response.status), waitMs };
	} catch (error) {
		return { status: 0, code: codeOf(error), waitMs: 0 };
	}
}

export const isAccepted = ({ status }: PostOutcome) => status >= 200 && status < 300;

/** Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3). */
function waitOf(text: string): number {
	const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
	return Math.min(Math.max(ms || 0, 0), MOST_RETRY_AFTER_MS);
}

function codeOf(error: unknown): string {
	const { cause } = error as { cause?: { code?: unknown; errors?: { code?: unknown }[] } };
	const code = cause?.errors?.[0]?.code ?? cause?.code;
	return typeof code === "string" ? code : "no answer";
}
