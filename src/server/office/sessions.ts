import { randomBytes } from "node:crypto";
import { ask, type Query, type SharedDatabase } from "../database/database.ts";
import { furthest } from "../database/waits.ts";
import { COMMAND, noteInAudit } from "../waitlist/audit.ts";
import type { OfficeKeys } from "./keys.ts";
import {
	addLink,
	addSession,
	deleteLinks,
	deleteSession,
	endOpenSessions,
	findLink,
	openSessions,
	sessionOf,
	sweepLinks,
	sweepSessions,
	takeLink,
} from "./office-tables.ts";

/** How long a link signs in. */
export const LINK_MINUTES = 5;

/** How long a session lasts, whatever is done in it. */
export const SESSION_HOURS = 12;

/** A browser that is signed in. */
export interface Session {
	/** Names it, for people and in the audit trail: 8 hexadecimal digits. */
	id: string;
	/** ISO 8601: when it began, and when it ends by itself. */
	since: string;
	until: string;
	/** What the browser says it is. It may say anything. */
	agent: string;
}

/** Characters that are kept of what a browser says it is. */
const AGENT_LENGTH = 200;

const after = (now: Date, minutes: number) =>
	new Date(now.getTime() + minutes * 60_000).toISOString();

/** Now, and the furthest end of what lasts so many minutes. */
const lasting = (now: Date, minutes: number): [now: string, furthest: string] => [
	now.toISOString(),
	furthest(now.getTime(), minutes * 60_000),
];
const ofLinks = (now: Date) => lasting(now, LINK_MINUTES);
const ofSessions = (now: Date) => lasting(now, SESSION_HOURS * 60);

/**
 * Makes the token of a link that signs in once. What the database keeps of it leads to no token.
 *
 * @throws whatever the database throws: then there is no link
 */
export async function makeLink(
	{ run }: Pick<SharedDatabase, "run">,
	{ links }: OfficeKeys,
	now: Date,
): Promise<string> {
	const token = links.make();
	await run({
		swept: sweepLinks(...ofLinks(now)),
		made: addLink(links.hashOf(token)!, after(now, LINK_MINUTES)),
		noted: noteInAudit({ session: COMMAND, action: "link to sign in made" }, now),
	});
	return token;
}

/** Whether a link can still sign in. Asking uses nothing up. */
export async function isLinkGood(query: Query, hash: string, now: Date): Promise<boolean> {
	return (await ask(query, findLink(hash, ...ofLinks(now)))).length > 0;
}

/**
 * Signs a browser in by a link, which is used up. Of concurrent calls exactly one deletes the link.
 *
 * @param hash of the link's token
 * @param agent what the browser says it is
 * @returns the token for its cookie; undefined where the link is used up or too old
 */
export async function signIn(
	{ run }: Pick<SharedDatabase, "run">,
	{ sessions }: OfficeKeys,
	{ hash, agent, now }: { hash: string; agent: string; now: Date },
): Promise<string | undefined> {
	const { taken } = await run({ taken: takeLink(hash, ...ofLinks(now)) });
	if (taken.length === 0) return undefined;
	const token = sessions.make();
	const id = randomBytes(4).toString("hex");
	await run({
		swept: sweepSessions(...ofSessions(now)),
		began: addSession(
			sessions.hashOf(token)!,
			id,
			now.toISOString(),
			after(now, SESSION_HOURS * 60),
			agent.slice(0, AGENT_LENGTH),
		),
		noted: noteInAudit({ session: id, action: "signed in" }, now),
	});
	return token;
}

/** The session of a cookie; undefined where it has ended. */
export async function findSession(
	query: Query,
	hash: string,
	now: Date,
): Promise<Session | undefined> {
	const [session] = await ask(query, sessionOf(hash, ...ofSessions(now)));
	return session;
}

/** Who is signed in, the latest first. */
export function listSessions(query: Query, now: Date): Promise<Session[]> {
	return ask(query, openSessions(...ofSessions(now)));
}

/**
 * Ends one session.
 *
 * @param by the session that ends it
 */
export async function endSession(
	{ run }: Pick<SharedDatabase, "run">,
	{ id, by, now }: { id: string; by: string; now: Date },
): Promise<void> {
	const action = id === by ? "signed out" : "session ended";
	await run({
		ended: deleteSession(id),
		noted: noteInAudit({ session: by, action, details: id === by ? "" : id }, now),
	});
}

/**
 * Ends every session, and every link that was not used.
 *
 * @param by the session that ends them, or the command
 * @returns how many sessions there were
 */
export async function endAllSessions(
	{ run }: Pick<SharedDatabase, "run">,
	{ by, now }: { by: string; now: Date },
): Promise<number> {
	const { ended } = await run({
		links: deleteLinks(),
		ended: endOpenSessions(now.toISOString()),
		swept: sweepSessions(...ofSessions(now)),
		noted: noteInAudit({ session: by, action: "all sessions ended" }, now),
	});
	return ended.length;
}
