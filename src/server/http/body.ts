/** More than any honest registration: an address of 254 characters needs less than 2 kB escaped. */
export const BODY_MAX_BYTES = 16 * 1024;

/** What came of reading a body. */
export type Body = { text: string } | { refused: "too large" | "not UTF-8" | "cut off" };

/** Reads the body of a request as UTF-8, and no further than {@link BODY_MAX_BYTES}. */
export async function readBody(request: Request): Promise<Body> {
	try {
		const bytes = await readBytes(request);
		return bytes ? decodeBody(bytes) : { refused: "too large" };
	} catch {
		// The visitor went away, or was too slow for the server's time limits.
		return { refused: "cut off" };
	}
}

/** A whole body as text, without a byte order mark. */
export function decodeBody(bytes: Buffer): Body {
	const text = bytes.toString();
	// What bytes become that are no UTF-8; no address may hold it, so nobody sends it honestly.
	if (text.includes("\uFFFD")) return { refused: "not UTF-8" };
	return { text: text.startsWith("\uFEFF") ? text.slice(1) : text };
}

/** Gives undefined where there is more than allowed. */
async function readBytes(request: Request): Promise<Buffer | undefined> {
	const announced = request.headers.get("content-length");
	if (announced !== null && !request.headers.has("transfer-encoding")) {
		// Node lets no more through than was announced (RFC 9112, 6.3). Touching `request.body`
		// instead would build a web stream for each request and cost five times the CPU.
		if (Number(announced) > BODY_MAX_BYTES) return undefined;
		return Buffer.from(await request.arrayBuffer());
	}
	if (request.body === null) return Buffer.alloc(0);
	const chunks: Uint8Array[] = [];
	let length = 0;
	// Left without cancelling: that would close the connection before the answer is out.
	for (const reader = request.body.getReader(); ; ) {
		const { done, value } = await reader.read();
		if (done) return Buffer.concat(chunks);
		length += value.byteLength;
		if (length > BODY_MAX_BYTES) return undefined;
		chunks.push(value);
	}
}
