import { ReadableStream } from "node:stream/web";
import type { SharedDatabase } from "../database/database.ts";
import { isolationHeaders, nosniff } from "../http/responses.ts";
import type { Operation } from "../registrations/operation.ts";
import type { Html } from "../text/html.ts";

export interface PageRequest extends Operation<SharedDatabase> {
	/** Path parameters, such as `key` of `/people/:key`. */
	params: Readonly<Record<string, string>>;
	search: URLSearchParams;
	form: URLSearchParams;
}

export interface Page {
	title: string;
	main: Html;
	status?: number;
	/** Whether the page shows an email. Allows inline styles, which emails need. */
	hasEmail?: boolean;
}

interface Download {
	download: AsyncIterable<string>;
	file: string;
	type: "text/csv" | "text/plain";
}

/** `seeOther` redirects after a POST, to a page that is safe to reload. */
export type PageResponse = Page | Download | { seeOther: string };

export interface Route {
	method: "GET" | "POST";
	path: string;
	respond(request: PageRequest): PageResponse | Promise<PageResponse>;
	/** Maximum form size; 16 kB by default. */
	mostBytes?: number | undefined;
}

export function getRoute(path: string, respond: Route["respond"]): Route {
	return { method: "GET", path, respond };
}

export function postRoute(path: string, respond: Route["respond"], mostBytes?: number): Route {
	return { method: "POST", path, respond, mostBytes };
}

export function pageHeaders({ hasEmail = false } = {}) {
	const policy = [
		"default-src 'none'",
		`style-src 'self'${hasEmail ? " 'unsafe-inline'" : ""}`,
		"font-src 'self'",
		"img-src 'self'",
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	];
	return {
		...isolationHeaders,
		...nosniff,
		"cache-control": "no-store",
		"content-security-policy": policy.join("; "),
		"content-type": "text/html; charset=utf-8",
		// With `no-referrer`, browsers would send `Origin: null` (Fetch, 3.1), which the guard refuses.
		"referrer-policy": "same-origin",
		"x-frame-options": "DENY",
		"x-robots-tag": "noindex",
	};
}

/** @param onFault called with the error that cut off a download */
export function toResponse(
	response: PageResponse,
	render: (page: Page) => string,
	onFault: (error: unknown) => void,
): Response {
	if ("seeOther" in response) return seeOther(response.seeOther);
	if ("download" in response) {
		const { download, file, type } = response;
		// Ends the generator when the browser disconnects. A Node Readable would throw an AbortError into the generator.
		const stream = ReadableStream.from(bytesOf(download, onFault));
		const headers = {
			...isolationHeaders,
			...nosniff,
			"cache-control": "no-store",
			"content-disposition": `attachment; filename="${file}"`,
			"content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
			"content-type": `${type}; charset=utf-8`,
		};
		return new Response(stream, { headers });
	}
	return new Response(render(response), {
		status: response.status ?? 200,
		headers: pageHeaders(response),
	});
}

export const seeOther = (location: string, more: Record<string, string> = {}) =>
	new Response(null, { status: 303, headers: { ...pageHeaders(), ...more, location } });

/** Fails if reading fails, so that browsers do not treat the download as complete. */
async function* bytesOf(
	download: AsyncIterable<string>,
	onFault: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
	try {
		for await (const text of download) yield Buffer.from(text);
	} catch (error) {
		onFault(error);
		// Hides the original error: node-server would log its fields, which may contain addresses.
		throw new Error("A download was cut off. The log says why.");
	}
}
