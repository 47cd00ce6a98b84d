import type { SharedDatabase } from "../database/database.ts";
import type { Html } from "../html.ts";
import type { Session } from "./sessions.ts";

/** What somebody who is signed in asks for. Where it came from and that it is theirs is checked. */
export interface Asked {
	session: Session;
	database: SharedDatabase;
	now: Date;
	/** The parts of the path that the route names: `id` of `/person/:id`. */
	parts: Readonly<Record<string, string>>;
	/** What follows `?` in the address. */
	search: URLSearchParams;
	/** The fields of a POST; empty for a GET. */
	form: URLSearchParams;
}

/** A page, which gets the shell around it. */
export interface Page {
	/** Its heading, and its name in the tab. */
	title: string;
	/** What stands below the heading. */
	main: Html;
	status?: number;
	/** Whether it holds a letter in a frame, with the letter's own styles. */
	letter?: boolean;
}

/** A file that the browser keeps, as it is made. */
export interface Download {
	download: AsyncIterable<string>;
	/** Of letters, digits, dots and dashes. */
	file: string;
	type: "text/csv" | "application/jsonl";
}

/** What is answered. After a POST, `seeOther` is the path of the page to show: it is safe to reload. */
export type Answer = Page | Download | { seeOther: string };

/** One address of the office. */
export interface OfficeRoute {
	method: "GET" | "POST";
	/** As in Hono: `/person/:id`. */
	path: string;
	/** The largest body of its form; 16 kB without it. */
	mostBytes?: number;
	respond(asked: Asked): Answer | Promise<Answer>;
}
