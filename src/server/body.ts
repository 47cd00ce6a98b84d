/** More than any honest registration: an address of 254 characters needs less than 2 kB escaped. */
const BODY_MAX_BYTES = 16 * 1024;

/** What came of reading a body. */
export type Body = { text: string } | { refused: "too large" | "not UTF-8" | "cut off" };

/** Reads the body of a request as UTF-8, and no further than {@link BODY_MAX_BYTES}. */
export async function readBody(request: Request): Promise<Body> {
	let text: string | undefined;
	try {
		text = await readText(request);
	} catch {
		// The visitor went away, or was too slow for the server's time limits.
		return { refused: "cut off" };
	}
	if (text === undefined) return { refused: "too large" };
	// What bytes become that are no UTF-8; no address may hold it, so nobody sends it honestly.
	if (text.includes("\uFFFD")) return { refused: "not UTF-8" };
	return { text: text.startsWith("\uFEFF") ? text.slice(1) : text };
}

/** Gives undefined where there is more than allowed. */
async function readText(request: Request): Promise<string | undefined> {
	const announced = request.headers.get("content-length");
	if (announced !== null && !request.headers.has("transfer-encoding")) {
		// Node lets no more through than was announced (RFC 9112, 6.3). Touching `request.body`
		// instead would build a web stream for each request and cost five times the CPU.
		return Number(announced) > BODY_MAX_BYTES ? undefined : request.text();
	}
	if (request.body === null) return "";
	const chunks: Uint8Array[] = [];
	let length = 0;
	// Left without cancelling: that would close the connection before the answer is out.
	for (const reader = request.body.getReader(); ; ) {
		const { done, value } = await reader.read();
		if (done) return Buffer.concat(chunks).toString();
		length += value.byteLength;
		if (length > BODY_MAX_BYTES) return undefined;
		chunks.push(value);
	}
}
