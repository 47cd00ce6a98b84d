import { isUtf8 } from "node:buffer";

export interface Arrival {
	peer?: string | undefined;
	requestId?: string | undefined;
}

export interface Call extends Arrival {
	header(name: string): string | null;
	readBody(mostBytes?: number): Promise<Body>;
}

export function callOf(request: Request, { peer, requestId }: Arrival = {}): Call {
	return {
		peer,
		requestId,
		header: (name) =>
			request.headers.get(name) ?? (name === "host" ? new URL(request.url).host : null),
		readBody: (mostBytes) => readBody(request, mostBytes),
	};
}

/**
 * Whether a page of another site made a browser send this: its form could join visitors who never
 * saw our page. Programs that are not browsers send neither header, and pass.
 */
export function isCrossSite(call: Call): boolean {
	const site = call.header("sec-fetch-site");
	// `none`: the visitor typed the address, or restarted the browser.
	if (site !== null) return site !== "same-origin" && site !== "none";
	// Browsers before 2023, and plain http, send only the origin.
	const origin = call.header("origin");
	return origin !== null && !isOurs(call, origin);
}

/** The query of our page whose form a browser sent. Our `Referrer-Policy` keeps it within the site. */
export function pageQuery(call: Call): URLSearchParams {
	const page = call.header("referer") ?? "";
	// A proxy may have changed the host, but not `Sec-Fetch-Site`.
	const ours = call.header("sec-fetch-site") === "same-origin" || isOurs(call, page);
	return new URLSearchParams(ours && URL.canParse(page) ? new URL(page).search : "");
}

const isOurs = (call: Call, address: string) =>
	URL.canParse(address) && new URL(address).host === call.header("host")?.toLowerCase();

/** A join needs less than 2 kB: an escaped address of 254 characters. */
const BODY_MAX_BYTES = 16 * 1024;

export type Body = { text: string } | { refused: "too large" | "not UTF-8" | "cut off" };

async function readBody(request: Request, mostBytes = BODY_MAX_BYTES): Promise<Body> {
	try {
		const bytes = await readBytes(request, mostBytes);
		if (!bytes) return { refused: "too large" };
		if (!isUtf8(bytes)) return { refused: "not UTF-8" };
		return { text: bytes.toString().replace(/^\uFEFF/, "") };
	} catch {
		// The visitor left, or was too slow for the time limits of listen.ts.
		return { refused: "cut off" };
	}
}

async function readBytes(request: Request, mostBytes: number): Promise<Buffer | undefined> {
	const announced = request.headers.get("content-length");
	if (announced !== null && !request.headers.has("transfer-encoding")) {
		// Node passes on no more than was announced (RFC 9112, 6.3). Reading `request.body` would build
		// a web stream for each request and cost five times the CPU.
		if (Number(announced) > mostBytes) return undefined;
		return Buffer.from(await request.arrayBuffer());
	}
	if (request.body === null) return Buffer.alloc(0);
	const chunks: Uint8Array[] = [];
	let length = 0;
	// The reader is never canceled: that would close the connection before the response is sent.
	for (const reader = request.body.getReader(); ; ) {
		const { done, value } = await reader.read();
		if (done) return Buffer.concat(chunks);
		length += value.byteLength;
		if (length > mostBytes) return undefined;
		chunks.push(value);
	}
}
