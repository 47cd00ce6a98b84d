import { type Body, readBody } from "../http/body.ts";

/** Somebody tries to join: what is known before it is a registration, or none. */
export interface Attempt {
	/** IP address at the other end of the connection. */
	peer: string | undefined;
	/** What ties the attempt to its line in the log. */
	requestId: string | undefined;
	/**
	 * The value of a header, as the fetch API gives it: those of one name joined by commas, and null
	 * where there is none.
	 *
	 * @param name in lower case
	 */
	header(name: string): string | null;
	/** Reads the body, which can be done once. */
	readBody(): Promise<Body>;
}

/** What is known of a request beside itself. */
export interface Arrival {
	/** IP address at the other end of the connection. */
	peer?: string | undefined;
	/** What ties the request to its line in the log. */
	requestId?: string;
}

/** The attempt in a request of the fetch API. */
export function attemptIn(request: Request, { peer, requestId }: Arrival = {}): Attempt {
	return {
		peer,
		requestId,
		header: (name) =>
			request.headers.get(name) ?? (name === "host" ? new URL(request.url).host : null),
		readBody: () => readBody(request),
	};
}
