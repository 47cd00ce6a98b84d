import { ReadableStream } from "node:stream/web";
import { downloadHeaders, pageHeaders } from "./headers.ts";
import type { Answer } from "./page.ts";
import type { Session } from "./sessions.ts";
import type { Shell } from "./shell.ts";

/**
 * What a route has answered, as a response.
 *
 * @param path of the request
 * @param onFault told why a download was cut off
 */
export function respond(
	answer: Answer,
	shell: Shell,
	path: string,
	session: Session,
	onFault: (error: unknown) => void = () => {},
): Response {
	if ("seeOther" in answer) return seeOther(answer.seeOther);
	if ("download" in answer) {
		const { download, file, type } = answer;
		// A browser that leaves ends the generator. Through a Readable it would throw an AbortError into it.
		const stream = ReadableStream.from(telling(download, onFault));
		return new Response(stream, { headers: downloadHeaders(file, type) });
	}
	const { status = 200, letter = false } = answer;
	const headers = pageHeaders({ letter });
	return new Response(shell.page(answer, path, session), { status, headers });
}

/** Leads to another page of the office. */
export function seeOther(path: string, more: Record<string, string> = {}): Response {
	return new Response(null, {
		status: 303,
		headers: { ...pageHeaders(), ...more, location: path },
	});
}

/** Gives what a download gives. A fault cuts it off, so that no browser takes a part for the whole file. */
async function* telling(
	download: AsyncIterable<string>,
	onFault: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
	try {
		for await (const text of download) yield Buffer.from(text);
	} catch (error) {
		onFault(error);
		// node-server prints this one with all of its fields, and a database's may hold values.
		throw new Error("A download was cut off. The log says why.");
	}
}
