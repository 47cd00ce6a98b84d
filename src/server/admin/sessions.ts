import { randomBytes } from "node:crypto";
import type { SharedDatabase } from "../database/database.ts";
import { lockNote, type Note, readNote, writeNote } from "../database/notes.ts";
import type { Tx } from "../database/transaction.ts";
import { furthest } from "../database/waits.ts";
import { COMMAND, type Done, noteInAudit } from "../registrations/audit.ts";
import { signedTokens } from "../secret.ts";

/** How long a link signs in. */
export const LINK_MINUTES = 5;

/** How long a session lasts. */
export const SESSION_HOURS = 12;

const LASTING_MS = { link: LINK_MINUTES * 60_000, session: SESSION_HOURS * 3_600_000 } as const;

/** Links and sessions are signed tokens: the database keeps none of them. */
type Kind = keyof typeof LASTING_MS;

/** The content of a token. */
export interface Session {
	/** Names it, for people and in the audit trail: 8 hexadecimal digits. */
	id: string;
	/** When it ends, ISO 8601. */
	until: string;
	/** The admin key that it is signed with. */
	key: string;
}

/** What all copies of the server share. Without the secret, it signs nobody in. */
interface Admin {
	/** Part of what signs tokens: another key ends them all. */
	key: string;
	/** When used links, and sessions that were signed out of, would have ended, by their ids. */
	over: Readonly<Record<string, string>>;
}

const ADMIN: Note<Admin> = { name: "admin" };

const randomKey = () => randomBytes(16).toString("hex");

/** Bytes of an id, and of a time in ms since 1970. */
const [ID, TIME] = [4, 6] as const;

const tokensOf = (secret: string, kind: Kind, key: string) =>
	signedTokens(secret, `admin ${kind}: ${key}`, ID + TIME);

/** @param now when it begins */
function makeToken(secret: string, kind: Kind, { key, id }: Omit<Session, "until">, now: Date) {
	const bytes = Buffer.alloc(ID + TIME);
	bytes.write(id, "hex");
	bytes.writeUIntBE(now.getTime() + LASTING_MS[kind], ID, TIME);
	return tokensOf(secret, kind, key).make(bytes);
}

const makeId = () => randomBytes(ID).toString("hex");

/** Finds the first of these tokens that is good, or else one that we signed. */
async function findToken(
	{ query }: Pick<SharedDatabase, "query">,
	secret: string,
	kind: Kind,
	tokens: readonly string[],
	now: Date,
): Promise<(Session & { isOver: boolean }) | undefined> {
	const admin = await readNote(query, ADMIN);
	if (!admin) return undefined;
	const { read } = tokensOf(secret, kind, admin.key);
	const signed = tokens.map(read).flatMap(({ bytes, genuine }) => {
		if (!genuine) return [];
		const id = bytes.toString("hex", 0, ID);
		const until = new Date(bytes.readUIntBE(ID, TIME)).toISOString();
		// A clock that was ahead signed what ends too late.
		const isCredible = until <= furthest(now.getTime(), LASTING_MS[kind]);
		const isOver = until <= now.toISOString() || !isCredible || Object.hasOwn(admin.over, id);
		return [{ id, until, key: admin.key, isOver }];
	});
	return signed.find(({ isOver }) => !isOver) ?? signed[0];
}

/** Makes the token of a link that signs in once. */
export async function makeLink(
	{ transact }: Pick<SharedDatabase, "transact">,
	secret: string,
	now: Date,
): Promise<string> {
	const done = { session: COMMAND, action: "link to sign in made", now };
	const { key } = await transact(keepAdminKey, { ...done, key: randomKey(), replace: false });
	return makeToken(secret, "link", { key, id: makeId() }, now);
}

/** Finds what a link's token says; undefined where we did not make it. It is not used up by this. */
export const findLink = (
	database: Pick<SharedDatabase, "query">,
	secret: string,
	token: string,
	now: Date,
) => findToken(database, secret, "link", [token], now);

/**
 * Signs a browser in by a link, which is used up: of concurrent calls exactly one signs in.
 *
 * @returns the token for its cookie; undefined where the link was used
 */
export async function signIn(
	{ transact }: Pick<SharedDatabase, "transact">,
	secret: string,
	link: Session,
	now: Date,
): Promise<string | undefined> {
	const id = makeId();
	const isFirst = await transact(endToken, { ...link, session: id, action: "signed in", now });
	return isFirst ? makeToken(secret, "session", { key: link.key, id }, now) : undefined;
}

/** Finds the session of a request, if it has not ended. @param tokens of its cookies */
export async function findSession(
	database: Pick<SharedDatabase, "query">,
	secret: string,
	tokens: readonly string[],
	now: Date,
): Promise<Session | undefined> {
	const session = await findToken(database, secret, "session", tokens, now);
	return session?.isOver ? undefined : session;
}

/** Ends a session. */
export const signOut = (
	{ transact }: Pick<SharedDatabase, "transact">,
	session: Session,
	now: Date,
) => transact(endToken, { ...session, session: session.id, action: "signed out", now });

/** Ends every session and link. @param by the session that ends them, or the command */
export const signOutEveryone = (
	{ transact }: Pick<SharedDatabase, "transact">,
	by: string,
	now: Date,
) =>
	transact(keepAdminKey, {
		...{ session: by, action: "everyone signed out", now },
		...{ key: randomKey(), replace: true },
	});

/** What is noted in the audit trail. */
interface Noted extends Pick<Done, "session" | "action"> {
	now: Date;
}

/** Keeps an admin key where there is none, or in place of the one that is there. */
export async function keepAdminKey(
	tx: Tx,
	{ key, replace, now, ...done }: { key: string; replace: boolean } & Noted,
): Promise<Admin> {
	const there = await lockNote(tx.query, ADMIN);
	const admin = there && !replace ? there : { key, over: {} };
	await writeNote(tx.query, ADMIN, admin);
	await tx.all(noteInAudit(done, now));
	return admin;
}

/** Ends a link or a session. Returns false if it had ended. */
export async function endToken(
	tx: Tx,
	{ id, until, key, now, ...done }: Session & Noted,
): Promise<boolean> {
	const admin = await lockNote(tx.query, ADMIN);
	if (admin?.key !== key || Object.hasOwn(admin.over, id)) return false;
	const still = Object.entries(admin.over).filter(([, end]) => end > now.toISOString());
	await writeNote(tx.query, ADMIN, { key, over: { ...Object.fromEntries(still), [id]: until } });
	await tx.all(noteInAudit(done, now));
	return true;
}
