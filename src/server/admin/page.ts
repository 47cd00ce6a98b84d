import type { SharedDatabase } from "../database/database.ts";
import type { Operation } from "../registrations/operation.ts";
import type { Html } from "../text/html.ts";
import type { Session } from "./sessions.ts";

/** A request with a session, from our own page. */
export interface PageRequest extends Operation<SharedDatabase> {
	session: Session;
	/** Parameters of the path: `key` of `/person/:key`. */
	params: Readonly<Record<string, string>>;
	search: URLSearchParams;
	/** Fields of a POST; empty for a GET. */
	form: URLSearchParams;
}

/** The content of a page, without the shell around it. */
export interface Page {
	/** The heading, and the name of the tab. */
	title: string;
	main: Html;
	status?: number;
	/** Whether an email is shown in a frame, with its own styles. */
	hasEmail?: boolean;
}

/** A file that the browser saves, written while it is read. */
export interface Download {
	download: AsyncIterable<string>;
	/** ASCII letters, digits, dots and dashes. */
	file: string;
	type: "text/csv" | "text/plain";
}

/** After a POST, `seeOther` is the path of the page to show, which is safe to reload. */
export type PageResponse = Page | Download | { seeOther: string };

/** One address of the admin pages. */
export interface Route {
	method: "GET" | "POST";
	/** As in Hono: `/person/:key`. */
	path: string;
	/** The largest body of its form; 16 kB by default. */
	mostBytes?: number;
	respond(request: PageRequest): PageResponse | Promise<PageResponse>;
}
