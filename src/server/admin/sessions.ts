import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { generateCookie, getCookie } from "hono/cookie";
import type { SharedDatabase } from "../database/database.ts";
import { lockNote, type Note, readNote, writeNote } from "../database/notes.ts";
import type { Tx } from "../database/transaction.ts";
import { COMMAND, type Done, noteInAudit } from "../registrations/audit.ts";
import { signedTokens, signer } from "../secret.ts";
import { isoOf, latestCredible } from "../time.ts";

/** How long a sign-in link is valid. */
export const LINK_MINUTES = 5;

export const SESSION_HOURS = 12;

const LASTING_MS = { link: LINK_MINUTES * 60_000, session: SESSION_HOURS * 3_600_000 } as const;

/** Links and sessions are signed tokens: the database keeps none of them. */
type Kind = keyof typeof LASTING_MS;

/** The content of a token. */
export interface Session {
	/** 8 hexadecimal digits, which the audit trail names. */
	id: string;
	/** When it ends, ISO 8601. */
	until: string;
	/** The admin key that it is signed with. */
	key: string;
}

/** Shared by all copies of the server. Without the secret, it signs nobody in. */
interface Admin {
	/** Part of the signing key: another one ends all tokens. */
	key: string;
	/** Used links and ended sessions: when each would have expired, by its id. */
	over: Readonly<Record<string, string>>;
}

const ADMIN: Note<Admin> = { name: "admin" };

type Db = Pick<SharedDatabase, "all" | "first" | "transact">;

/** Bytes of an id, and of a time in ms since 1970. */
const [ID, TIME] = [4, 6] as const;

const randomKey = () => randomBytes(16).toString("hex");
const randomId = () => randomBytes(ID).toString("hex");

const tokensOf = (secret: string, kind: Kind, key: string) =>
	signedTokens(secret, `admin ${kind}: ${key}`, ID + TIME);

function makeToken(secret: string, kind: Kind, { key, id }: Omit<Session, "until">, now: Date) {
	const bytes = Buffer.alloc(ID + TIME);
	bytes.write(id, "hex");
	bytes.writeUIntBE(now.getTime() + LASTING_MS[kind], ID, TIME);
	return tokensOf(secret, kind, key).make(bytes);
}

/** @returns undefined for a token that we did not make */
async function readToken(db: Db, secret: string, kind: Kind, token: string, now: Date) {
	const admin = await readNote(db, ADMIN);
	if (!admin) return undefined;
	const { bytes, genuine } = tokensOf(secret, kind, admin.key).read(token);
	if (!genuine) return undefined;
	const id = bytes.toString("hex", 0, ID);
	const until = isoOf(bytes.readUIntBE(ID, TIME));
	// A clock that was ahead may have signed a time that is too late.
	const isCredible = until <= latestCredible(new Date(now.getTime() + LASTING_MS[kind]));
	const isOver = until <= now.toISOString() || !isCredible || Object.hasOwn(admin.over, id);
	return { id, until, key: admin.key, isOver };
}

/** Makes the token of a sign-in link. */
export async function makeLink(db: Db, secret: string, now: Date): Promise<string> {
	const done = { session: COMMAND, action: "sign-in link made", now };
	const { key } = await db.transact(keepAdminKey, { ...done, key: randomKey(), replace: false });
	return makeToken(secret, "link", { key, id: randomId() }, now);
}

/** Reads the token of a link, which does not use it up. */
export const findLink = (db: Db, secret: string, token: string, now: Date) =>
	readToken(db, secret, "link", token, now);

/**
 * Signs a browser in by a link, which is used up: of concurrent calls exactly one signs in.
 *
 * @returns the token for its cookie; undefined if the link was used
 */
export async function signIn(
	db: Db,
	secret: string,
	link: Session,
	now: Date,
): Promise<string | undefined> {
	const id = randomId();
	const isFirst = await db.transact(endToken, { ...link, session: id, action: "signed in", now });
	return isFirst ? makeToken(secret, "session", { key: link.key, id }, now) : undefined;
}

/** @param token of a cookie; undefined without one */
export async function findSession(
	db: Db,
	secret: string,
	token: string | undefined,
	now: Date,
): Promise<Session | undefined> {
	const session = token && (await readToken(db, secret, "session", token, now));
	return session && !session.isOver ? session : undefined;
}

export const signOut = (db: Db, session: Session, now: Date) =>
	db.transact(endToken, { ...session, session: session.id, action: "signed out", now });

/** Ends every session and link. @param by the session that does, or the command */
export const signOutEveryone = (db: Db, by: string, now: Date) => {
	const done = { session: by, action: "everyone signed out", now };
	return db.transact(keepAdminKey, { ...done, key: randomKey(), replace: true });
};

interface Noted extends Pick<Done, "session" | "action"> {
	now: Date;
}

/** Keeps an admin key if there is none, or replaces it. */
export async function keepAdminKey(
	tx: Tx,
	{ key, replace, now, ...done }: { key: string; replace: boolean } & Noted,
): Promise<Admin> {
	const there = await lockNote(tx, ADMIN);
	const admin = there && !replace ? there : { key, over: {} };
	await writeNote(tx, ADMIN, admin);
	await tx.all(noteInAudit(done, now));
	return admin;
}

/** Ends a link or a session. Returns false if it had ended. */
export async function endToken(
	tx: Tx,
	{ id, until, key, now, ...done }: Session & Noted,
): Promise<boolean> {
	const admin = await lockNote(tx, ADMIN);
	if (admin?.key !== key || Object.hasOwn(admin.over, id)) return false;
	const still = Object.entries(admin.over).filter(([, end]) => end > now.toISOString());
	await writeNote(tx, ADMIN, { key, over: { ...Object.fromEntries(still), [id]: until } });
	await tx.all(noteInAudit(done, now));
	return true;
}

/**
 * The cookie of a session. With TLS its name begins with `__Host-`, so that a browser accepts it from this
 * very host only. It names the installation, because browsers send cookies of 127.0.0.1 to every port.
 */
export function sessionCookie(secret: string, isSecure: boolean) {
	const name = `admin-${signer(secret, "admin: cookie", 6)("").toString("hex")}`;
	const prefix = isSecure ? ("host" as const) : undefined;
	const options = {
		path: "/",
		httpOnly: true,
		sameSite: "Strict",
		secure: isSecure,
		...(prefix && { prefix }),
	} as const;
	return {
		read: (c: Context) => (prefix ? getCookie(c, name, prefix) : getCookie(c, name)),
		/** Header that sets it. */
		set: (token: string) =>
			generateCookie(name, token, { ...options, maxAge: SESSION_HOURS * 3600 }),
		/** Header that removes it. */
		remove: () => generateCookie(name, "", { ...options, maxAge: 0 }),
	};
}
