import { isUtf8 } from "node:buffer";

/**
 * Bytes of a body at most. A join needs less than 2 kB, the size of an escaped address of 254
 * characters. Most other calls are smaller.
 */
const BODY_MAX_BYTES = 16 * 1024;

/** The text of a body, or why it was not read. */
export type Body = { text: string } | { refused: "too large" | "not UTF-8" | "cut off" };

/** Reads the body of a request as UTF-8. */
export async function readBody(request: Request, mostBytes = BODY_MAX_BYTES): Promise<Body> {
	try {
		const bytes = await readBytes(request, mostBytes);
		return bytes ? decodeBody(bytes) : { refused: "too large" };
	} catch {
		// The visitor left, or was too slow for the time limits of listen.ts.
		return { refused: "cut off" };
	}
}

/** A whole body as text, without a byte order mark. */
function decodeBody(bytes: Buffer): Body {
	if (!isUtf8(bytes)) return { refused: "not UTF-8" };
	const text = bytes.toString();
	return { text: text.startsWith("\uFEFF") ? text.slice(1) : text };
}

/** Undefined for a body that is too large. */
async function readBytes(request: Request, mostBytes: number): Promise<Buffer | undefined> {
	const announced = request.headers.get("content-length");
	if (announced !== null && !request.headers.has("transfer-encoding")) {
		// Node passes on no more than was announced (RFC 9112, 6.3). Reading `request.body` instead
		// would build a web stream for each request and cost five times the CPU.
		if (Number(announced) > mostBytes) return undefined;
		return Buffer.from(await request.arrayBuffer());
	}
	if (request.body === null) return Buffer.alloc(0);
	const chunks: Uint8Array[] = [];
	let length = 0;
	// The reader is never cancelled: that would close the connection before the response is sent.
	for (const reader = request.body.getReader(); ; ) {
		const { done, value } = await reader.read();
		if (done) return Buffer.concat(chunks);
		length += value.byteLength;
		if (length > mostBytes) return undefined;
		chunks.push(value);
	}
}
