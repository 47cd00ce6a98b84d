import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { generateCookie, getCookie } from "hono/cookie";
import type { SharedDatabase } from "../database/database.ts";
import { lockNote, type Note, readNote, writeNote } from "../database/notes.ts";
import type { Tx } from "../database/sql.ts";
import { type AuditEntry, auditStatement, COMMAND_SESSION } from "../registrations/audit.ts";
import { createSignedTokens, createSigner } from "../secret.ts";
import { isoOf, latestCredibleTime } from "../time.ts";

export const SIGN_IN_PATH = "/sign-in/";

export const SIGN_IN_LINK_MINUTES = 5;

export const SESSION_HOURS = 12;

const LASTING_MS = {
	link: SIGN_IN_LINK_MINUTES * 60_000,
	session: SESSION_HOURS * 3_600_000,
} as const;

type Kind = keyof typeof LASTING_MS;

/** Content of a sign-in link's or session's token. The database stores no tokens. */
export interface Session {
	/** 8 hexadecimal digits, which the audit trail shows. */
	id: string;
	until: string;
	key: string;
}

/** Stored in the database, so that all servers share it. */
interface Admin {
	/** Tokens are signed with this key and the secret. Replacing the key invalidates all tokens. */
	key: string;
	/** Expiries of used links and ended sessions, by id. */
	over: Readonly<Record<string, string>>;
}

const ADMIN: Note<Admin> = { name: "admin" };

/** Bytes of a token's id, and of its expiry in ms since 1970. */
const [ID, TIME] = [4, 6] as const;

export function createSessions(
	database: Pick<SharedDatabase, "all" | "first" | "transact">,
	secret: string,
) {
	const tokensOf = (kind: Kind, key: string) =>
		createSignedTokens(secret, `admin ${kind}: ${key}`, ID + TIME);

	function makeToken(kind: Kind, { key, id }: Omit<Session, "until">, now: Date): string {
		const bytes = Buffer.alloc(ID + TIME);
		bytes.write(id, "hex");
		bytes.writeUIntBE(now.getTime() + LASTING_MS[kind], ID, TIME);
		return tokensOf(kind, key).make(bytes);
	}

	const newId = () => randomBytes(ID).toString("hex");
	const newKey = () => randomBytes(16).toString("hex");

	return {
		async makeLink(now: Date): Promise<string> {
			const done = { session: COMMAND_SESSION, action: "sign-in link created", now };
			const { key } = await database.transact(ensureAdminKey, { ...done, key: newKey() });
			return makeToken("link", { key, id: newId() }, now);
		},

		/** Reads a token. Returns undefined if it is forged, expired or used. Reading does not use up a link. */
		async find(kind: Kind, token: string, now: Date): Promise<Session | undefined> {
			const admin = await readNote(database, ADMIN);
			if (!admin) return undefined;
			const { bytes, genuine } = tokensOf(kind, admin.key).read(token);
			if (!genuine) return undefined;
			const id = bytes.toString("hex", 0, ID);
			const until = isoOf(bytes.readUIntBE(ID, TIME));
			// Rejects tokens that expire too late: a wrong clock dated them.
			const latest = latestCredibleTime(new Date(now.getTime() + LASTING_MS[kind]));
			const isOver = until <= now.toISOString() || until > latest || Object.hasOwn(admin.over, id);
			return isOver ? undefined : { id, until, key: admin.key };
		},

		/** Uses up a link and returns a session token. Exactly one of several concurrent calls succeeds. */
		async signIn(link: Session, now: Date): Promise<string | undefined> {
			const id = newId();
			const ending = { ...link, session: id, action: "signed in", now };
			const isFirst = await database.transact(revokeToken, ending);
			return isFirst ? makeToken("session", { key: link.key, id }, now) : undefined;
		},

		signOut: (session: Session, now: Date) =>
			database.transact(revokeToken, {
				...session,
				session: session.id,
				action: "signed out",
				now,
			}),

		signOutEveryone: (by: string, now: Date) =>
			database.transact(ensureAdminKey, {
				session: by,
				action: "everyone signed out",
				now,
				key: newKey(),
				replace: true,
			}),
	};
}

interface Noted extends Pick<AuditEntry, "session" | "action"> {
	now: Date;
}

/** Saves `key` as the admin key. Keeps an existing one unless `replace` is set. */
export async function ensureAdminKey(
	tx: Tx,
	{ key, replace, now, ...done }: { key: string; replace?: boolean } & Noted,
): Promise<Admin> {
	const there = await lockNote(tx, ADMIN);
	const admin = there && !replace ? there : { key, over: {} };
	await writeNote(tx, ADMIN, admin);
	await tx.all(auditStatement(done, now));
	return admin;
}

export async function revokeToken(
	tx: Tx,
	{ id, until, key, now, ...done }: Session & Noted,
): Promise<boolean> {
	const admin = await lockNote(tx, ADMIN);
	if (admin?.key !== key || Object.hasOwn(admin.over, id)) return false;
	const still = Object.entries(admin.over).filter(([, end]) => end > now.toISOString());
	await writeNote(tx, ADMIN, { key, over: { ...Object.fromEntries(still), [id]: until } });
	await tx.all(auditStatement(done, now));
	return true;
}

/** Names the cookie after the secret: browsers share cookies between ports, so two local servers need two names. */
export function sessionCookie(secret: string, isSecure: boolean) {
	const hash = createSigner(secret, "admin: cookie", 6)("").toString("hex");
	const name = `${isSecure ? "__Host-" : ""}admin-${hash}`;
	const header = (token: string, maxAge: number) =>
		generateCookie(name, token, {
			path: "/",
			maxAge,
			httpOnly: true,
			secure: isSecure,
			sameSite: "Strict",
		});
	return {
		read: (c: Context) => getCookie(c, name) ?? "",
		set: (token: string) => header(token, SESSION_HOURS * 3600),
		remove: () => header("", 0),
	};
}
