type Coding = "br" | "gzip" | "identity";

/** One file, in every coding that the build wrote. */
export interface StaticFile {
	bodies: Partial<Record<Coding, Uint8Array>> & { identity: Uint8Array };
	/** Hash of the content: the same on every copy of the server. */
	hash: string;
	headers: Record<string, string>;
}

/** Best first. The build writes them beside each file that is worth compressing. */
export const codings: readonly { coding: Coding; ending: string }[] = [
	{ coding: "br", ending: ".br" },
	{ coding: "gzip", ending: ".gz" },
];

/**
 * Sends a file in the best coding that the visitor accepts, or the requested part of it, or 304 if
 * the visitor already has it (RFC 9110, sections 12.5.3, 13 and 14).
 */
export function sendFile(file: StaticFile, request: Request, status: 200 | 404): Response {
	// Ranges apply to GET only (RFC 9110, 14.2).
	const mayBePart = status === 200 && request.method === "GET";
	const range = mayBePart ? request.headers.get("range") : null;
	// A range of bytes means the file itself, not a compressed one.
	const coding = range === null ? chooseCoding(file, request) : "identity";
	const body = file.bodies[coding]!;
	const etag = `"${file.hash}${coding === "identity" ? "" : `-${coding}`}"`;
	const headers: Record<string, string> = { ...file.headers, etag };
	if (Object.keys(file.bodies).length > 1) headers.vary = "accept-encoding";
	if (coding !== "identity") headers["content-encoding"] = coding;

	if (status === 404) return new Response(body, { status, headers: sized(headers, body.length) });
	if (isKnown(request, etag)) return new Response(null, { status: 304, headers });

	headers["accept-ranges"] = "bytes";
	const ifRange = request.headers.get("if-range");
	const part =
		range === null || (ifRange !== null && ifRange !== etag)
			? undefined
			: parseRange(range, body.length);
	if (part === "unsatisfiable") {
		headers["content-range"] = `bytes */${body.length}`;
		return new Response(null, { status: 416, headers: sized(headers, 0) });
	}
	if (part) {
		const { start, end } = part;
		headers["content-range"] = `bytes ${start}-${end - 1}/${body.length}`;
		return new Response(body.subarray(start, end), {
			status: 206,
			headers: sized(headers, end - start),
		});
	}
	return new Response(body, { status, headers: sized(headers, body.length) });
}

/** Names the length, because a response to HEAD has no body from which Node could tell it. */
function sized(headers: Record<string, string>, length: number): Record<string, string> {
	return { ...headers, "content-length": String(length) };
}

/** The best coding that the visitor accepts (RFC 9110, 12.5.3). */
function chooseCoding(file: StaticFile, request: Request): Coding {
	const weights = new Map<string, number>();
	for (const item of (request.headers.get("accept-encoding") ?? "").toLowerCase().split(",")) {
		const [name, weight] = item.split(";");
		weights.set(
			name!.trim(),
			weight === undefined ? 1 : Number(/q=([\d.]+)/.exec(weight)?.[1] ?? 1),
		);
	}
	const accepts = (coding: Coding) => (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
	return codings.find(({ coding }) => file.bodies[coding] && accepts(coding))?.coding ?? "identity";
}

/** Whether the visitor already has this content (RFC 9110, 13.1.2: weak comparison). */
function isKnown(request: Request, etag: string): boolean {
	const known = request.headers.get("if-none-match");
	if (known === null) return false;
	return known.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
}

/** One range of bytes (RFC 9110, 14.1.2), `end` exclusive; anything else means the whole file. */
function parseRange(
	range: string,
	length: number,
): { start: number; end: number } | "unsatisfiable" | undefined {
	const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range.trim()) ?? [];
	if (first === undefined || last === undefined || first + last === "") return undefined;
	const start = first === "" ? Math.max(0, length - Number(last)) : Number(first);
	const end = first === "" || last === "" ? length : Math.min(length, Number(last) + 1);
	if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
	return start < end ? { start, end } : "unsatisfiable";
}
