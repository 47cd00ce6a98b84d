import { prepare } from "../database/database.ts";
import { OFFICE_DRAFT, OFFICE_LINK, OFFICE_SESSION } from "../database/schema.ts";
import { isOver } from "../database/waits.ts";
import type { Session } from "./sessions.ts";

/*
 * Every statement about the tables `office_link`, `office_session` and `office_draft`. Times are ISO 8601 in
 * UTC; a hash leads to no token.
 */

export const addLink = prepare<[hash: string, until: string]>(
	`INSERT INTO ${OFFICE_LINK} (hash, until_at) VALUES ($1, $2)`,
);

/** A row where a link can still sign in. */
export const findLink = prepare<[hash: string, now: string, furthest: string]>(
	`SELECT hash FROM ${OFFICE_LINK} WHERE hash = $1 AND NOT ${isOver("until_at", "$2", "$3")}`,
);

/** Uses a link up that can still sign in. Of concurrent calls exactly one deletes it. */
export const takeLink = prepare<[hash: string, now: string, furthest: string]>(
	`DELETE FROM ${OFFICE_LINK} WHERE hash = $1 AND NOT ${isOver("until_at", "$2", "$3")} RETURNING hash`,
);

export const sweepLinks = prepare<[now: string, furthest: string]>(
	`DELETE FROM ${OFFICE_LINK} WHERE ${isOver("until_at", "$1", "$2")}`,
);

export const deleteLinks = prepare<[]>(`DELETE FROM ${OFFICE_LINK}`);

const FIELDS = `id, since_at AS "since", until_at AS "until", agent`;

export const addSession = prepare<
	[hash: string, id: string, since: string, until: string, agent: string]
>(
	`INSERT INTO ${OFFICE_SESSION} (hash, id, since_at, until_at, agent) VALUES ($1, $2, $3, $4, $5)`,
);

/** The session of a cookie that has not ended. */
export const sessionOf = prepare<[hash: string, now: string, furthest: string], Session>(
	`SELECT ${FIELDS} FROM ${OFFICE_SESSION} WHERE hash = $1 AND NOT ${isOver("until_at", "$2", "$3")}`,
);

/** All sessions that have not ended, the latest first. */
export const openSessions = prepare<[now: string, furthest: string], Session>(
	`SELECT ${FIELDS} FROM ${OFFICE_SESSION} WHERE NOT ${isOver("until_at", "$1", "$2")}
	ORDER BY since_at DESC, id`,
);

export const deleteSession = prepare<[id: string]>(`DELETE FROM ${OFFICE_SESSION} WHERE id = $1`);

/** Ends the sessions that have not ended, and gives them. */
export const endOpenSessions = prepare<[now: string], { id: string }>(
	`DELETE FROM ${OFFICE_SESSION} WHERE until_at > $1 RETURNING id`,
);

export const sweepSessions = prepare<[now: string, furthest: string]>(
	`DELETE FROM ${OFFICE_SESSION} WHERE ${isOver("until_at", "$1", "$2")}`,
);

export const addDraft = prepare<[id: string, session: string, madeAt: string, wave: string]>(
	`INSERT INTO ${OFFICE_DRAFT} (id, session, made_at, wave) VALUES ($1, $2, $3, $4)`,
);

/** A draft of a session, its wave as JSON. */
export const draftOf = prepare<[id: string, session: string], { madeAt: string; wave: string }>(
	`SELECT made_at AS "madeAt", wave FROM ${OFFICE_DRAFT} WHERE id = $1 AND session = $2`,
);

export const sweepDrafts = prepare<[until: string]>(
	`DELETE FROM ${OFFICE_DRAFT} WHERE made_at <= $1`,
);
