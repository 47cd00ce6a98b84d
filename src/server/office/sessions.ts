import { randomBytes } from "node:crypto";
import { runEach, type SharedDatabase, type Statement } from "../database/database.ts";
import { lockNote, type Note, readNote, writeNote } from "../database/notes.ts";
import type { Tx } from "../database/transaction.ts";
import { furthest } from "../database/waits.ts";
import { signedTokens } from "../secret.ts";
import { COMMAND, noteInAudit } from "../waitlist/audit.ts";

/** How long a link signs in. */
export const LINK_MINUTES = 5;

/** How long a session lasts. */
export const SESSION_HOURS = 12;

/** What a token says: links and sessions are signed, and kept nowhere. */
export interface Session {
	/** Names it, for people and in the audit trail: 8 hexadecimal digits. */
	id: string;
	/** When it ends, ISO 8601. */
	until: string;
}

/** What every copy of the server has to know. Without the secret, it signs nobody in. */
interface Admin {
	/** Part of the signing key: another one ends all links and sessions. */
	key: string;
	/** Used links and sessions that were signed out of, with the times at which they end by themselves. */
	over: Readonly<Record<string, string>>;
}

const ADMIN: Note<Admin> = { name: "admin" };

const LASTING_MS = { link: LINK_MINUTES * 60_000, session: SESSION_HOURS * 3_600_000 } as const;

type Kind = keyof typeof LASTING_MS;

/** Bytes of an id, and of a time in ms since 1970. */
const [ID, TIME] = [4, 6] as const;

const tokensOf = (secret: string, kind: Kind, { key }: Pick<Admin, "key">) =>
	signedTokens(secret, `admin ${kind}: ${key}`, ID + TIME);

function makeToken(
	secret: string,
	kind: Kind,
	admin: Pick<Admin, "key">,
	{ id, until }: Session,
): string {
	const bytes = Buffer.alloc(ID + TIME);
	bytes.write(id, "hex");
	bytes.writeUIntBE(Date.parse(until), ID, TIME);
	return tokensOf(secret, kind, admin).make(bytes);
}

const begin = (kind: Kind, now: Date): Session => ({
	id: randomBytes(ID).toString("hex"),
	until: new Date(now.getTime() + LASTING_MS[kind]).toISOString(),
});

/** Finds the first of these tokens that is good, or at least signed by us. */
async function findToken(
	{ query }: Pick<SharedDatabase, "query">,
	secret: string,
	kind: Kind,
	tokens: readonly string[],
	now: Date,
): Promise<(Session & Pick<Admin, "key"> & { isOver: boolean }) | undefined> {
	const admin = await readNote(query, ADMIN);
	if (!admin) return undefined;
	const { read } = tokensOf(secret, kind, admin);
	const signed = tokens.flatMap((token) => {
		const { bytes, genuine } = read(token);
		if (!genuine) return [];
		const id = bytes.toString("hex", 0, ID);
		const until = new Date(bytes.readUIntBE(ID, TIME)).toISOString();
		const isOver =
			until <= now.toISOString() ||
			// By a clock that was ahead.
			until > furthest(now.getTime(), LASTING_MS[kind]) ||
			Object.hasOwn(admin.over, id);
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
	const also = [noteInAudit({ session: COMMAND, action: "link to sign in made" }, now)];
	const admin = await transact(keepAdminKey, { key: randomKey(), replace: false, also });
	return makeToken(secret, "link", admin, begin("link", now));
}

/** Whether a link can sign in; undefined where we did not make it. Asking uses nothing up. */
export async function isLinkGood(
	database: Pick<SharedDatabase, "query">,
	secret: string,
	token: string,
	now: Date,
): Promise<boolean | undefined> {
	const link = await findToken(database, secret, "link", [token], now);
	return link && !link.isOver;
}

/**
 * Signs a browser in by a link, which is used up: of concurrent calls exactly one signs in.
 *
 * @returns the token for its cookie; undefined where the link is no good
 */
export async function signIn(
	database: Pick<SharedDatabase, "query" | "transact">,
	secret: string,
	token: string,
	now: Date,
): Promise<string | undefined> {
	const link = await findToken(database, secret, "link", [token], now);
	if (!link || link.isOver) return undefined;
	const session = begin("session", now);
	const also = [noteInAudit({ session: session.id, action: "signed in" }, now)];
	const isFirst = await database.transact(endToken, { ...link, now: now.toISOString(), also });
	return isFirst ? makeToken(secret, "session", link, session) : undefined;
}

/** The session of a request; undefined where it has ended. @param tokens of its cookies */
export async function findSession(
	database: Pick<SharedDatabase, "query">,
	secret: string,
	tokens: readonly string[],
	now: Date,
): Promise<(Session & Pick<Admin, "key">) | undefined> {
	const session = await findToken(database, secret, "session", tokens, now);
	return session?.isOver ? undefined : session;
}

/** Ends a session. */
export async function signOut(
	{ transact }: Pick<SharedDatabase, "transact">,
	session: Session & Pick<Admin, "key">,
	now: Date,
): Promise<void> {
	const also = [noteInAudit({ session: session.id, action: "signed out" }, now)];
	await transact(endToken, { ...session, now: now.toISOString(), also });
}

/** Ends every session, and every link. @param by the session that ends them, or the command */
export async function signOutEveryone(
	{ transact }: Pick<SharedDatabase, "transact">,
	by: string,
	now: Date,
): Promise<void> {
	const also = [noteInAudit({ session: by, action: "everyone signed out" }, now)];
	await transact(keepAdminKey, { key: randomKey(), replace: true, also });
}

const randomKey = () => randomBytes(16).toString("hex");

/** Keeps a key where there is none, or in its place. Returns the one that counts. */
export async function keepAdminKey(
	{ query }: Tx,
	{ key, replace, also }: { key: string; replace: boolean; also: readonly Statement[] },
): Promise<Admin> {
	const there = await lockNote(query, ADMIN);
	const admin = there && !replace ? there : { key, over: {} };
	await writeNote(query, ADMIN, admin);
	await runEach(query, also);
	return admin;
}

/** Ends a link or a session. Returns whether it was there. */
export async function endToken(
	{ query }: Tx,
	{
		id,
		until,
		key,
		now,
		also,
	}: Session & Pick<Admin, "key"> & { now: string; also: readonly Statement[] },
): Promise<boolean> {
	const admin = await lockNote(query, ADMIN);
	if (admin?.key !== key || Object.hasOwn(admin.over, id)) return false;
	const over = Object.entries(admin.over).filter(([, end]) => end > now);
	await writeNote(query, ADMIN, { key, over: { ...Object.fromEntries(over), [id]: until } });
	await runEach(query, also);
	return true;
}
