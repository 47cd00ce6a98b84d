import { isUtf8 } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";

export interface PeerAndRequestId {
	peer?: string | undefined;
	requestId?: string | undefined;
}

export interface Call extends PeerAndRequestId {
	header(name: string): string | null;
	readBody(mostBytes?: number): Promise<RequestBody>;
}

export function createCall(request: Request, { peer, requestId }: PeerAndRequestId = {}): Call {
	return {
		peer,
		requestId,
		header: (name) =>
			request.headers.get(name) ?? (name === "host" ? new URL(request.url).host : null),
		readBody: (mostBytes) => readBody(request, mostBytes),
	};
}

/** Whether another site's page sent the request. False for programs, which send neither header read here. */
export function isCrossSite(call: Call): boolean {
	const site = call.header("sec-fetch-site");
	// `none`: the visitor typed the URL or restarted the browser.
	if (site !== null) return site !== "same-origin" && site !== "none";
	// Browsers before 2023, or over plain HTTP, send only `Origin`.
	const origin = call.header("origin");
	return origin !== null && !isOurs(call, origin);
}

/** Returns the URL query of our page that submitted the form. */
export function referrerQuery(call: Call): URLSearchParams {
	const page = call.header("referer") ?? "";
	// A proxy may have changed the host, but not `Sec-Fetch-Site`.
	const ours = call.header("sec-fetch-site") === "same-origin" || isOurs(call, page);
	return new URLSearchParams(ours && URL.canParse(page) ? new URL(page).search : "");
}

/** Compares parsed hosts, because the Host header may include the default port. */
function isOurs(call: Call, address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, host } = new URL(address);
	const named = `${protocol}//${call.header("host")}`;
	return URL.canParse(named) && new URL(named).host === host;
}

export type RequestBody = { text: string } | { refused: "too large" | "not UTF-8" | "cut off" };

/** 16 kB by default: a join needs under 2 kB, even with an escaped address. */
async function readBody(request: Request, mostBytes = 16 * 1024): Promise<RequestBody> {
	try {
		const bytes = await readBytes(request, mostBytes);
		if (!bytes) return { refused: "too large" };
		if (!isUtf8(bytes)) return { refused: "not UTF-8" };
		return { text: bytes.toString().replace(/^\uFEFF/, "") };
	} catch {
		// The visitor disconnected, or exceeded a timeout in listen.ts.
		return { refused: "cut off" };
	}
}

async function readBytes(request: Request, mostBytes: number): Promise<Buffer | undefined> {
	const announced = request.headers.get("content-length");
	if (announced !== null && !request.headers.has("transfer-encoding")) {
		// Node reads at most Content-Length bytes. Counting them in a stream would take five times the CPU time.
		if (Number(announced) > mostBytes) return undefined;
		return Buffer.from(await request.arrayBuffer());
	}
	if (request.body === null) return Buffer.alloc(0);
	const chunks: Uint8Array[] = [];
	let length = 0;
	// Never cancel the reader: that would close the connection before the response is sent.
	for (const reader = request.body.getReader(); ; ) {
		const { done, value } = await reader.read();
		if (done) return Buffer.concat(chunks);
		length += value.byteLength;
		if (length > mostBytes) return undefined;
		chunks.push(value);
	}
}

export interface RequestRefusal {
	status: 400 | 403 | 413 | 415;
	error: string;
}

export const JSON_TYPE = "application/json";

export const createBodyErrors = (what: string) =>
	({
		"no JSON": { status: 415, error: `Please send ${what} as JSON (${JSON_TYPE}).` },
		encoded: { status: 415, error: `Please send ${what} without Content-Encoding.` },
		"too large": { status: 413, error: "Request body too large." },
		"not UTF-8": { status: 400, error: `Please send ${what} as UTF-8.` },
		"cut off": { status: 400, error: "Request body incomplete." },
		"no object": { status: 400, error: `Please send a JSON object with ${what}.` },
	}) as const;

export type BodyErrors = ReturnType<typeof createBodyErrors>;

export async function readBodyObject(
	call: Call,
	refusals: BodyErrors,
): Promise<((name: string) => unknown) | RequestRefusal> {
	if (mediaType(call) !== JSON_TYPE) return refusals["no JSON"];
	const body = await readBodyText(call, refusals);
	if (!("text" in body)) return body;
	const value = parseJson(body.text);
	if (typeof value !== "object" || value === null || Array.isArray(value)) {
		return refusals["no object"];
	}
	const object = value as Record<string, unknown>;
	return (name) => (Object.hasOwn(object, name) ? object[name] : undefined);
}

export async function readBodyText(
	call: Call,
	refusals: BodyErrors,
	mostBytes?: number,
): Promise<{ text: string } | RequestRefusal> {
	if (call.header("content-encoding") !== null) return refusals.encoded;
	const body = await call.readBody(mostBytes);
	return "refused" in body ? refusals[body.refused] : body;
}

/** Ignores the charset, because bodies must be UTF-8. */
export const mediaType = (call: Call): string =>
	(call.header("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();

export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Compares in constant time. */
export function isSameSecret(one: Buffer | string, other: Buffer | string): boolean {
	const hashOf = (secret: Buffer | string) => createHash("sha256").update(secret).digest();
	return timingSafeEqual(hashOf(one), hashOf(other));
}

/** Whether the call has one of the keys as its bearer token (RFC 6750, 2.1), in constant time. */
export function hasBearerToken(call: Call, keys: readonly string[]): boolean {
	const [, given = ""] = /^Bearer +(\S+)$/i.exec(call.header("authorization") ?? "") ?? [];
	return keys.map((key) => isSameSecret(key, given)).includes(true);
}
