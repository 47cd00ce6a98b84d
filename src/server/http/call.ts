import { type Body, readBody } from "./body.ts";

/** One request to the API, whoever sends it, before anything in it is checked. */
export interface Call {
	/** IP address at the other end of the connection. */
	peer: string | undefined;
	/** Ties the request to its line in the log. */
	requestId: string | undefined;
	/**
	 * The value of a header, as the fetch API gives it: values of the same name joined by commas,
	 * null if the header is absent.
	 *
	 * @param name in lower case
	 */
	header(name: string): string | null;
	/**
	 * Reads the body. Works once.
	 *
	 * @param mostBytes BODY_MAX_BYTES, unless given
	 */
	readBody(mostBytes?: number): Promise<Body>;
}

/** What is known of a request besides itself. */
export interface Arrival {
	/** IP address at the other end of the connection. */
	peer?: string | undefined;
	/** Ties the request to its line in the log. */
	requestId?: string;
}

/** A request of the fetch API as a call. */
export function callOf(request: Request, { peer, requestId }: Arrival = {}): Call {
	return {
		peer,
		requestId,
		header: (name) =>
			request.headers.get(name) ?? (name === "host" ? new URL(request.url).host : null),
		readBody: (mostBytes) => readBody(request, mostBytes),
	};
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": ":80", "https:": ":443" };

/**
 * Whether a page of another site made a browser send this: such a form could put visitors on the
 * list who never saw our page. Programs that are not browsers send neither header, and pass.
 */
export function isCrossSite(call: Call): boolean {
	const site = call.header("sec-fetch-site");
	// `none` means the visitor acted without any page: typed the address, or restarted the browser.
	if (site !== null) return site !== "same-origin" && site !== "none";
	// Browsers before 2023, and plain http, send only the origin.
	const origin = call.header("origin");
	if (origin === null) return false;
	return !isOurs(call, origin);
}

/**
 * The query of our page whose form a browser sent, parsed; empty where the browser does not say. It sends
 * `Referer` in full to the site itself, as our `Referrer-Policy` allows.
 */
export function pageQuery(call: Call): URLSearchParams {
	const page = call.header("referer") ?? "";
	// A proxy may have changed the host, but not what the browser knows of the site.
	const ours = call.header("sec-fetch-site") === "same-origin" || isOurs(call, page);
	return new URLSearchParams(ours && URL.canParse(page) ? new URL(page).search : "");
}

/** Whether an address is on the host that the request was sent to. */
function isOurs(call: Call, address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { host, protocol } = new URL(address);
	const named = call.header("host")?.toLowerCase();
	// Without the port in the address it is the default one, which the host may name.
	return named === host || named === `${host}${defaultPorts[protocol] ?? ""}`;
}
