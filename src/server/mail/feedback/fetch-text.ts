/** What an answer may cost. */
export interface FetchLimits {
	mostBytes: number;
	timeoutMs: number;
}

/**
 * Fetches a small text, and follows nobody elsewhere.
 *
 * @throws Error where the answer is another one than 200, too large or too late
 */
export async function fetchText(
	url: string,
	{ mostBytes, timeoutMs }: FetchLimits,
): Promise<string> {
	const signal = AbortSignal.timeout(timeoutMs);
	const response = await fetch(url, { redirect: "error", signal });
	const chunks: Uint8Array[] = [];
	let length = 0;
	if (response.status !== 200) {
		await response.body?.cancel();
		throw new Error(`the answer is ${response.status}`);
	}
	for await (const chunk of response.body ?? []) {
		length += chunk.byteLength;
		if (length > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}
